public import EventLog
internal import Platform
internal import Threads

/// Runs projectors over a log.
///
/// The frames are divided among threads, each of which reads a contiguous part of the log; the states of the parts are
/// merged in log order. Results do not depend on ``jobs`` or ``memoryLimit``.
public struct LogReplay: Sendable {
  /// The log to replay.
  public let log: LogReader

  /// The number of threads, at least 1.
  public var jobs: Int

  /// The memory limit of a replay in bytes, nil for no limit. Events that are being grouped by unit spill to a
  /// temporary file beyond the limit; state per variant beyond it is an error.
  public var memoryLimit: Int?

  /// Called with the number of events read so far, never by two threads at once.
  public var progress: (@Sendable (UInt64) -> Void)?

  /// Where states of units are exchanged with those of other logs; nil for a computation that is complete.
  package var exchange: StateExchange?

  /// Where units are kept from report to report; nil to read the log for each. Not used where memory is limited.
  package var unitCache: UnitCache?

  /// Creates a replay of a log, which by default uses all processors.
  public init(
    _ log: LogReader, jobs: Int? = nil, memoryLimit: Int? = nil,
    progress: (@Sendable (UInt64) -> Void)? = nil
  ) {
    self.log = log
    self.jobs = max(1, jobs ?? SystemLimits.processorCount)
    self.memoryLimit = memoryLimit
    self.progress = progress
  }

  /// Returns the state of a projector at the end of the log.
  ///
  /// - Throws: `LogError` if a frame cannot be read.
  public func run<P: Projector>(_ projector: P) throws -> P.State {
    try run(projector, progress: FrameProgress(progress))
  }

  func run<P: Projector>(_ projector: P, progress: FrameProgress) throws -> P.State {
    let reader = try BatchReader(log, projector.columns, projector.attributes)
    let shares = FrameShares(log, projector.filter, jobs)
    let states = try Workers.run(shares.parts.count) { part in
      try progress.part(part) {
        var state = projector.makeState()
        try reader.forEach(frames: shares.parts[part]) { batch in
          try progress.check(part)
          try projector.apply(batch, to: &state)
          progress.add(batch.count)
        }
        return state
      }
    }
    return states.dropFirst().reduce(into: states[0]) { projector.merge($1, into: &$0) }
  }
}
