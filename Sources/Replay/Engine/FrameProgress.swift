internal import Threads

/// How much several threads have read together, and which of them has failed, so that those behind it need not go on.
///
/// The parts before the one that failed go on, and may fail too: so it is always the first damage of the log that a
/// replay ends with, on any number of threads.
struct FrameProgress: Sendable {
  /// Thrown to end a part whose result nobody needs, because a part before it failed.
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

  /// Counts events that were read.
  func add(_ count: Int) {
    content.withLock { content in
      content.events += UInt64(count)
      report?(content.events)
    }
  }

  /// Does a part; when it fails, those behind it end at their next ``check(_:)``.
  func part<Result>(_ number: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      content.withLock { $0.firstFailed = min($0.firstFailed, number) }
      throw error
    }
  }

  /// - Throws: ``Stopped`` when a part before this one has failed.
  func check(_ number: Int) throws {
    if content.withLock({ $0.firstFailed < number }) { throw Stopped() }
  }
}
