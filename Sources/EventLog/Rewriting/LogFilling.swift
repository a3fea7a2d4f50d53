/// New logs that are filled at one go: by a merge, a split, a simulation or a scenario. While that goes on, a file in the folder of each says
/// so: when it ends before it is done, the same again begins anew, and what is there is not taken for a log.
///
///     UNFINISHED   there as long as the log is being filled; it is durable before the first event is
///
/// Of several logs that are filled together, all are complete before the first of them is called finished.
public enum LogFilling {
  /// The file that says that a log is not finished.
  static let name = "UNFINISHED"

  /// Whether a log is being filled, or was and is not finished.
  ///
  /// - Throws: ``LogError`` when the folder cannot be read.
  public static func isUnfinished(_ path: String) throws(LogError) -> Bool {
    try isUnfinished(path, SystemDisk())
  }

  static func isUnfinished(_ path: String, _ disk: any Disk) throws(LogError) -> Bool {
    try (disk.list(path) ?? []).contains(name)
  }

  /// Opens new logs to be filled. Those that the same call began before, and did not finish, begin anew.
  ///
  /// - Parameters:
  ///   - targets: The folder of each log, and what its id is drawn from.
  ///   - holder: Who does it; a writer that is turned away is told so.
  /// - Returns: A writer of each log; nil for one that is complete already, where others are not finished.
  /// - Throws: ``LogError``: there are events in a log already, or a file cannot be made.
  public static func open(
    _ targets: [(path: String, seed: UInt64)], holder: String = ""
  ) throws(LogError) -> [LogWriter?] {
    try open(targets, holder: holder, disk: SystemDisk())
  }

  static func open(
    _ targets: [(path: String, seed: UInt64)], holder: String = "", disk: any Disk
  ) throws(LogError) -> [LogWriter?] {
    var isAnyUnfinished = false
    for target in targets where try isUnfinished(target.path, disk) { isAnyUnfinished = true }
    var completed: [Bool] = []
    for target in targets {
      completed.append(try isComplete(target.path, target.seed, isAnyUnfinished, disk))
    }
    var writers: [LogWriter?] = []
    for (target, isComplete) in zip(targets, completed) {
      var options = LogOptions(seed: target.seed, holder: holder)
      options.isFilling = true
      writers.append(isComplete ? nil : try LogWriter(target.path, options: options, disk: disk))
    }
    return writers
  }

  /// Whether a log is one of those that were finished, where others were not; if it has events for another reason,
  /// it is refused.
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

  /// Says of logs that they are finished. All of them must be committed.
  ///
  /// - Throws: ``LogError`` when the files that say otherwise cannot be removed.
  static func finish(_ writers: [LogWriter]) throws(LogError) {
    for writer in writers { try writer.finishFilling() }
  }

  // MARK: For the writer

  /// Begins a log anew: removes what an unfinished filling left, and says that it is not finished.
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

  private static func isOfLog(_ name: String) -> Bool {
    SegmentHeader.basePosition(fileName: name) != nil || LogHead.names.contains(name)
      || name == SegmentList.name
  }

  /// Refuses a log that is not finished: whoever appended to it would lose that when it begins anew.
  static func requireFinished(_ path: String, _ disk: any Disk) throws(LogError) {
    guard try isUnfinished(path, disk) else { return }
    throw LogError(
      .damaged,
      "what fills this log has not ended: it holds only a part of the events; run the same command again, or "
        + "remove the folder", path: path)
  }

  static func finish(_ path: String, _ disk: any Disk) throws(LogError) {
    guard try isUnfinished(path, disk) else { return }
    try disk.remove(path + "/" + name)
    try disk.syncFolder(path)
  }
}
