public import Events
internal import Glibc

/// Where a system takes the time from.
public protocol TimeSource: Sendable {
  /// The time now.
  var now: Timestamp { get }

  /// Returns after the duration has passed.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func sleep(for duration: Duration) async throws
}

/// The clock of the machine.
public struct SystemTime: TimeSource {
  /// Makes a reader of the machine's clock.
  public init() {}

  /// The time now, in UTC.
  public var now: Timestamp {
    var time = timespec()
    // Safety: the call writes the time into the variable; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  /// Returns after the duration has passed.
  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}

extension Timestamp {
  /// The time later by so many seconds, earlier when negative; the farthest writable one at the ends.
  package func adding(seconds: Int64) -> Timestamp {
    let (micros, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isBeyond) = microseconds.addingReportingOverflow(micros)
    guard !isOver, !isBeyond else { return seconds < 0 ? .earliest : .latest }
    return Timestamp(microseconds: sum)
  }

  /// Microseconds from the earlier time to this one; the largest number when it does not fit.
  package func microseconds(since earlier: Timestamp) -> Int64 {
    let (difference, isOver) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return isOver ? (self < earlier ? .min : .max) : difference
  }
}
