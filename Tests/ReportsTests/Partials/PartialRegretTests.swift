import Events
import Statistics
import Tables
import TestSupport
import Testing

@testable import Replay
@testable import Reports

@Suite("Regret of the parts of a log")
struct PartialRegretTests {
  /// The number of shards and the seed of the log.
  static let cases = [(1, 1), (2, 2), (3, 3), (7, 4), (64, 5)].map { ($0.0, UInt64($0.1)) }

  @Test("equals that of the whole, byte for byte", arguments: cases)
  func regret(count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = SpelledWorld(names: .accented, spellsUnits: true)
    for events in [LogParts.events(seed: seed), world.events(&random, count: 400)] {
      let parts = try LogParts(events, into: count)
      for means in RegretMeans.allCases {
        try parts.expectSame(RegretReport { $0.rules = RegretRules(means: means) })
      }
      try parts.expectSame(
        RegretReport { $0.decomposes = true }, by: .context(Spelling.accented.first))
      try parts.expectSame(
        RegretReport { $0.rules = RegretRules(Attribution(rule: .linear), hasIntervals: false) },
        by: .day)
    }
  }

  @Test("takes as many passes as there are crowded ranges to divide", arguments: cases)
  func refined(count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: 50 + seed)
    var rules = RegretRules()
    (rules.orderRanges, rules.keptDecisions) = (40, [0, 30][random.index(2)])
    var events = LogParts.events(seed: 50 + seed)
    // Most at one time, so that only the hashes of units tell decisions apart.
    for index in events.indices where random.chance(0.9) { events[index].time = events[0].time }
    let parts = try LogParts(events, into: count)
    try parts.expectSame(RegretReport { $0.rules = rules })
  }

  @Test("has the same bytes in each pass, whatever the order of the units")
  func sameBytes() throws {
    var random = SeededGenerator(seed: 77)
    let events = LogParts.events(seed: 77)
    let parts = try [events, ArrivalTests.interleaved(events, &random)].map {
      try LogParts($0, into: 1)
    }
    var given: [UInt8]?
    for _ in 0..<2 {
      let bytes = try parts.map { try $0.partial(RegretReport(), 0, given: given) }
      #expect(bytes[0] == bytes[1])
      given = bytes[0]
    }
  }
}

extension LogParts {
  /// Expects the CSV and JSON of a report to be the same when it is merged from partials.
  func expectSame(
    _ report: some Report, by dimension: Dimension? = nil, dataEnd: Int64? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let tables = [
      try merged(report, by: dimension, dataEnd: dataEnd), try table(report, by: dimension),
    ]
    let texts = tables.map { table in
      [TableFormat.csv, .json].map {
        String(decoding: Tables.write(table, as: $0, options: TableOptions()), as: UTF8.self)
      }
    }
    #expect(
      Difference(texts[0], texts[1]) == nil, "\(type(of: report).name) of \(parts.count) parts",
      sourceLocation: location)
  }
}
