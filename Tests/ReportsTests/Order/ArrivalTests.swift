import EventLog
import Events
import Replay
import TestSupport
import Testing

@testable import Reports

@Suite("The order in which units arrive")
struct ArrivalTests {
  @Test(
    "shows in no report: units' events may be interleaved in any way",
    arguments: LongTests.chunks(6, of: 100))
  func interleaved(seed: UInt64) throws {
    var random = SeededGenerator(seed: 9_000 + seed)
    let events = SpelledWorld(names: .accented, spellsUnits: true).events(&random)
    let erased = random.chance(0.5) ? ["u1e\u{301}", "u7"] : []
    let first = try log(events, perFrame: 1_000, erased: erased)
    let reports = try EveryReport(names: .accented).all()
    let expected = try reports.map { try $0.texts(of: first.reader) }
    for form in 0..<2 {
      let second = try log(
        Self.interleaved(events, &random), perFrame: form == 0 ? 1_000 : 7, erased: erased)
      for (report, expected) in zip(reports, expected) {
        let found = try report.texts(of: second.reader, jobs: 1 + form * 2)
        #expect(Difference(found, expected) == nil, "seed \(9_000 + seed), \(report)")
      }
    }
  }

  /// Returns the events in another order, in which those of each unit keep theirs.
  static func interleaved(_ events: [Event], _ random: inout SeededGenerator) -> [Event] {
    let order = events.map(\.unit).shuffled(using: &random)
    var queues = Dictionary(grouping: events, by: \.unit).mapValues { $0[...] }
    return order.compactMap { queues[$0]?.popFirst() }
  }

  private func log(_ events: [Event], perFrame: Int, erased: [String]) throws -> ReportLog {
    let log = try ReportLog(events, perFrame: perFrame)
    guard !erased.isEmpty else { return log }
    _ = try LogRewriter(log.folder.path("log")).erase(
      Erasure(units: erased, before: Timestamp(microseconds: SpelledWorld.start + 5)))
    return try ReportLog(reopening: log)
  }
}
