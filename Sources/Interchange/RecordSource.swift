public import Events

/// Where foreign records come from: something that turns the lines of one input into events.
///
/// A copy shares the input with the original: go on with one of them only.
public protocol RecordSource {
  /// How messages call the input: its path, or `standard input`.
  var name: String { get }

  /// How far the input was read.
  var progress: SourceProgress { get }

  /// Reads the next record and fills `record` with its events, which are valid ones.
  ///
  /// - Returns: What was found. After `rejected`, reading goes on behind the bad record.
  /// - Throws: ``ImportError`` when nothing more can be read.
  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep
}

/// How far an input was read.
public struct SourceProgress: Hashable, Sendable {
  /// How many bytes of the file were used up, compressed ones where it is gzip.
  public var fileBytes: Int64
  /// How many bytes the file has; nil when it is not a regular file.
  public var totalFileBytes: Int64?
  /// How many bytes of uncompressed text were used up.
  public var textBytes: Int64
  /// How many empty lines were passed over.
  public var blankLines: Int64

  /// Makes a state of progress.
  public init(
    fileBytes: Int64, totalFileBytes: Int64? = nil, textBytes: Int64, blankLines: Int64 = 0
  ) {
    self.fileBytes = fileBytes
    self.totalFileBytes = totalFileBytes
    self.textBytes = textBytes
    self.blankLines = blankLines
  }

  init(_ source: ByteSource, blankLines: Int64) {
    self.init(
      fileBytes: source.input.consumedBytes, totalFileBytes: source.input.totalBytes,
      textBytes: source.offset, blankLines: blankLines)
  }
}

/// One record of a foreign log: a place in the input, and the events it stands for.
///
/// The same value is filled again and again, so that its buffers are allocated once.
public struct ImportedRecord: Sendable {
  /// The number of the record's first line, counted from 1.
  public private(set) var line = 0
  /// The place of its first byte in the uncompressed input.
  public private(set) var byteOffset: Int64 = 0
  /// How many events the record stands for.
  public private(set) var count = 0
  /// The events: the first ``count`` of these; what follows is left from earlier records.
  public var events: [EventRecord] = []

  /// An empty record.
  public init() {}

  /// Empties the record and keeps its buffers.
  public mutating func begin(line: Int, byteOffset: Int64) {
    self.line = line
    self.byteOffset = byteOffset
    count = 0
  }

  /// Adds an empty event and answers its index in ``events``.
  public mutating func add(_ kind: EventKind, at time: Timestamp) -> Int {
    if count == events.count {
      events.append(EventRecord(kind: kind, time: time))
    } else {
      events[count].reset(kind: kind, time: time)
    }
    count += 1
    return count - 1
  }
}

/// What a source found.
public enum RecordStep: Sendable {
  /// A record with its events.
  case record
  /// A record that says nothing that can be understood.
  case rejected(RejectedRecord)
  /// The end of the input.
  case end
}

/// A record that was refused, and why.
public struct RejectedRecord: Hashable, Sendable {
  /// The number of its first line, counted from 1.
  public var line: Int
  /// The place of the byte in the uncompressed input that gave offence, or of the record's start.
  public var byteOffset: Int64
  /// The kind of reason, for counting.
  public var category: RejectionCategory
  /// The reason, with the values that gave it.
  public var reason: String
  /// The record as it was given, without its line end.
  public var bytes: [UInt8]

  /// Makes a refusal.
  public init(
    line: Int, byteOffset: Int64, category: RejectionCategory, reason: String, bytes: [UInt8]
  ) {
    self.line = line
    self.byteOffset = byteOffset
    self.category = category
    self.reason = reason
    self.bytes = bytes
  }
}

/// The kinds of reason for which records are refused: few, and the same for every input.
public enum RejectionCategory: String, CaseIterable, Comparable, Sendable {
  /// The click is neither 0 nor 1.
  case click = "bad click"
  /// The record has more or fewer fields than the header.
  case columnCount = "wrong column count"
  /// The bytes are not UTF-8.
  case encoding = "not UTF-8"
  /// The item is not one of the choices.
  case item = "bad item"
  /// The line is not a JSON object that stands for an event.
  case json = "malformed JSON"
  /// A field that must be a number is none.
  case number = "bad number"
  /// Quotes are not as CSV wants them.
  case quoting = "malformed CSV"
  /// The time cannot be read.
  case time = "bad time"

  /// Orders by the words.
  public static func < (a: RejectionCategory, b: RejectionCategory) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}
