public import EventLog
internal import Threads

/// Runs projectors over a log.
///
/// The frames are divided among threads, each of which takes a part of the log that hangs together; the states of the
/// parts are merged in the order of the log. Whatever ``jobs`` and ``memoryLimit`` are, results are the same.
public struct Replay: Sendable {
  /// The log that is replayed.
  public let log: LogReader

  /// How many threads work at once, at least 1.
  public var jobs: Int

  /// Memory in bytes that a replay may take: the events of units while they are put together, which go to a temporary file
  /// beyond it, and what is computed of each variant, which is refused beyond it. Nil for no limit.
  public var memoryLimit: Int?

  /// Called with the number of events read so far, by one thread at a time.
  public var progress: (@Sendable (UInt64) -> Void)?

  /// A replay of a log, by default on every processor.
  public init(
    _ log: LogReader, jobs: Int? = nil, memoryLimit: Int? = nil,
    progress: (@Sendable (UInt64) -> Void)? = nil
  ) {
    self.log = log
    self.jobs = max(1, jobs ?? Workers.processorCount)
    self.memoryLimit = memoryLimit
    self.progress = progress
  }

  /// What the projector has seen at the end of the log.
  ///
  /// - Throws: `LogError` when a frame cannot be read.
  public func run<P: Projector>(_ projector: P) throws -> P.State {
    try run(projector, progress: FrameProgress(progress))
  }

  /// What both projectors have seen at the end of the log, which is read once.
  ///
  /// - Throws: `LogError` when a frame cannot be read.
  public func run<A: Projector, B: Projector>(_ a: A, _ b: B) throws -> (A.State, B.State) {
    let states = try run(ProjectorPair(a, b))
    return (states.first, states.second)
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
