internal import EventLog
internal import Threads

/// Decides when the snapshot of a log is made again, and makes it: in the background after a start that replayed much
/// and each time the log has grown by an interval, and when the service stops unless that would take long.
final class SnapshotSchedule: Sendable {
  private struct State {
    /// The position of the last snapshot, made or attempted.
    var position: UInt64
    var isMaking = false
  }

  /// The number of events after the last snapshot up to which a service that stops makes one.
  private static let largestFinalReplay: UInt64 = 300_000

  private let options: ServiceOptions
  private let log: LogView
  private let state: Monitor<State>

  /// Creates the schedule of a log whose last snapshot is at a position.
  init(_ options: ServiceOptions, of log: LogView, from position: UInt64) {
    self.options = options
    self.log = log
    state = Monitor(State(position: position))
  }

  /// Makes a snapshot in the background if there are enough events since the last one.
  ///
  /// - Parameter position: A position where a frame ends, before which everything is durable.
  func consider(at position: UInt64) {
    let isDue = state.withLock { state in
      guard !state.isMaking, position >= state.position + options.snapshotInterval else {
        return false
      }
      state.isMaking = true
      return true
    }
    if isDue { makeInBackground(at: position, fromLog(at: position)) }
  }

  /// Makes a snapshot of states that were just replayed, in the background.
  func store(_ states: DecidingSystemStates) {
    state.withLock { $0.isMaking = true }
    makeInBackground(at: states.position) { log, options in
      _ = try states.snapshot.write(of: log, options)
    }
  }

  /// Makes the snapshot of a service that stops, if there are events since the last one and it does not take long.
  func makeLast(at position: UInt64) {
    let isWorthIt = state.withLock { state in
      guard !state.isMaking, position > state.position,
        position - state.position <= Self.largestFinalReplay
      else { return false }
      state.isMaking = true
      return true
    }
    if isWorthIt { make(at: position, fromLog(at: position)) }
  }

  private func fromLog(at position: UInt64) -> @Sendable (LogReader, ServiceOptions) throws -> Void {
    { log, options in _ = try LogSnapshot.make(at: position, of: log, options) }
  }

  private func makeInBackground(
    at position: UInt64, _ body: @escaping @Sendable (LogReader, ServiceOptions) throws -> Void
  ) {
    let make = { @Sendable [self] in self.make(at: position, body) }
    if !OwnThread.detach(make) { state.withLock { $0.isMaking = false } }
  }

  private func make(at position: UInt64, _ body: (LogReader, ServiceOptions) throws -> Void) {
    do {
      try body(log.current(), options)
    } catch {
      options.note("no snapshot was made: \(error)")
    }
    state.withLock { state in
      state.isMaking = false
      state.position = max(state.position, position)
    }
  }
}
