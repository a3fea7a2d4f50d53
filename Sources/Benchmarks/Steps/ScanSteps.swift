import EventLog
import Events

/// Scans: a log in the page cache, read through the public interface by one thread.
///
/// `scan goals` counts the decisions of each variant, and counts the goals of each code that have a value and
/// adds their values: the columns kind, variant, goal and value. `scan propensities` counts the decisions of
/// each variant and adds their propensities: the columns kind, variant and propensity, with a number for almost
/// every row. Both check the checksum of every byte that they read, and open the log before the clock starts.
struct ScanSteps {
  /// What a scan found, so that no run can be left out by the compiler.
  struct Tallies: Equatable {
    var counts: [Int]
    var numbers: [Int]
    var sums: [Double]

    init(_ log: LogReader, _ summed: Vocabulary) {
      counts = Array(repeating: 0, count: Int(log.codeLimit(.variants)))
      numbers = Array(repeating: 0, count: Int(log.codeLimit(summed)))
      sums = Array(repeating: 0, count: Int(log.codeLimit(summed)))
    }

    /// Adds the numbers of a column by the codes of another.
    mutating func add(_ column: NumberColumn, by codes: [UInt32]) {
      column.forEach { row, number in
        let code = Int(codes[row])
        numbers[code] += 1
        sums[code] += number
      }
    }
  }

  let name: String
  let path: String

  func steps() throws -> [Step] {
    let log = try LogReader(path)
    let goals = try Self.goals(log)
    let propensities = try Self.propensities(log)
    return [
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

  private static func goals(_ log: LogReader) throws -> Tallies {
    var tallies = Tallies(log, .goals)
    var histogram = Histogram(count: tallies.counts.count)
    try log.forEachBatch([.variant, .goal, .value]) { batch in
      histogram.add(batch)
      tallies.add(batch.values, by: batch.goals)
    }
    tallies.counts = histogram.counts
    return tallies
  }

  private static func propensities(_ log: LogReader) throws -> Tallies {
    var tallies = Tallies(log, .variants)
    var histogram = Histogram(count: tallies.counts.count)
    try log.forEachBatch([.variant, .propensity]) { batch in
      histogram.add(batch)
      tallies.add(batch.propensities, by: batch.variants)
    }
    tallies.counts = histogram.counts
    return tallies
  }
}

/// Counts the decisions of each variant. Four counters for each, taken in turn, because a processor waits for
/// one that it has just written.
private struct Histogram {
  private var lanes: [Int]
  private let width: Int

  init(count: Int) {
    width = count
    lanes = Array(repeating: 0, count: 4 * count)
  }

  var counts: [Int] {
    (0..<width).map { code in (0..<4).reduce(0) { $0 + lanes[$1 * width + code] } }
  }

  mutating func add(_ batch: EventBatch) {
    let kinds = batch.kinds.span
    let variants = batch.variants.span
    let decision = EventKind.decision.rawValue
    for row in kinds.indices {
      let code = kinds[row] == decision ? Int(variants[row]) : 0
      lanes[(row & 3) * width + code] += 1
    }
  }
}
