public import Events

/// Appends events to a log. One writer holds the log's lock from `init` until it is closed or gone.
///
/// Appending keeps events in memory until a frame is full or `commit()` is called; after `commit()`
/// every event appended so far is on disk, and survives a crash and a power cut. All calls may come from
/// any thread or task. Appending takes effect one call after the other, also while the disk is at work on a
/// commit; all commits that wait meanwhile are served together by the next call to the disk.
///
/// When writing fails, everything after the last commit is lost, and the writer takes no more events: an
/// operating system that could not write does not say what of it is on disk. Opening the log again finds
/// everything that was committed.
public final class LogWriter: EventSink {
  let commits: GroupCommit

  /// What was found behind the last whole frame when the log was opened, and where it is kept now; nil
  /// when nothing was.
  public let recovered: RecoveredTail?

  /// Opens the log at the path for appending, and makes it when nothing is there or the folder is empty.
  ///
  /// - Throws: ``LogError``: the lock is held, what is there is no log, or something durable is damaged.
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

  /// Position that the next event will get.
  public var nextPosition: UInt64 { commits.look { $0.nextPosition } }

  /// Every event before this position is on disk.
  public var durablePosition: UInt64 { commits.look { $0.durablePosition } }

  /// Appends an event.
  ///
  /// - Returns: The event's position. It is durable after the next `commit()`.
  /// - Throws: ``LogError``: `badEvent` when `EventRecord.validate()` refuses the event, any other when a full
  ///   frame cannot be written.
  @discardableResult
  public func append(_ record: EventRecord) throws(LogError) -> UInt64 {
    try Self.validate(record)
    return try append(parsed: record)
  }

  /// Appends an event as a parser or a reader of this package has just filled it, which need not be validated
  /// once more.
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

  /// Appends all events in order, or none of them: a bad event is found before the first is taken, and when
  /// writing fails nothing behind the last commit stays. Only a crash may keep a part of more than 65,536
  /// events that were not committed.
  ///
  /// - Returns: The positions of the events. They are durable after the next `commit()`.
  /// - Throws: ``LogError`` when an event does not say what its kind must say, or when a full frame cannot
  ///   be written.
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

  /// Makes every event appended so far durable, and blocks the thread until it is: at once when it is already.
  ///
  /// Threads that commit at the same time share the calls to the disk. What an event at some position is told
  /// is never said before all events before it are durable too.
  ///
  /// - Returns: The position after the last durable event.
  /// - Throws: ``LogError`` when it cannot; the writer is then of no more use.
  @discardableResult
  public func commit() throws(LogError) -> UInt64 {
    try commits.commit()
  }

  /// Makes every event appended so far durable, and suspends the task until it is. No thread of the tasks' pool is
  /// held up by the disk. Tasks are answered in the order of what they wait for. A task that is cancelled
  /// meanwhile still gets its answer: its events are appended, and nothing takes them back.
  ///
  /// - Returns: The position after the last durable event.
  /// - Throws: ``LogError`` when it cannot; the writer is then of no more use.
  @discardableResult
  public func commit() async throws(LogError) -> UInt64 {
    try await commits.commit()
  }

  /// Says of a log that was begun by ``LogFilling`` that it is finished; of another one nothing. It must be committed.
  package func finishFilling() throws(LogError) {
    try commits.perform { state throws(LogError) in try state.finishFilling() }
  }

  /// Makes every event appended so far durable, as the asynchronous `commit()` does.
  ///
  /// - Throws: ``LogError``.
  public func flush() async throws {
    try await commit()
  }

  /// Appends an event, and suspends the task until it is durable.
  ///
  /// - Returns: The event's position.
  /// - Throws: ``LogError`` when it cannot be written; the writer is then of no more use.
  @discardableResult
  public func appendDurably(_ record: EventRecord) async throws(LogError) -> UInt64 {
    let position = try append(record)
    try await commit()
    return position
  }
}

/// Bytes behind the last whole frame that a crash had left: they were never acknowledged.
public struct RecoveredTail: Sendable, Hashable {
  /// The file they stood in.
  public var path: String
  /// The byte at which they began.
  public var offset: UInt64
  /// How many there were.
  public var byteCount: UInt64
  /// The file in which they are kept now.
  public var quarantined: String
}
