/// Splits a log into shards by unit: every event of a unit goes to the same shard, in the order of the log.
///
/// The shard of a unit is that of ``UnitShard``: the same in every log, on every machine. Life-cycle events that
/// concern everyone (their unit is empty) go to every shard. The positions of erased and lost events, which have no
/// unit any more, go to the first, so that reports of all shards count them as reports of the log do.
public struct LogSplit: Hashable, Sendable {
  /// The number of shards.
  public let shardCount: Int

  /// The valid numbers of shards.
  public static let shardCounts = UnitShard.counts

  /// The size in memory of the rows that wait for their frame, in bytes. More shards have smaller frames, which are
  /// merged at the end.
  static let memoryLimit = 256 << 20

  /// Creates a split into a number of shards, clamped to ``shardCounts``.
  public init(shardCount: Int) {
    self.shardCount = min(
      max(shardCount, Self.shardCounts.lowerBound), Self.shardCounts.upperBound)
  }

  /// Returns the shard, counted from 0, of a unit with a name.
  ///
  /// - Complexity: O(length of the name).
  public func shard(of unit: ArraySlice<UInt8>) -> Int {
    UnitShard.index(of: unit, among: shardCount)
  }

  /// Returns a seed for the log of a shard, so that the same log gives the same bytes: derived from its id, its number
  /// of events, and the shard.
  public func seed(of shard: Int, of log: LogReader) -> UInt64 {
    let text = "split \(log.id?.description ?? "") \(log.eventCount) \(shard)/\(shardCount)"
    return StableHash.of(Array(text.utf8)[...])
  }

  /// Writes each event of a log to the new log of its shard, in a single operation: see ``LogFilling``. All are
  /// complete and durable before the first of them is marked as finished. The same log gives the same bytes.
  ///
  /// - Parameters:
  ///   - log: The log to split.
  ///   - paths: The folders of the new logs, one for each shard.
  ///   - holder: A description of the holder of the locks, shown to other writers.
  ///   - progress: Called every few thousand events with the number processed.
  /// - Returns: The number of events of each new log; nil for one that was complete already, because the same call was
  ///   interrupted at its end.
  /// - Throws: ``LogError`` if there are events in a log already, or one cannot be read or written, and errors of
  ///   `progress`.
  /// - Precondition: There are ``shardCount`` paths.
  /// - Complexity: O(number of events); memory for at most 256 MiB of rows, six bytes for each unit of the log, and its
  ///   other names, once for the log and once for each shard that has them.
  public func write(
    _ log: LogReader, to paths: [String], holder: String = "",
    progress: (UInt64) throws -> Void = { _ in }
  ) throws -> [UInt64?] {
    try write(log, to: paths, options: LogOptions(holder: holder), progress: progress)
  }

  func write(
    _ log: LogReader, to paths: [String], options: LogOptions, disk: any Disk = SystemDisk(),
    memoryLimit: Int = memoryLimit, progress: (UInt64) throws -> Void = { _ in }
  ) throws -> [UInt64?] {
    precondition(paths.count == shardCount, "there must be a path for each shard")
    var files = try begin(log, paths, options, disk)
    if var split = try ColumnSplit(log, files, memoryLimit: memoryLimit) {
      files = try split.run(progress: progress)
    } else {
      var split = RecordSplit(log, files, memoryLimit: memoryLimit)
      files = try split.run(progress: progress)
    }
    for shard in files.indices { try files[shard]?.complete() }
    for file in files { try file?.finish() }
    return files.map { $0?.position }
  }

  /// Begins the logs that are not complete.
  private func begin(
    _ log: LogReader, _ paths: [String], _ options: LogOptions, _ disk: any Disk
  ) throws(LogError) -> [ShardFile?] {
    let targets = paths.enumerated().map { (path: $1, seed: seed(of: $0, of: log)) }
    let completed = try LogFilling.completed(targets, disk)
    let deflater = Deflater()
    var files: [ShardFile?] = []
    for (index, target) in targets.enumerated() {
      var own = options
      own.seed = target.seed
      files.append(
        completed[index]
          ? nil
          : try ShardFile(
            target.path, options: own, index: index, of: shardCount, deflater,
            disk: disk))
    }
    for folder in Set(paths.map(LogWriterState.parent)).sorted() { try disk.syncFolder(folder) }
    return files
  }
}
