public import Events

/// The destination of an import.
public protocol RecordAppender {
  /// Appends an event.
  func append(_ record: EventRecord) throws

  /// Returns once all appended events are durable.
  func commit() throws
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
  private let progress: ((Progress) -> Void)?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - filter: The filter that knows the events of the log.
  ///   - onError: How invalid records are handled.
  ///   - rejects: The writer of skipped records.
  ///   - progress: Called after each block of an input, about once per mebibyte, and at its end.
  public init(
    filter: DuplicateFilter, onError: ErrorPolicy = .stop, rejects: RejectsWriter? = nil,
    progress: ((Progress) -> Void)? = nil
  ) {
    self.filter = filter
    self.onError = onError
    self.rejects = rejects
    self.progress = progress
  }

  /// Imports one input to its end.
  ///
  /// - Throws: ``ImportError``: `rejectedRecord` at the first invalid record under `stop`, otherwise a failure of the
  ///   input; everything before it is committed. Errors of `appender` and of the output of the rejects are passed on.
  public func run(_ source: inout some RecordSource, into appender: some RecordAppender) throws {
    try filter.beginInput()
    check.beginInput(source.name)
    defer {
      count(source.progress)
      summary.quality = check.quality
    }
    do {
      try drain(&source, into: appender)
    } catch let error as ImportError where error.code != .cannotWrite {
      try appender.commit()
      throw ImportError(error.code, error.description + Self.remedy(for: error.code))
    } catch {
      // If the log itself failed, it fails again; the original error is the one to report.
      try? appender.commit()
      throw error
    }
    try appender.commit()
  }

  private func drain(
    _ source: inout some RecordSource, into appender: some RecordAppender
  ) throws {
    // A local, because passing on an event of a class's property would copy it first.
    var record = ImportedRecord()
    var reported: Int64 = -1
    while true {
      switch try source.next(&record) {
      case .record:
        summary.recordsRead += 1
        try append(record, to: appender)
      case .ignored(let kind):
        summary.recordsRead += 1
        summary.ignore(kind)
      case .rejected(let rejected):
        summary.recordsRead += 1
        summary.reject(rejected.category)
        guard onError == .skip else { throw Self.stopped(source.name, rejected) }
        try rejects?.write(rejected, header: source.header)
      case .end:
        report(source)
        return
      }
      guard progress != nil, source.progress.fileBytes != reported else { continue }
      reported = source.progress.fileBytes
      report(source)
    }
  }

  private func append(
    _ record: borrowing ImportedRecord, to appender: some RecordAppender
  ) throws {
    for index in 0..<record.count {
      if try filter.isAlreadyThere(record.events[index]) {
        summary.alreadyThere += 1
      } else {
        try appender.append(record.events[index])
        summary.eventsAppended += 1
        try checkQuality(of: record, at: index)
      }
    }
  }

  private func checkQuality(of record: borrowing ImportedRecord, at index: Int) throws(ImportError)
  {
    check.check(
      record.events[index], isFirst: index == 0, line: record.line, received: record.received)
    switch record.events[index].kind {
    case .decision: try filter.addDecision(record.events[index])
    case .goal:
      guard record.events[index].status != .refused, !record.followsItsDecision(index),
        try !filter.hasDecision(for: record.events[index])
      else { return }
      check.addGoalBeforeDecision(line: record.line)
    default: break
    }
  }

  private func report(_ source: some RecordSource) {
    progress?(
      Progress(name: source.name, source: source.progress, recordsRead: summary.recordsRead))
  }

  private func count(_ progress: SourceProgress) {
    summary.blankLines += progress.blankLines
    summary.fileBytes += progress.fileBytes
    summary.textBytes += progress.textBytes
  }

  private static func stopped(_ name: String, _ rejected: RejectedRecord) -> ImportError {
    ImportError(
      .rejectedRecord,
      "\(name): line \(rejected.line) (byte \(rejected.byteOffset)): \(rejected.reason)")
  }

  private static func remedy(for code: ImportError.Code) -> String {
    switch code {
    case .rejectedRecord:
      "; everything before it is stored: fix the line and import the file again, or skip invalid "
        + "lines with --on-error skip (what is stored is not stored twice)"
    default: "; everything before it is stored and will not be stored twice"
    }
  }
}
