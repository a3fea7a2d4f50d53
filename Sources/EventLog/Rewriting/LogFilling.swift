/// Filling of new logs in a single operation: a merge, a split, a simulation or a scenario. Meanwhile, a marker file
/// in the folder of each log records this: if the operation is interrupted, repeating it starts over, and the partial
/// contents are not used as a log.
///
///     UNFINISHED   present while the log is being filled; durable before the first event
///
/// If several logs are filled together, all are complete before the first of them is marked as finished.
package enum LogFilling {
  /// The marker file of an unfinished log.
  static let name = "UNFINISHED"

  /// Returns whether a log is being filled, or its filling was interrupted.
  ///
  /// - Throws: ``LogError`` if the folder cannot be read.
  package static func isUnfinished(_ path: String) throws(LogError) -> Bool {
    try isUnfinished(path, SystemDisk())
  }

  static func isUnfinished(_ path: String, _ disk: any Disk) throws(LogError) -> Bool {
    try (disk.list(path) ?? []).contains(name)
  }

  /// Opens new logs to be filled. Logs that the same call began before, and did not finish, start over.
  ///
  /// - Parameters:
  ///   - targets: The folder of each log, and the seed of its id.
  ///   - holder: A description of the holder of the lock, shown to other writers.
  /// - Returns: A writer of each log; nil for one that is complete already, if others are not finished.
  /// - Throws: ``LogError`` if there are events in a log already, or a file cannot be created.
  package static func open(
    _ targets: [(path: String, seed: UInt64)], holder: String = ""
  ) throws(LogError) -> [LogWriter?] {
    try open(targets, holder: holder, disk: SystemDisk())
  }

  /// Returns which of some logs are complete already, because the same call was interrupted when it had finished these
  /// and not the others.
  ///
  /// - Throws: ``LogError`` if there are events in a log for another reason.
  static func completed(
    _ targets: [(path: String, seed: UInt64)], _ disk: any Disk
  ) throws(LogError) -> [Bool] {
    var isAnyUnfinished = false
    for target in targets where try isUnfinished(target.path, disk) { isAnyUnfinished = true }
    var completed: [Bool] = []
    for target in targets {
      completed.append(try isComplete(target.path, target.seed, isAnyUnfinished, disk))
    }
    return completed
  }

  static func open(
    _ targets: [(path: String, seed: UInt64)], holder: String = "", disk: any Disk
  ) throws(LogError) -> [LogWriter?] {
    var writers: [LogWriter?] = []
    for (target, isComplete) in zip(targets, try completed(targets, disk)) {
      var options = LogOptions(seed: target.seed, holder: holder)
      options.isFilling = true
      writers.append(isComplete ? nil : try LogWriter(target.path, options: options, disk: disk))
    }
    return writers
  }

  /// Returns whether a log is one of those that were finished while others were not; throws if it has events for
  /// another reason.
  private static func isComplete(
    _ path: String, _ seed: UInt64, _ isAnyUnfinished: Bool, _ disk: any Disk
  ) throws(LogError) -> Bool {
    if try disk.list(path) == nil { return false }
    if try isUnfinished(path, disk) { return false }
    let log = try LogReader(path, disk: disk)
    var salts = SaltSource(seed: seed)
    if isAnyUnfinished, log.id == LogID(using: &salts) { return true }
    guard log.eventCount > 0 else { return false }
    throw LogError(
      .cannotCreate,
      "the folder holds a log of \(log.eventCount) events; name another folder or remove it",
      path: path)
  }

  /// Marks logs as finished. All of them must be committed.
  ///
  /// - Throws: ``LogError`` if the marker files cannot be removed.
  static func finish(_ writers: [LogWriter]) throws(LogError) {
    for writer in writers { try writer.finishFilling() }
  }

  // MARK: Support for the writer

  /// Starts a log: removes what an interrupted filling left, and marks the log as unfinished.
  static func begin(in path: String, _ disk: any Disk) throws(LogError) {
    let names = try disk.list(path) ?? []
    guard names.contains(name) else {
      let file = try disk.create(path + "/" + name, like: [path])
      try file.sync()
      return try disk.syncFolder(path)
    }
    for name in names where isOfLog(name) { try disk.remove(path + "/" + name) }
    _ = try Quarantine.empty(in: path, disk)
    try disk.syncFolder(path)
  }

  /// Marks a log as unfinished, and removes what is there of it. The marker is durable after the next sync of the
  /// folder.
  static func mark(_ path: String, _ disk: any Disk) throws(LogError) {
    let names = try disk.list(path) ?? []
    if !names.contains(name) { _ = try disk.create(path + "/" + name, like: [path]) }
    for name in names where isOfLog(name) { try disk.remove(path + "/" + name) }
    if names.contains(LogDirectory.quarantineName) { _ = try Quarantine.empty(in: path, disk) }
  }

  private static func isOfLog(_ name: String) -> Bool {
    SegmentHeader.basePosition(fileName: name) != nil || LogHead.names.contains(name)
      || name == SegmentList.name
  }

  /// Throws if a log is unfinished: anything appended to it would be lost when it starts over.
  static func requireFinished(_ path: String, _ disk: any Disk) throws(LogError) {
    guard try isUnfinished(path, disk) else { return }
    throw LogError(
      .damaged,
      "the log is incomplete: the command that writes it has not finished; run the same command again, or "
        + "remove the folder", path: path)
  }

  static func finish(_ path: String, _ disk: any Disk) throws(LogError) {
    guard try isUnfinished(path, disk) else { return }
    try disk.remove(path + "/" + name)
    try disk.syncFolder(path)
  }
}
