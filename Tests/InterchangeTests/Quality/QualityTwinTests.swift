import EventLog
import Events
import TestSupport
import Testing

@testable import Interchange

/// The counts of an import's quality against the plainest way of counting them.
@Suite("Quality of an import, counted plainly")
struct QualityTwinTests {
  private func event(_ random: inout SeededGenerator) -> Event {
    let time =
      Int.random(in: 0..<20, using: &random) == 0
      ? Int64.random(in: -1_000_000_000...6_000_000_000, using: &random) * 1_000_000
      : 1_767_600_000_000_000 + Int64.random(in: 0..<9_000, using: &random) * 1_000_000
    let unit = UnitID("u\(Int.random(in: 0..<40, using: &random))")
    let experiment = ExperimentID("e\(Int.random(in: 0..<2, using: &random))")
    if Int.random(in: 0..<3, using: &random) == 0 {
      var goal = Goal(experiment: experiment, goal: "g")
      if Int.random(in: 0..<4, using: &random) == 0 { goal.status = .refused }
      return Event(time: Timestamp(microseconds: time), unit: unit, payload: .goal(goal))
    }
    let names: [VariantID] = ["a", "b", "c"]
    let propensities: [Double?] = [nil, 0, -1, 0.5, 1, 1.5]
    let lists: [[Double]?] = [nil, [0.2, 0.8], [0.2, 0.7], [1.2, -0.2]]
    let probabilities = lists[Int.random(in: 0..<4, using: &random)]
    let hasChoices = probabilities != nil || Bool.random(using: &random)
    return Event(
      time: Timestamp(microseconds: time), unit: unit,
      payload: .decision(
        Decision(
          experiment: experiment, variant: names[Int.random(in: 0..<3, using: &random)],
          choices: hasChoices ? ["a", "b"] : nil,
          propensity: propensities[Int.random(in: 0..<6, using: &random)],
          probabilities: probabilities)))
  }

  /// Counts by rule, in the plainest way.
  private func counts(_ events: [Event]) -> [ImportQuality.Rule: Int64] {
    var counts: [ImportQuality.Rule: Int64] = [:]
    let isPossible = { (time: Timestamp) in
      ("2000-01-01T00:00:00Z"..."2100-01-01T00:00:00Z").contains("\(time)")
    }
    for (index, event) in events.enumerated() {
      let before = events[..<index]
      if isPossible(event.time) {
        let latest = before.map(\.time).filter(isPossible).max() ?? event.time
        if latest.microseconds - event.time.microseconds > 3_600_000_000 {
          counts[.lateArrival, default: 0] += 1
        }
      } else {
        counts[.impossibleTime, default: 0] += 1
      }
      switch event.payload {
      case .goal(let goal):
        let hasDecision = before.contains {
          guard case .decision(let decision) = $0.payload else { return false }
          return $0.unit == event.unit && decision.experiment == goal.experiment
        }
        if goal.status != .refused, !hasDecision { counts[.goalBeforeDecision, default: 0] += 1 }
      case .decision(let decision):
        if let propensity = decision.propensity, propensity <= 0 || propensity > 1 {
          counts[.propensity, default: 0] += 1
        }
        if let list = decision.probabilities,
          list.contains(where: { !(0...1).contains($0) }) || abs(list.reduce(0, +) - 1) > 1e-6
        {
          counts[.probabilities, default: 0] += 1
        }
        if let choices = decision.choices, !choices.contains(decision.variant) {
          counts[.unknownVariant, default: 0] += 1
        }
      default: break
      }
    }
    return counts
  }

  @Test("agrees for random events", arguments: UInt64(0)..<20)
  func random(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let events = (0..<200).map { _ in event(&generator) }
    var text: [UInt8] = []
    var record = EventRecord()
    for event in events {
      try record.load(event)
      JSONLines.append(record, to: &text)
    }
    let imported = try ImportedFiles(("log.jsonl", String(decoding: text, as: UTF8.self)))
    #expect(imported.events.count == 200, "seed \(seed)")
    let expected = counts(events)
    for rule in ImportQuality.Rule.allCases {
      #expect(imported.summary.quality[rule]?.count == expected[rule], "seed \(seed), \(rule)")
    }
  }

  @Test("units with a decision are found in memory and beyond it", arguments: UInt64(0)..<4)
  func decisionIndex(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let hash = RecordFingerprint(key: FingerprintKey(first: seed, second: 7)).unit
    var index = DecisionIndex(
      rest: FingerprintMap(directory: folder.path, memoryCapacity: 100),
      capacity: [0, 10, 1_500, 100_000][Int(seed)])
    var known: Set<String> = []
    var record = EventRecord()
    for _ in 0..<4_000 {
      let number = Int.random(in: 0..<3_000, using: &random)
      // Texts of all lengths, of which many begin alike.
      let unit = String(repeating: "x", count: number % 40) + "\(number / 40)"
      let experiment = ["", "e", "experiment-7"][number % 3]
      record.reset(kind: .decision, time: Timestamp(microseconds: 0))
      record[.unit] = record.add(unit)
      record[.experiment] = record.add(experiment)
      let name = "\(experiment) \(unit)"
      #expect(try index.contains(hash(record)) == known.contains(name), "seed \(seed), \(name)")
      guard Bool.random(using: &random) else { continue }
      try index.insert(hash(record))
      known.insert(name)
    }
  }
}
