public import Events

/// What reads the records of an input, in whatever form they come.
public protocol RecordReading {
  /// The fields that are mapped and of which no record so far had a content.
  var absentFields: [String] { get }
}

extension RecordReading {
  /// None: what reads without a mapping.
  public var absentFields: [String] { [] }
}

/// A source of the records of one input, converted to events.
///
/// ``LineSource`` and ``CSVSource`` are sources for formats with one record per line or row; a format whose
/// records span several lines has one of its own.
///
/// A copy shares the input with the original: continue with one of them only.
public protocol RecordSource: RecordReading, SendableMetatype {
  /// The name of the input in messages: its path, or `standard input`.
  var name: String { get }

  /// The name of a record in messages, with its number behind: `line`.
  var noun: String { get }

  /// The progress in the input.
  var progress: SourceProgress { get }

  /// The unit in which its records are counted, in the singular: `line`, unless it has others.
  var recordNoun: String { get }

  /// The header that stands before the records, without its line end; nil if there is none.
  var header: [UInt8]? { get }

  /// Reads the next record and fills `record` with its events, which are valid.
  ///
  /// - Returns: The result. After `rejected`, reading continues after the invalid record.
  /// - Throws: ``ImportError`` if nothing more can be read.
  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep

  /// Continues behind the beginning of the file, of which no record was read, if its records are independent of it.
  ///
  /// - Parameters:
  ///   - offset: The size of the beginning in bytes, which ends with a line.
  ///   - lineCount: Its number of lines.
  /// - Returns: Whether the next record is the first one behind it; otherwise it is the first of the file.
  /// - Throws: ``ImportError``.
  mutating func skip(to offset: Int64, lineCount: Int64) throws(ImportError) -> Bool
}

extension RecordSource {
  /// `line`.
  public var noun: String { "line" }

  /// nil: records without a header.
  public var header: [UInt8]? { nil }

  /// `line`.
  public var recordNoun: String { "line" }

  /// false: it reads everything.
  public func skip(to offset: Int64, lineCount: Int64) -> Bool { false }
}

/// The progress in an input.
public struct SourceProgress: Hashable, Sendable {
  /// The number of bytes of the file consumed, compressed ones for gzip.
  public var fileBytes: Int64
  /// The size of the file in bytes; nil if it is not a regular file.
  public var totalFileBytes: Int64?
  /// The number of bytes of uncompressed text consumed.
  public var textBytes: Int64
  /// The number of blank lines skipped.
  public var blankLines: Int64

  /// Creates a state of progress.
  public init(
    fileBytes: Int64, totalFileBytes: Int64? = nil, textBytes: Int64, blankLines: Int64 = 0
  ) {
    self.fileBytes = fileBytes
    self.totalFileBytes = totalFileBytes
    self.textBytes = textBytes
    self.blankLines = blankLines
  }

  /// Creates the progress of a reader, without the bytes that it has not consumed yet.
  public init(_ source: ByteSource, blankLines: Int64 = 0) {
    self.init(
      fileBytes: source.input.consumedBytes, totalFileBytes: source.input.totalBytes,
      textBytes: source.offset, blankLines: blankLines)
  }
}

/// One record of an input: its position, and the events it contains.
///
/// The same value is reused for all records, so that its buffers are allocated once.
public struct ImportedRecord: Sendable {
  /// The number of the record's first line, counted from 1.
  public private(set) var line = 0
  /// The offset of its first byte in the uncompressed input.
  public private(set) var byteOffset: Int64 = 0
  /// The number of events.
  public private(set) var count = 0
  /// The kind of record, in the plural, if the format has records that are not events: `page views`.
  public private(set) var ignored: String?
  /// The time at which the record was received, if it has one besides the time of its events. An event later than that
  /// is counted as one of a clock that is ahead.
  public var received: Timestamp?
  /// Whether a unit that stands for a missing one, such as `NULL`, is kept as it is.
  package var keepsPlaceholders = false
  /// Whether the source promises that no two events have the same id: of two that do, the later is a second delivery of
  /// the first. Otherwise one with other content is an event of its own.
  public var hasUniqueIDs = false
  /// The events: the first ``count`` of these; the rest is left from earlier records.
  public var events = RecordEvents()
  /// The number of bytes of text of all events but the last.
  private var earlierBytes = 0

  /// Creates an empty record.
  public init() {}

  /// Empties the record and keeps its buffers.
  public mutating func begin(line: Int, byteOffset: Int64) {
    self.line = line
    self.byteOffset = byteOffset
    count = 0
    ignored = nil
    received = nil
    hasUniqueIDs = false
    earlierBytes = 0
  }

  /// Sets the number of the record's first line.
  mutating func number(as line: Int) { self.line = line }

  /// Marks the record as one that is no event, and is only counted.
  ///
  /// - Parameter kind: The kind of record, in the plural: `page views`.
  public mutating func ignore(_ kind: String) { ignored = kind }

  /// Adds an event.
  ///
  /// Importers of large inputs fill the buffers of ``add(_:at:)`` instead.
  ///
  /// - Throws: ``Rejection`` `event` if the event is invalid, for instance without a unit.
  public mutating func append(_ event: Event) throws(Rejection) {
    let index = add(.decision, at: event.time)
    do throws(EventProblem) {
      try events[index].load(event)
    } catch {
      throw Rejection(error)
    }
  }

  /// Checks the events, whose texts are known to be UTF-8 and whose names are known to be distinct.
  ///
  /// - Throws: ``Rejection`` `event`.
  mutating func validate() throws(Rejection) {
    try checkUnits()
    for index in 0..<count { try events[index].checkFields() }
  }

  /// The maximum number of bytes of text of all events of a record, each of which may have all that the record has.
  static let mostBytes = 256 << 20

  /// Checks that the events added so far fit in memory, which those of a short record may not: a long text may be
  /// repeated in each of them.
  ///
  /// - Throws: ``Rejection`` `event`.
  func requireSize() throws(Rejection) {
    guard count > 0, earlierBytes + events[count - 1].bytes.count > Self.mostBytes else { return }
    throw Rejection(
      .event, "its events take more than 256 MiB; shorten the texts that are repeated in each")
  }

  /// Adds an empty event and returns its index in ``events``.
  public mutating func add(_ kind: EventKind, at time: Timestamp) -> Int {
    let index = addUnfilled()
    events[index].reset(kind: kind, time: time)
    return index
  }

  /// Adds an event with the content of an earlier one, which must be reset, and returns its index.
  mutating func addUnfilled() -> Int {
    if count > 0 { earlierBytes += events[count - 1].bytes.count }
    if count == events.count { events.all.append(EventRecord()) }
    count += 1
    return count - 1
  }
}

extension EventRecord {
  /// Checks the fields, in place: Swift copies the record otherwise.
  fileprivate mutating func checkFields() throws(Rejection) {
    do throws(EventProblem) {
      try validateFields()
    } catch {
      throw Rejection(error)
    }
  }
}

/// The result of reading a record.
public enum RecordStep: Sendable {
  /// A record with its events.
  case record
  /// A record that is no event, with its kind in the plural.
  case ignored(String)
  /// A record that is invalid.
  case rejected(RejectedRecord)
  /// The end of the input.
  case end
}
