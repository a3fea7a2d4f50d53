public import Events
internal import Platform

/// A source of time.
public protocol TimeSource: Sendable {
  /// The current time.
  var now: Timestamp { get }

  /// Suspends for the duration.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func sleep(for duration: Duration) async throws
}

/// The clock of the machine.
public struct SystemTime: TimeSource {
  /// Creates a reader of the machine's clock.
  public init() {}

  /// The current time, in UTC.
  public var now: Timestamp {
    Timestamp(microseconds: SystemClock.microsecondsSince1970)
  }

  /// Suspends for the duration.
  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }
}

extension Timestamp {
  /// Returns the time later by the given seconds, earlier when negative; clamped to the range of valid times.
  package func adding(seconds: Int64) -> Timestamp {
    let (micros, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isBeyond) = microseconds.addingReportingOverflow(micros)
    guard !isOver, !isBeyond else { return seconds < 0 ? .earliest : .latest }
    return Timestamp(microseconds: sum)
  }

  /// Returns the microseconds from the earlier time to this one; the maximum when they overflow.
  package func microseconds(since earlier: Timestamp) -> Int64 {
    let (difference, isOver) = microseconds.subtractingReportingOverflow(earlier.microseconds)
    return isOver ? (self < earlier ? .min : .max) : difference
  }
}
