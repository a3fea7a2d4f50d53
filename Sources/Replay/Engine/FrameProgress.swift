internal import Threads

/// The combined read progress of several threads, and the first part that failed, so that later parts can stop.
///
/// Parts before the failed one continue, and may fail too. A replay therefore always reports the first damage in the
/// log, on any number of threads.
struct FrameProgress: Sendable {
  /// Thrown to stop a part whose result is not needed because an earlier part failed.
  struct Stopped: Error {}

  private struct Content: Sendable {
    var events: UInt64 = 0
    var firstFailed = Int.max
  }

  private let content = Monitor(Content())
  private let report: (@Sendable (UInt64) -> Void)?

  init(_ report: (@Sendable (UInt64) -> Void)?) {
    self.report = report
  }

  /// Adds a number of events read.
  func add(_ count: Int) {
    content.withLock { content in
      content.events += UInt64(count)
      report?(content.events)
    }
  }

  /// Runs a part; if it fails, later parts stop at their next ``check(_:)``.
  func part<Result>(_ number: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      content.withLock { $0.firstFailed = min($0.firstFailed, number) }
      throw error
    }
  }

  /// Throws if the part need not continue.
  ///
  /// - Throws: ``Stopped`` if an earlier part has failed.
  func check(_ number: Int) throws {
    if content.withLock({ $0.firstFailed < number }) { throw Stopped() }
  }
}
