internal import Threads

/// A histogram of durations, which threads may add to at any time.
final class DurationHistogram: Sendable {
  /// The upper bounds of the buckets in seconds, as they are written.
  static let bounds = [
    "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1",
    "2.5", "5", "10",
  ]
  /// The same in nanoseconds.
  private static let nanoseconds: [Int64] = bounds.map { Int64((Double($0) ?? 0) * 1e9) }

  /// The counts of a histogram.
  struct Counts: Sendable {
    /// The number of durations by the first bound that is not less; the last is for those beyond all bounds.
    fileprivate(set) var buckets = [UInt64](repeating: 0, count: bounds.count + 1)
    /// The sum in nanoseconds.
    fileprivate(set) var sum: Int64 = 0

    mutating func add(_ duration: Int64) {
      let place = nanoseconds.firstIndex { duration <= $0 } ?? nanoseconds.count
      buckets[place] += 1
      sum &+= duration
    }
  }

  private let state = Monitor(Counts())

  /// Adds a duration in nanoseconds.
  func add(_ duration: Int64) { state.withLock { $0.add(duration) } }

  /// The counts so far.
  var counts: Counts { state.withLock { $0 } }
}
