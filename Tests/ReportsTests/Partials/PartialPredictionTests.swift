import Events
import Prediction
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Predictions on the parts of a log")
struct PartialPredictionTests {
  /// The number of shards and the seed of the log.
  static let cases = [(1, 1), (2, 2), (3, 3), (7, 4), (64, 5)].map { ($0.0, UInt64($0.1)) }

  private static func rules(_ source: PredictionRules.Source) throws -> PredictionRules {
    let names = ["last", "frequency", "ppm:order=2", "markov:order=1", "half-life:days=1", "ctw"]
    var rules = PredictionRules(predictors: try names.map { try Predictors.named($0) })
    rules.baselines = try ["uniform", "last", "beauchamp"].map { try Predictors.named($0) }
    rules.source = source
    return rules
  }

  @Test("equal those on the whole, byte for byte, in every table", arguments: cases)
  func tables(count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: 900 + seed)
    let world = SpelledWorld(names: .accented, spellsUnits: true)
    let parts = try LogParts(world.events(&random, count: 600), into: count)
    for source in PredictionRules.Source.allCases {
      var rules = try Self.rules(source)
      for table in PredictionTable.allCases {
        try parts.expectSame(
          PredictionReport {
            $0.rules = rules
            $0.table = table
          })
      }
      try parts.expectSame(
        PredictionReport { $0.rules = rules }, by: .context(Spelling.accented.second))
      try parts.expectSame(
        PredictionReport {
          $0.rules = rules
          $0.table = .skill
        }, by: .data(kind: "custom", key: nil))
      (rules.plan.delay, rules.plan.warmUp) = (7_200_000_000, 1)
      rules.studies = [Spelling.accented.second]
      try parts.expectSame(PredictionReport { $0.rules = rules })
    }
  }

  @Test("count configurations of everyone once, however many parts there are")
  func everyone() throws {
    var random = SeededGenerator(seed: 3)
    let events = SpelledWorld(names: .accented).events(&random, count: 3_000)
    let configured = events.filter {
      guard case .configurationApplied = $0.payload else { return false }
      return $0.unit == ""
    }
    #expect(configured.count > 3)
    for count in [1, 3, 7] {
      let parts = try LogParts(events, into: count)
      let report = try PredictionReport { $0.rules = try Self.rules(.studies) }
      try parts.expectSame(report)
      let notes = try parts.merged(report).notes.filter { $0.name == "configurations" }
      #expect(notes == (try parts.table(report).notes.filter { $0.name == "configurations" }))
      #expect(notes.count == 1)
    }
  }

  @Test("have the same bytes whatever the order of the units")
  func sameBytes() throws {
    var random = SeededGenerator(seed: 77)
    let events = SpelledWorld(names: .accented, spellsUnits: true).events(&random, count: 400)
    let report = try PredictionReport { $0.rules = try Self.rules(.studies) }
    let bytes = try [events, ArrivalTests.interleaved(events, &random)].map {
      try LogParts($0, into: 1).partial(report, 0)
    }
    #expect(bytes[0] == bytes[1])
  }

  @Test("are refused with predictors or baselines that learn from several units, by their names")
  func pooled() throws {
    func instead(_ predictors: [String], _ baselines: [String]) throws -> String? {
      var rules = PredictionRules(predictors: try predictors.map { try Predictors.named($0) })
      rules.baselines = try baselines.map { try Predictors.named($0) }
      let support = try PredictionReport { $0.rules = rules }.partials
      if case .none(let instead) = support { return instead }
      return nil
    }
    #expect(try instead(["last", "ppm:order=3"], ["uniform"]) == nil)
    #expect(try instead(["last"], ["popular"])?.contains(" learns from the takes") == true)
    let both = try instead(["pooled"], ["popular"])
    #expect(both?.contains("pooled") == true && both?.contains("popular") == true)
    #expect(both?.contains("--baseline") == true)
  }

  @Test("damaged states end in errors only", arguments: 0..<200)
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: 5_000 + seed)
    let events = SpelledWorld(names: .accented).events(&random, count: 60)
    let parts = try LogParts(events, into: 1)
    for report: any Report in [
      try PredictionReport { $0.rules = try Self.rules(.studies) }, RegretReport(),
    ] {
      var partial = try Partial(bytes: try parts.partial(report, 0))
      guard !partial.passes[0].states[0].isEmpty else { continue }
      for _ in 0..<1 + random.index(3) {
        let place = random.index(partial.passes[0].states[0].count)
        if random.chance(0.2) {
          partial.passes[0].states[0].removeLast(place)
        } else {
          partial.passes[0].states[0][place] = UInt8(truncatingIfNeeded: random.next())
        }
        if partial.passes[0].states[0].isEmpty { break }
      }
      // Whatever it is, reading it ends.
      _ = try? parts.merging(report, [partial.bytes])
    }
  }
}

extension LogParts {
  /// Merges the partials of one pass.
  func merging(_ report: some Report, _ files: [[UInt8]]) throws {
    let set = try PartialSet(
      files.indices.map(String.init), expected: Self.empty(report, dataEnd: nil)
    ) { files[Int($0) ?? 0] }
    let units = MergedUnits(
      try StateExchange(merging: set.parts, given: [], isRecording: false, dataEnd: nil))
    _ = try report.finished(
      ReportSource(report, units, set.common, UnitSelection(), path: "parts"))
  }
}
