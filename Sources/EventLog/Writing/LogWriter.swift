public import Events

/// Appends events to a log. A single writer holds the log's lock from `init` until it is closed or released.
///
/// Appended events are kept in memory until a frame is full or `commit()` is called; after `commit()` every event
/// appended so far is on disk, and survives a crash and a power cut. All calls may come from any thread or task.
/// Appends take effect one after the other, also while a commit is writing to disk; all commits that wait meanwhile
/// are served together by the next sync.
///
/// If writing fails, everything after the last commit is lost, and the writer accepts no more events, because an
/// operating system that could not write does not say what is on disk. Opening the log again, after ``close()`` or
/// when the failed writer has been released, finds everything that was committed.
///
/// Ended segments with many small frames are compacted by a thread of the writer, for which nothing waits.
public final class LogWriter: EventSink {
  let commits: GroupCommit

  /// The bytes after the last complete frame when the log was opened, and where it is kept now; nil if there was
  /// nothing.
  public let recovered: RecoveredTail?

  /// Opens the log at the path for appending, and creates it if there is nothing or the folder is empty.
  ///
  /// - Throws: ``LogError`` if the lock is held, the path is not a log, or durable data is damaged.
  /// - Complexity: O(number of frames), and O(bytes of the last segment).
  public convenience init(
    _ path: String, options: LogOptions = LogOptions()
  ) throws(LogError) {
    try self.init(path, options: options, disk: SystemDisk())
  }

  package init(_ path: String, options: LogOptions, disk: any Disk) throws(LogError) {
    let (state, recovered) = try LogWriterState.open(path, options: options, disk: disk)
    commits = GroupCommit(state)
    self.recovered = recovered
  }

  deinit {
    commits.end()
  }

  /// The position of the next event.
  public var nextPosition: UInt64 { commits.look { $0.nextPosition } }

  /// The position before which every event is on disk.
  public var durablePosition: UInt64 { commits.look { $0.durablePosition } }

  /// Appends an event.
  ///
  /// - Returns: The event's position. It is durable after the next `commit()`.
  /// - Throws: ``LogError``: `badEvent` if `EventRecord.validate()` refuses the event, any other if a full frame
  ///   cannot be written.
  @discardableResult
  public func append(_ record: EventRecord) throws(LogError) -> UInt64 {
    try Self.validate(record)
    return try append(parsed: record)
  }

  /// Appends an event just filled by a parser or a reader of this package, without validating it again.
  @discardableResult
  package func append(parsed record: EventRecord) throws(LogError) -> UInt64 {
    try commits.perform { state throws(LogError) in try state.append(record) }
  }

  static func validate(_ record: EventRecord) throws(LogError) {
    do throws(EventProblem) {
      try record.validate()
    } catch {
      throw LogError(.badEvent, error.description, path: "")
    }
  }

  /// Appends all events in order, or none of them: all events are validated before the first is appended, and if
  /// writing fails nothing after the last commit remains. Only a crash may keep a part of more than 65,536 events that
  /// were not committed.
  ///
  /// - Returns: The positions of the events. They are durable after the next `commit()`.
  /// - Throws: ``LogError`` if an event lacks a field that its kind requires, or a full frame cannot be written.
  @discardableResult
  public func append(_ events: [Event]) throws -> Range<UInt64> {
    let records = try Self.records(events)
    return try commits.perform { state throws(LogError) in
      let first = state.nextPosition
      for record in records { try state.append(record) }
      return first..<state.nextPosition
    }
  }

  static func records(_ events: [Event]) throws(LogError) -> [EventRecord] {
    var records: [EventRecord] = []
    records.reserveCapacity(events.count)
    for (index, event) in events.enumerated() {
      var record = EventRecord()
      do throws(EventProblem) {
        try record.load(event)
      } catch {
        throw LogError(.badEvent, "event \(index) of the batch: \(error)", path: "")
      }
      records.append(record)
    }
    return records
  }

  // MARK: Committing

  /// Makes every event appended so far durable, blocking the thread until it is; returns at once if it is already.
  ///
  /// Threads that commit at the same time share the syncs. A commit never returns before all events up to its position
  /// are durable.
  ///
  /// - Returns: The position after the last durable event.
  /// - Throws: ``LogError`` on failure; the writer is then unusable.
  @discardableResult
  public func commit() throws(LogError) -> UInt64 {
    try commits.commit()
  }

  /// Makes every event appended so far durable, suspending the task until it is. No thread of the cooperative pool is
  /// blocked by the disk. Tasks are resumed in the order of the positions that they wait for. A task that is cancelled
  /// meanwhile still gets its result: its events are appended, and are not undone.
  ///
  /// - Returns: The position after the last durable event.
  /// - Throws: ``LogError`` on failure; the writer is then unusable.
  @discardableResult
  public func commit() async throws(LogError) -> UInt64 {
    try await commits.commit()
  }

  /// Makes every event before a position durable, blocking the thread until it is; returns at once if it is already,
  /// also when the writer has failed or is closed. An answer that rests on the events before a position waits for no
  /// more than these.
  ///
  /// - Parameter position: The position after the last event to wait for. One beyond the end of the log stands for the
  ///   end, as in `commit()`.
  /// - Returns: The position after the last durable event that is known of, at least the position that was waited for.
  /// - Throws: ``LogError`` on failure; the writer is then unusable.
  @discardableResult
  public func commit(upTo position: UInt64) throws(LogError) -> UInt64 {
    try commits.commit(upTo: position)
  }

  /// Makes every event before a position durable, suspending the task until it is, and otherwise like the call that
  /// blocks. Tasks are resumed in the order of the positions that they wait for.
  ///
  /// - Parameter position: The position after the last event to wait for. One beyond the end of the log stands for the
  ///   end, as in `commit()`.
  /// - Returns: The position after the last durable event that is known of, at least the position that was waited for.
  /// - Throws: ``LogError`` on failure; the writer is then unusable.
  @discardableResult
  public func commit(upTo position: UInt64) async throws(LogError) -> UInt64 {
    try await commits.commit(upTo: position)
  }

  // MARK: Closing

  /// Closes the log: ends the writer's threads, and releases its files and its lock, whoever still refers to the
  /// writer. When it returns, the log can be opened again, by this process or another. It does the same for a writer
  /// that has failed, and nothing the second time.
  ///
  /// It does not commit: events that are only in memory are dropped. Whoever waits for a commit gets its result if a
  /// sync is running that decides it; all other calls throw `poisoned` from then on, whose message says before which
  /// position the events are stored. The two positions can still be read.
  ///
  /// A writer that failed is replaced so:
  ///
  /// ```swift
  /// writer.close()
  /// let another = try LogWriter(path)  // finds everything that was committed
  /// ```
  ///
  /// - Complexity: Up to two syncs of the last file. A segment that is being compacted is left as it was.
  public func close() {
    commits.close()
  }

  /// Marks a log that was begun by ``LogFilling`` as finished; has no effect on others. It must be committed.
  package func finishFilling() throws(LogError) {
    try commits.perform { state throws(LogError) in
      if let failure = state.failure { throw state.poisoned(failure) }
      try state.finishFilling()
    }
  }

  /// Makes every event appended so far durable, like the asynchronous `commit()`.
  ///
  /// - Throws: ``LogError``.
  public func flush() async throws {
    try await commit()
  }

  /// Appends an event, suspending the task until it is durable.
  ///
  /// - Returns: The event's position.
  /// - Throws: ``LogError`` if it cannot be written; the writer is then unusable.
  @discardableResult
  public func appendDurably(_ record: EventRecord) async throws(LogError) -> UInt64 {
    let position = try append(record)
    try await commit()
    return position
  }
}

/// Bytes that a crash had left after the last complete frame: they were never acknowledged.
public struct RecoveredTail: Sendable, Hashable {
  /// The file that contained them.
  public var path: String
  /// The offset at which they began.
  public var offset: UInt64
  /// The number of bytes.
  public var byteCount: UInt64
  /// The file in which they are kept now.
  public var quarantined: String
}
