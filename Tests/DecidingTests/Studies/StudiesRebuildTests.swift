import DecidingCore
import Events
import Prediction
import TestSupport
import Testing

@testable import DecidingStudies

@Suite("Studies: everything comes back from the log")
struct StudiesRebuildTests {
  private static let predictors = [
    "beauchamp", "half-life:days=2", "last", "markov:order=2", "ppm:order=2", "uniform",
    "popular", "pooled:base=(markov:order=1),context=1", "logistic:bits=8",
    "mixture:experts=(last);(logistic:bits=10),share=0.1",
  ]

  @Test(
    "after random calls, from any prefix of the log and from snapshots",
    arguments: LongTests.chunks(5, of: 20))
  func rebuilt(chunk: UInt64) throws {
    for seed in (chunk * 55)..<(chunk * 55 + 55) { try check(seed: seed) }
  }

  /// Live states by the length of the log at which they were seen.
  private struct Seen {
    var count: Int
    var state: StudiesState
    var snapshot: String
  }

  private func check(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let predictor = try Predictors.named(generator.pick(Self.predictors, or: "beauchamp"))
    let world = ManualWorld()
    let studies = Studies(unit: "u", surroundings: world.surroundings, predictor: predictor)
    var seen: [Seen] = []
    var values: [ExperimentID: Study] = [:]
    var known = UnitFeatures()
    for step in 0..<generator.index(60) {
      world.sink.refuse(generator.chance(0.1))
      let (before, count) = (studies.state, world.events.count)
      let action = generator.studiesAction()
      do {
        try action.perform(studies, world)
        try action.perform(&values, by: predictor, at: world.time.now)
        if case .know(let key, let value) = action { known.learn(key, value) }
        for id in values.keys { values[id]?.features = known.features }
      } catch let error as StudyError {
        let comment: Comment = "seed \(seed), step \(step), \(action): \(error)"
        #expect(studies.state == before && world.events.count == count, comment)
      }
      for study in studies.all {
        let value = try #require(values[ExperimentID(study.description)])
        #expect(study.isIdentical(to: value), "seed \(seed), step \(step), \(action)")
      }
      #expect(studies.all.count == values.count)
      if generator.chance(0.12) {
        seen.append(
          Seen(count: world.events.count, state: studies.state, snapshot: studies.snapshot()))
      }
    }
    world.sink.refuse(false)
    try expectSame(studies, world, seen, seed: seed)
    try expectSameAnswers(studies, world, &generator, seed: seed)
  }

  private func expectSame(_ studies: Studies, _ world: ManualWorld, _ seen: [Seen], seed: UInt64)
    throws
  {
    let events = world.events
    for moment in seen {
      let comment: Comment = "seed \(seed), after \(moment.count) events"
      let replayed = Studies(
        unit: "u", surroundings: world.surroundings, predictor: studies.predictor,
        replaying: events.prefix(moment.count))
      #expect(replayed.state == moment.state, comment)
      #expect(replayed.snapshot() == moment.snapshot, comment)
      let restored = try Studies(
        unit: "u", surroundings: world.surroundings, predictor: studies.predictor,
        restoring: moment.snapshot, replaying: events.dropFirst(moment.count))
      #expect(restored.state == studies.state, comment)
      #expect(restored.snapshot() == studies.snapshot(), comment)
    }
  }

  /// The next calls answer the same and append the same, live and replayed.
  private func expectSameAnswers(
    _ studies: Studies, _ world: ManualWorld, _ generator: inout SeededGenerator, seed: UInt64
  ) throws {
    let twin = ManualWorld()
    twin.time.advance(microseconds: world.time.now.microseconds)
    let replayed = Studies(
      unit: "u", surroundings: twin.surroundings, predictor: studies.predictor,
      replaying: world.events)
    let count = world.events.count
    for _ in 0..<5 {
      let action = generator.studiesAction()
      let live = Self.answer { try action.perform(studies, world) }
      let again = Self.answer { try action.perform(replayed, twin) }
      #expect(live == again, "seed \(seed), \(action)")
    }
    #expect(replayed.state == studies.state, "seed \(seed)")
    #expect(
      world.events.dropFirst(count).map(\.payload) == twin.events.map(\.payload), "seed \(seed)")
  }

  /// What a call returns or throws, without the ids of events, which go on where the log ends.
  private static func answer<Answer>(_ call: () throws -> Answer) -> String {
    "\(Result { try call() })".replacing(/"id-\d+"/, with: "an id")
  }
}

extension UnitFeatures {
  fileprivate mutating func learn(_ key: String, _ value: AttributeValue?) {
    switch value {
    case .number(let number): learn(kind: "custom", key: key, number: number)
    case .integer(let integer): learn(kind: "custom", key: key, number: Double(integer))
    case .text(let text): learn(kind: "custom", key: key, text: text)
    case .flag(let flag): learn(kind: "custom", key: key, text: "\(flag)")
    case nil: learn(kind: "custom", key: key, text: "")
    }
  }
}
