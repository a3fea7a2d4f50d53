internal import EventLog
internal import Replay
internal import Threads

/// The facts that an update learns from the log beside the histories of units, all of it on several threads at once.
struct Preparation: Sendable {
  /// The number of units with new events.
  var touched = 0
  /// The hashes of the new units; nil if there are none.
  var hashes: UnitHashes?
  /// The counts of the new rows for the data-quality checks.
  var audit = LogAudit()

  /// Changes the histories, computes the hashes of new units, and counts the new rows.
  ///
  /// - Parameters:
  ///   - change: The change of the histories.
  ///   - slots: The projections that it revises.
  ///   - replay: The replay of the log.
  ///   - position: The position of the first new event.
  ///   - firstUnit: The first code of a new unit.
  /// - Returns: What was learned.
  /// - Throws: `LogError` if the log cannot be read; errors of the change.
  static func run(
    _ change: HistoryChange, _ slots: [any ProjectionSlot], _ replay: LogReplay,
    from position: UInt64, firstUnit: UInt32
  ) throws -> Preparation {
    // Its rows have been counted for progress already.
    var silent = replay
    silent.progress = nil
    let parts = try Workers.map(3, jobs: replay.jobs) { [silent] number in
      var part = Preparation()
      switch number {
      case 0: part.touched = try change.run(jobs: replay.jobs, slots)
      case 1: part.hashes = try KeptHashes.hashes(of: replay.log, from: firstUnit)
      default: try part.audit.add(silent, from: position)
      }
      return part
    }
    return Preparation(
      touched: parts[0].touched, hashes: parts[1].hashes, audit: parts[2].audit)
  }
}
