public import Events

/// Reads the records of one input and turns them into events.
///
/// ``LineSource`` and ``CSVSource`` are sources for formats with a record on each line or in each row; a format whose
/// records span several lines has one of its own.
///
/// A copy shares the input with the original: continue with one of them only.
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

  /// Makes the progress of a reader, from the bytes that it has not consumed yet.
  public init(_ source: ByteSource, blankLines: Int64 = 0) {
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

  /// Adds an event.
  ///
  /// An importer for large inputs fills the buffers of ``add(_:at:)`` instead.
  ///
  /// - Throws: ``Rejection`` `event` for an event that is not valid, such as one without a unit.
  public mutating func append(_ event: Event) throws(Rejection) {
    let index = add(.decision, at: event.time)
    do throws(EventProblem) {
      try events[index].load(event)
    } catch {
      throw Rejection(.event, error.description)
    }
  }

  /// Adds an empty event and returns its index in ``events``.
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
