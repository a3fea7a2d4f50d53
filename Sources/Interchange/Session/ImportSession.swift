public import Events
import Threads

/// The destination of an import.
public protocol RecordAppender {
  /// Appends an event.
  func append(_ record: EventRecord) throws

  /// Appends the records at some indices, in that order. Unless it is implemented, each is appended by itself.
  func append(_ records: [EventRecord], at indices: [Int]) throws

  /// Returns once all appended events are durable.
  func commit() throws
}

extension RecordAppender {
  /// Appends one event after the other.
  public func append(_ records: [EventRecord], at indices: [Int]) throws {
    for index in indices { try append(records[index]) }
  }
}

/// Takes events and stores none.
private struct NoAppender: RecordAppender {
  func append(_ record: EventRecord) {}
  func append(_ records: [EventRecord], at indices: [Int]) {}
  func commit() {}
}

extension EventKind {
  fileprivate var bit: UInt32 { rawValue < 32 ? 1 << UInt32(rawValue) : 0 }
}

/// Imports records from sources into a log: deduplicates events, and stops at invalid records or skips them.
///
/// However an input ends, all events before that are committed, and the import can be repeated safely.
public final class ImportSession {
  /// How invalid records are handled.
  public enum ErrorPolicy: String, CaseIterable, Sendable {
    /// Commit the events before it and throw.
    case stop
    /// Count it, write it to the rejects, and continue.
    case skip
  }

  /// The progress of an import.
  public struct Progress: Hashable, Sendable {
    /// The name of the current input in messages.
    public var name: String
    /// The progress in the current input.
    public var source: SourceProgress
    /// The number of records read, over all inputs.
    public var recordsRead: Int64
  }

  /// A summary of the work so far, also after a failure.
  public private(set) var summary = ImportSummary()

  private var check = QualityCheck()
  private let filter: DuplicateFilter
  private let onError: ErrorPolicy
  private let rejects: RejectsWriter?
  private let keepsPlaceholders: Bool
  private let readsAhead: Bool
  /// Whether events are appended to a log, and not only counted.
  private var stores = true
  private let progress: ((Progress) -> Void)?
  /// The indices of the events of a batch that are appended.
  private var kept: [Int] = []

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - filter: The filter that knows the events of the log.
  ///   - onError: How invalid records are handled.
  ///   - rejects: The writer of skipped records.
  ///   - keepsPlaceholders: Whether records whose unit is a text that stands for a missing one, such as `NULL`, are
  ///     kept. Otherwise they are rejected and counted, also under `stop`.
  ///   - readsAhead: Whether a thread of its own reads and converts the records, while the caller's appends those
  ///     before. The outcome is the same.
  ///   - progress: Called after each block of an input, about once per mebibyte, and at its end.
  public init(
    filter: DuplicateFilter, onError: ErrorPolicy = .stop, rejects: RejectsWriter? = nil,
    keepsPlaceholders: Bool = false, readsAhead: Bool = true, progress: ((Progress) -> Void)? = nil
  ) {
    self.filter = filter
    self.onError = onError
    self.rejects = rejects
    self.keepsPlaceholders = keepsPlaceholders
    self.readsAhead = readsAhead
    self.progress = progress
  }

  /// Imports one input to its end.
  ///
  /// - Parameters:
  ///   - source: The records.
  ///   - appender: The log.
  /// - Throws: ``ImportError``: `rejectedRecord` at the first invalid record under `stop`, otherwise a failure of the
  ///   input; everything before it is committed. Errors of `appender` and of the output of the rejects are passed on;
  ///   the source may then have been read further.
  public func run(_ source: inout some RecordSource, into appender: some RecordAppender) throws {
    _ = try run(&source, after: nil, into: appender)
  }

  /// Imports one input to its end, or what it has behind a beginning that was imported before, whose records are
  /// counted as duplicates.
  ///
  /// - Returns: Whether the beginning was not read.
  package func run(
    _ source: inout some RecordSource, after beginning: ImportHistory.Beginning?,
    into appender: some RecordAppender
  ) throws -> Bool {
    var beginning = beginning
    if let known = beginning, try !source.skip(to: known.byteCount, lineCount: known.lineCount) {
      beginning = nil
    }
    try filter.beginInput(continues: beginning?.rest == .only)
    (summary.kinds, summary.kindsAppended, summary.lacksIDs) = (beginning?.file.kinds ?? 0, 0, false)
    if let beginning { summary.addRecords(of: beginning.file) }
    let recordsBefore = summary.recordsRead
    check.beginInput(source.name, source.recordNoun)
    var last = source.progress
    defer {
      count(last)
      summary.quality = check.quality
    }
    do {
      try drain(source, into: appender, &last)
    } catch let error as ImportError where error.code != .cannotWrite {
      try appender.commit()
      throw ImportError(error.code, error.description + (stores ? remedy(for: error.code) : ""))
    } catch {
      // If the log itself failed, it fails again; the original error is the one to report.
      try? appender.commit()
      throw error
    }
    if summary.recordsRead > recordsBefore { summary.meet(absent: source.absentFields) }
    try appender.commit()
    return beginning != nil
  }

  /// Counts a file as imported of which every event is known to be in the log.
  package func skip(_ file: ImportHistory.File) { summary.add(file) }

  /// Returns the events that the inputs would add, without adding any or remembering them.
  ///
  /// - Throws: Errors of the input.
  package static func preview(
    _ source: inout some RecordSource, _ filter: DuplicateFilter
  ) throws -> ImportSummary {
    let session = ImportSession(filter: filter, onError: .skip)
    session.stores = false
    try filter.trial { try session.run(&source, into: NoAppender()) }
    return session.summary
  }

  /// Returns what was counted since an earlier state of the summary.
  package func counts(since start: ImportSummary) -> ImportHistory.Counts {
    summary.counts(since: start)
  }

  /// Begins to read the batches of a source.
  private func batches(_ source: some RecordSource) -> any BatchQueue {
    if readsAhead, let source = source as? any PieceSource, let pieces = pieces(source) { return pieces }
    return ReadAhead(reader(source), isThreaded: readsAhead)
  }

  private func pieces(_ source: some PieceSource) -> (any BatchQueue)? { PieceReading(reader(source)) }

  private func reader<Source: RecordSource>(_ source: Source) -> RecordBatchReader<Source> {
    RecordBatchReader(
      source, filter.inspector, stopsAtRejected: onError == .stop,
      keepsPlaceholders: keepsPlaceholders)
  }

  /// Appends the batches of a source up to the one with an ending.
  private func drain(
    _ source: some RecordSource, into appender: some RecordAppender, _ last: inout SourceProgress
  ) throws {
    let batches = batches(source)
    defer { batches.cancel() }
    while true {
      let box = batches.next()
      let reported = last.fileBytes
      let ending = try box.withLock { batch throws in
        try append(batch, to: appender)
        last = batch.progress
        return batch.ending
      }
      switch ending {
      case nil: break
      case .end: return report(source.name, last)
      case .failed(let error): throw error
      case .rejected(let rejected): throw Self.stopped(source, rejected)
      }
      if last.fileBytes != reported { report(source.name, last) }
      batches.recycle(box)
    }
  }

  /// Appends the events of a batch that are not there yet, and counts what became of the others.
  private func append(_ batch: RecordBatch, to appender: some RecordAppender) throws {
    kept.removeAll(keepingCapacity: true)
    let differing = try filter.keepNew(of: batch.facts, in: &kept, &check)
    if !kept.isEmpty { try appender.append(batch.events, at: kept) }
    summary.eventsAppended += Int64(kept.count)
    summary.alreadyThere += Int64(batch.count - kept.count - differing.refused)
    summary.differingKept += Int64(differing.kept)
    summary.refused += Int64(differing.refused)
    for event in batch.facts {
      summary.kinds |= event.kind.bit
      if !event.flags.contains(.hasID) { summary.lacksIDs = true }
    }
    for index in kept { summary.kindsAppended |= batch.facts[index].kind.bit }
    summary.recordsRead += batch.recordCount
    for kind in batch.ignored { summary.ignore(kind) }
    for rejected in batch.rejected {
      summary.reject(rejected)
      if onError == .skip || rejected.category.isExpected {
        try rejects?.write(rejected, header: batch.header)
      }
    }
  }

  private func report(_ name: String, _ source: SourceProgress) {
    progress?(Progress(name: name, source: source, recordsRead: summary.recordsRead))
  }

  private func count(_ progress: SourceProgress) {
    summary.blankLines += progress.blankLines
    summary.fileBytes += progress.fileBytes
    summary.textBytes += progress.textBytes
  }

  private static func stopped(
    _ source: some RecordSource, _ rejected: RejectedRecord
  ) -> ImportError {
    let place = source.noun == "line" ? " (byte \(rejected.byteOffset))" : ""
    return ImportError(
      .rejectedRecord,
      "\(source.name): \(source.noun) \(rejected.line)\(place): \(rejected.reason)")
  }

  private func remedy(for code: ImportError.Code) -> String {
    let isStored = summary.eventCount > 0
    let stored = isStored ? "everything before it is stored" : "nothing was stored"
    switch code {
    case .rejectedRecord:
      return "; \(stored): fix the line and import the file again, or skip invalid lines with --on-error skip"
        + (isStored ? " (what is stored is not stored twice)" : "")
    default: return "; \(stored)" + (isStored ? " and will not be stored twice" : "")
    }
  }
}
