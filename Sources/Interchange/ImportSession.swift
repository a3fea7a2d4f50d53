public import Events

/// What an import writes to.
public protocol RecordAppender {
  /// Takes an event.
  func append(_ record: EventRecord) throws

  /// Returns when everything taken so far is stored for good.
  func commit() throws
}

/// Drives records from sources into a log: leaves out what the log has already, and stops at bad
/// records or passes over them.
///
/// Whatever ends an input, every event before that is committed, and the import can be repeated
/// without harm.
public final class ImportSession {
  /// What to do with a record that cannot be understood.
  public enum ErrorPolicy: String, CaseIterable, Sendable {
    /// Commit what came before it and throw.
    case stop
    /// Count it, write it to the rejects, and go on.
    case skip
  }

  /// How far an import has come.
  public struct Progress: Hashable, Sendable {
    /// How messages call the current input.
    public var name: String
    /// How far the current input was read.
    public var source: SourceProgress
    /// How many records were read, over all inputs.
    public var recordsRead: Int64
  }

  /// What was done so far, also after a failure.
  public private(set) var summary = ImportSummary()

  private let filter: DuplicateFilter
  private let onError: ErrorPolicy
  private let rejects: RejectsWriter?
  private let progress: ((Progress) -> Void)?

  /// Makes a session.
  ///
  /// - Parameters:
  ///   - filter: Knows the events of the log.
  ///   - onError: What to do with bad records.
  ///   - rejects: Takes the bad records that are passed over.
  ///   - progress: Is called after each block of an input, about once a mebibyte, and at its end.
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
  /// - Throws: ``ImportError``: `rejectedRecord` at the first bad record under `stop`, otherwise what
  ///   is wrong with the input; everything before it is committed. What `appender` or the output of
  ///   the rejects throws, as it is.
  public func run(_ source: inout some RecordSource, into appender: some RecordAppender) throws {
    try filter.beginInput()
    defer { count(source.progress) }
    do {
      try drain(&source, into: appender)
    } catch let error as ImportError where error.code != .cannotWrite {
      try appender.commit()
      throw ImportError(error.code, error.description + Self.remedy(for: error.code))
    } catch {
      // The log itself may be what failed; then it says so again, and the cause is what must be told.
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
      case .rejected(let rejected):
        summary.recordsRead += 1
        summary.reject(rejected.category)
        guard onError == .skip else { throw Self.stopped(source.name, rejected) }
        try rejects?.write(rejected)
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
      }
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
      "; everything before it is stored: mend the line and import the file again, or pass over such "
        + "lines with --on-error skip (what is stored is not stored twice)"
    default: "; everything before it is stored and will not be stored twice"
    }
  }
}
