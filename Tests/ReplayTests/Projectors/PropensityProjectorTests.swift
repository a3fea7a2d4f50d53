import EventLog
import Events
import Statistics
import TestSupport
import Testing

@testable import Replay

@Suite("Propensities")
struct PropensityProjectorTests {
  @Test("only confirmed and provisional decisions count, and only those selected")
  func selects() throws {
    let log = try WorldLog([
      made("a", 0.5), made("a", nil), made("a", 0.5, status: .provisional),
      made("a", 0.5, status: .repeated), made("a", 0.5, status: .excluded),
      made("a", 0.5, reason: "forced"), made("a", 0.5, experiment: "f"), made("a", 0.5, time: 9),
    ])
    var selection = UnitSelection()
    selection.experiments = [try #require(log.names.code(of: "e", in: .experiments))]
    selection.leftOutReasons = [try #require(log.names.code(of: "forced", in: .reasons))]
    selection.until = 9
    let tallies = try LogReplay(log.reader).run(PropensityProjector(selection)).tallies
    #expect(tallies.experiments.count == 1)
    #expect(tallies.experiments.values.first?.decisions == 3)
    #expect(tallies.experiments.values.first?.withoutPropensity == 1)
  }

  @Test("a choice with probability 0 does not count as a choice")
  func possibleChoices() throws {
    let log = try WorldLog([
      made("a", 0.25, choices: ["a", "b", "c"], probabilities: [0.25, 0.75, 0]),
      made("a", 0.5, choices: ["a", "b", "c"]), made("d", 0.5, choices: ["a", "b"]),
      made("a", 0, choices: ["a", "b"]), made("a", 2, choices: ["a"]),
    ])
    let tallies = try LogReplay(log.reader).run(PropensityProjector()).tallies
    let tally = try #require(tallies.experiments.values.first)
    #expect(tally.inverses == Moments([4, 2]))
    #expect(tally.excesses == Moments([2, -1]))
    #expect(tally.choices == 5)
    #expect(tally.greatestExcess == 2)
    #expect(tally.outOfRange == 2)
    #expect(tally.notAmongChoices == 1)
  }

  @Test(
    "agrees with a naive model on random logs, on any number of threads", arguments: LongTests.twins)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Ten small worlds of experiments in one log, so that fewer files are written.
    let events = (0..<10).flatMap { world in
      (0..<1 + random.index(20)).map { _ in randomDecision(&random, world) }
    }
    let form = ReplayForm.all[Int(seed) % ReplayForm.all.count]
    let log = try WorldLog(events, perFrame: form.perFrame)
    let tallies = try form.replay(log).run(PropensityProjector()).tallies
    let naive = NaivePropensities(events)
    let named = Dictionary(
      uniqueKeysWithValues: tallies.experiments.map { (log.experiment($0.key), $0.value) })
    #expect(named == naive.experiments, "seed \(seed), \(form)")
    let variants = Dictionary(
      uniqueKeysWithValues: tallies.variants.map {
        ([log.experiment($0.key.experiment), log.variant($0.key.variant)], $0.value)
      })
    #expect(variants == naive.variants, "seed \(seed), \(form)")
  }

  @Test("positions without an event are counted, whatever columns the event had")
  func absent() throws {
    let log = try WorldLog([made("a", 0.5), made("b", 0.5)])
    #expect(try LogReplay(log.reader).run(AbsentEventProjector()) == AbsentEventProjector.State())
  }

  private func made(
    _ variant: String, _ propensity: Double?, choices: [String]? = nil,
    probabilities: [Double]? = nil, status: EventStatus? = nil, reason: String? = nil,
    experiment: ExperimentID = "e", time: Int64 = 1
  ) -> Event {
    event(
      time, "u",
      .decision(
        Decision(
          experiment: experiment, variant: VariantID(variant),
          choices: choices?.map { VariantID($0) }, propensity: propensity,
          probabilities: probabilities, reason: reason, status: status)))
  }

  private func randomDecision(_ random: inout SeededGenerator, _ world: Int) -> Event {
    let count = random.index(4)
    let choices = (0..<count).map { "v\($0 + random.index(2))" }
    var probabilities: [Double]?
    switch random.index(4) {
    case 0: probabilities = (0..<count).map { _ in random.chance(0.1) ? -0.5 : 0.25 }
    case 1: probabilities = (0..<count).map { _ in 1 / Double(max(1, count)) }
    case 2: probabilities = (0..<count).map { $0 == 0 ? 1 : 0 }
    default: break
    }
    return made(
      "v\(random.index(4))", random.chance(0.8) ? [0, 0.25, 0.5, 1, 1.5][random.index(5)] : nil,
      choices: random.chance(0.8) ? choices : nil,
      probabilities: random.chance(0.8) ? probabilities : nil,
      status: [nil, .provisional, .repeated][random.index(3)],
      experiment: ExperimentID("e\(world)\(random.index(2))"))
  }
}

/// The audit by its words.
private struct NaivePropensities {
  var experiments: [String: PropensityTally] = [:]
  var variants: [[String]: CalibrationTally] = [:]

  init(_ events: [Event]) {
    for event in events {
      guard case .decision(let decision) = event.payload, decision.status != .repeated else {
        continue
      }
      var tally = experiments[decision.experiment.rawValue] ?? PropensityTally()
      add(decision, &tally)
      experiments[decision.experiment.rawValue] = tally
    }
  }

  private mutating func add(_ decision: Decision, _ tally: inout PropensityTally) {
    let isInRange = decision.propensity.map { $0 > 0 && $0 <= 1 } ?? false
    tally.decisions += 1
    if decision.propensity == nil { tally.withoutPropensity += 1 }
    if decision.propensity != nil, !isInRange { tally.outOfRange += 1 }
    guard let choices = decision.choices else { return }
    tally.withChoices += 1
    let chosen = choices.firstIndex(of: decision.variant)
    if chosen == nil { tally.notAmongChoices += 1 }
    let distinct = Set(choices).count
    guard distinct == choices.count else {
      if chosen != nil, isInRange, let propensity = decision.propensity {
        tally.addInverse(propensity, choices: distinct)
      }
      return
    }
    var possible = choices.count
    if let probabilities = decision.probabilities {
      tally.withProbabilities += 1
      if let chosen, let propensity = decision.propensity {
        tally.compared += 1
        if abs(probabilities[chosen] - propensity) > 1e-6 { tally.different += 1 }
      }
      let sum = probabilities.reduce(0, +)
      if probabilities.allSatisfy({ $0 >= 0 && $0 <= 1 }), abs(sum - 1) <= 1e-6 {
        possible = probabilities.count { $0 > 0 }
        if let chosen { calibrate(decision, choices, probabilities, chosen) }
      } else {
        tally.wrongSums += 1
      }
    }
    guard let propensity = decision.propensity, isInRange, chosen != nil else { return }
    tally.inverses.add(1 / propensity)
    tally.excesses.add(1 / propensity - Double(possible))
    tally.greatestExcess = max(tally.greatestExcess, abs(1 / propensity - Double(possible)))
    tally.choices += possible
  }

  private mutating func calibrate(
    _ decision: Decision, _ choices: [VariantID], _ probabilities: [Double], _ chosen: Int
  ) {
    for (index, choice) in choices.enumerated() {
      var tally =
        variants[[decision.experiment.rawValue, choice.rawValue]] ?? CalibrationTally()
      tally.decisions += 1
      tally.chosen += index == chosen ? 1 : 0
      tally.expected.add(probabilities[index])
      tally.squares.add(product: probabilities[index], probabilities[index])
      variants[[decision.experiment.rawValue, choice.rawValue]] = tally
    }
  }
}
