import Events
import Specifications
import Statistics

/// The generator of the takes of a ``StudiesScenario``, from 2026-01-01T00:00:00Z on and over 30 days.
struct StudiesGenerator: EventGenerator {
  private static let study = "tabs"
  private static let start: Int64 = 1_767_225_600_000_000
  private static let duration: Int64 = 30 * 86_400_000_000

  private let scenario: StudiesScenario
  private let events: Int
  private let seed: UInt64
  private let chain: TakeChain
  private let names: [[UInt8]]
  private let take: EventTemplate
  private let gap: UInt64
  private var visitors, takes: Xoshiro256
  private var time = Self.start
  private var written = 0
  /// The context plus one of each unit; 0 before its first take.
  private var contexts: [UInt32]
  private var unitCount = 0

  init(scenario: StudiesScenario, events: Int, seed: UInt64) {
    self.scenario = scenario
    self.events = events
    self.seed = seed
    let stream = { Xoshiro256(seed: seed, labels: ["studies", $0]) }
    var habits = stream("habits")
    chain = TakeChain(options: scenario.options, order: scenario.order, using: &habits)
    visitors = stream("visitors")
    takes = stream("takes")
    names = (0..<scenario.options).map { [UInt8(ascii: "A") + UInt8($0)] }
    take = EventTemplate(.dataPoint, texts: [(.dataKind, "optionTaken"), (.key, Self.study)])
    gap = UInt64(2 * Self.duration / Int64(max(1, events))) + 1
    contexts = Array(repeating: 0, count: scenario.units)
  }

  mutating func next(into record: inout EventRecord) -> Bool {
    guard written < events else { return false }
    written += 1
    if written == 1 {
      define(&record)
      return true
    }
    time += Int64(Draw.integer(below: gap, using: &visitors))
    let unit = Int(Draw.integer(below: UInt64(scenario.units), using: &visitors))
    var context = Int(contexts[unit]) - 1
    if context < 0 {
      context = chain.beginning(using: &takes)
      unitCount += 1
    }
    let option = chain.take(in: &context, using: &takes)
    contexts[unit] = UInt32(truncatingIfNeeded: context + 1)
    take.fill(&record, time: time, unit: unit + 1, id: UInt64(written))
    record.dataValue = .text(record.add(copying: names[option]))
    return true
  }

  /// Fills the record with the definition of the study's options, for everyone.
  private func define(_ record: inout EventRecord) {
    record.reset(kind: .configurationApplied, time: Timestamp(microseconds: time))
    let options = names.map { name in
      "{\"description\":\"\(String(decoding: name, as: UTF8.self))\","
        + "\"timesEncountered\":0,\"timesTaken\":0}"
    }
    let texts: [(EventRecord.TextField, String)] = [
      (.unit, ""), (.system, "studies"), (.experiment, Self.study), (.reason, "defined"),
      (.configuration, "{\"options\":[\(options.joined(separator: ","))]}"),
    ]
    for (field, text) in texts { record[field] = record.add(text) }
  }

  var truth: Truth {
    var counts = Truth.Counts()
    counts.units = unitCount
    counts.dataPoints = max(0, written - 1)
    var truth = Truth(
      scenario: StudiesScenario.info.name, parameters: scenario.fullSpecification.parameters,
      events: events, seed: seed, counts: counts, experiments: [], conversions: [])
    truth.studies = [
      Truth.Study(
        study: Self.study, options: names.map { String(decoding: $0, as: UTF8.self) },
        order: scenario.order, entropyRate: chain.entropyRate, entropy: chain.entropy,
        bestHitRate: chain.bestHitRate, takes: counts.dataPoints, units: unitCount)
    ]
    return truth
  }
}
