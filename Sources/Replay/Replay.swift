public import EventLog

/// Runs projectors over a log.
public struct Replay: Sendable {
  /// The log that is replayed.
  public let log: LogReader

  /// Memory in bytes that the states of partitioned projectors may take. Whatever it is, the result is the
  /// same; with less memory the log is read more often.
  public var memoryLimit: Int

  /// A replay of a log.
  public init(_ log: LogReader, memoryLimit: Int = 128 << 20) {
    self.log = log
    self.memoryLimit = memoryLimit
  }

  /// What the projector computes from the log, in one pass.
  ///
  /// - Parameters:
  ///   - projector: What to compute.
  ///   - progress: Called after each frame with the number of events of the frames read so far.
  /// - Returns: The projector's result.
  /// - Throws: `LogError` when a frame cannot be read.
  public func run<P: Projector>(
    _ projector: P, progress: (UInt64) -> Void = { _ in }
  ) throws -> P.Result {
    var state = projector.makeState()
    try log.forEachBatch(projector.columns, where: projector.filter) { batch in
      projector.apply(batch, to: &state)
      progress(batch.basePosition + UInt64(batch.count))
    }
    return projector.result(of: state)
  }

  /// What the projector computes from the log, in as many passes as memory asks for.
  ///
  /// - Parameters:
  ///   - projector: What to compute.
  ///   - progress: Called after each frame with the number of events of the frames read so far, over all
  ///     passes.
  /// - Returns: The projector's result.
  /// - Throws: `LogError` when a frame cannot be read.
  public func run<P: UnitPartitionedProjector>(
    partitioned projector: P, progress: (UInt64) -> Void = { _ in }
  ) throws -> P.Result {
    let passes = passCount(for: projector)
    var result = try run(
      projector.restricted(to: UnitPartition(index: 0, count: passes)), progress: progress)
    for index in 1..<max(1, passes) {
      let part = projector.restricted(to: UnitPartition(index: index, count: passes))
      let before = UInt64(index) * log.eventCount
      let other = try run(part) { progress(before + $0) }
      projector.combine(other, into: &result)
    }
    return result
  }

  /// How many passes the projector needs, so that its state fits into the memory.
  public func passCount(for projector: some UnitPartitionedProjector) -> UInt32 {
    let needed = log.eventCount(where: projector.filter) * UInt64(projector.bytesPerEvent)
    return UInt32(min(needed / UInt64(max(1, memoryLimit)) + 1, 4_096))
  }
}
