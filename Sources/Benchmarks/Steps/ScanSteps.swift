import EventLog
import Events

/// Scans: a log in the page cache, read through the public interface by one thread.
///
/// `scan goals` counts the decisions of each variant, and counts the goals of each code that have a value and
/// sums their values: the columns kind, variant, goal and value. `scan propensities` counts the decisions of
/// each variant and sums their propensities: the columns kind, variant and propensity, with a number for almost
/// every row. `read goals` and `read propensities` read and decode the same columns and count nothing. All verify the
/// checksum of every byte that they read, and open the log before the clock starts.
struct ScanSteps {
  /// The result of a scan, so that no run is optimized away.
  struct Tallies: Equatable {
    var decisions: [Int]
    var numbers: [Int]
    var sums: [Double]

    init(_ decisions: CodeTally, _ numbers: CodeTally) {
      self.decisions = decisions.rowCounts
      self.numbers = numbers.numberCounts
      sums = numbers.sums
    }
  }

  let name: String
  let path: String

  func steps() throws -> [Step] {
    let log = try LogReader(path)
    let goals = try Self.goals(log)
    let propensities = try Self.propensities(log)
    return [
      step("read goals", log) { try Self.rows(log, [.variant, .goal, .value]) == log.eventCount },
      step("read propensities", log) {
        try Self.rows(log, [.variant, .propensity]) == log.eventCount
      },
      step("scan goals", log) { try Self.goals(log) == goals },
      step("scan propensities", log) { try Self.propensities(log) == propensities },
    ]
  }

  private func step(_ scan: String, _ log: LogReader, _ work: @escaping () throws -> Bool) -> Step {
    Step(name: "\(scan), \(name)", events: Int(log.eventCount)) {
      var isSame = true
      let measurement = try Measurement { isSame = try work() }
      guard isSame else { throw ProcessRun.Failure(description: "\(scan) changed its result") }
      return measurement
    }
  }

  private static func rows(_ log: LogReader, _ columns: EventColumns) throws -> UInt64 {
    var rows: UInt64 = 0
    try log.forEachBatch(columns) { rows += UInt64($0.count) }
    return rows
  }

  private static func goals(_ log: LogReader) throws -> Tallies {
    var variants = CodeTally(codeLimit: log.codeLimit(.variants))
    var goals = CodeTally(codeLimit: log.codeLimit(.goals))
    try log.forEachBatch([.variant, .goal, .value]) { batch in
      variants.count(batch.variants, of: batch.kinds, .decision)
      goals.add(batch.values, by: batch.goals)
    }
    return Tallies(variants, goals)
  }

  private static func propensities(_ log: LogReader) throws -> Tallies {
    var variants = CodeTally(codeLimit: log.codeLimit(.variants))
    try log.forEachBatch([.variant, .propensity]) { batch in
      variants.count(batch.variants, of: batch.kinds, .decision)
      variants.add(batch.propensities, by: batch.variants)
    }
    return Tallies(variants, variants)
  }
}
