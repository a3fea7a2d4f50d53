import EventLog
import Events

@testable import Interchange

/// What an input becomes: its events as JSON Lines, and what was not imported.
struct FuzzedImport: Equatable {
  /// Opens the records of an input.
  typealias Opening = (ByteSource) throws(ImportError) -> any RecordSource

  /// The events of each accepted record.
  private(set) var accepted: [[[UInt8]]] = []
  /// The kinds of the records that are no events.
  private(set) var ignored: [String] = []
  /// The rejected records.
  private(set) var rejected: [RejectedRecord] = []
  /// The header of a table.
  private(set) var header: [UInt8]?
  /// The number of blank lines.
  private(set) var blankLines: Int64 = 0
  /// What ended the import before the end of the input.
  private(set) var failure: ImportError?

  /// The number of records.
  var count: Int { accepted.count + ignored.count + rejected.count }

  /// Imports an input in portions of so many bytes.
  ///
  /// - Throws: ``ImportFuzzTarget/Failure`` if an event is not valid, or another one when it is written and read again.
  init(_ bytes: [UInt8], portion: Int, _ open: Opening) throws {
    do throws(ImportError) {
      var source = try open(ByteSource(PortionedInput(bytes, portion: portion)))
      header = source.header
      defer { blankLines = source.progress.blankLines }
      if let problem = try drain(&source, limit: bytes.count) { throw problem }
    } catch {
      failure = error
    }
    if let failure, failure.code == .interrupted {
      throw ImportFuzzTarget.Failure(description: failure.description)
    }
  }

  /// Reads all records. A finding is returned as an error `interrupted`, which no input in memory has.
  private mutating func drain(
    _ source: inout any RecordSource, limit: Int
  ) throws(ImportError) -> ImportError? {
    var record = ImportedRecord()
    var place: (line: Int, offset: Int64) = (0, -1)
    while true {
      switch try source.next(&record) {
      case .end: return nil
      case .ignored(let kind): ignored.append(kind)
      case .rejected(let record):
        guard record.line >= place.line, record.byteOffset >= 0, !record.reason.isEmpty else {
          return Self.finding("rejected at line \(record.line), byte \(record.byteOffset)")
        }
        place.line = record.line
        rejected.append(record)
      case .record:
        guard record.line >= place.line, record.byteOffset >= place.offset else {
          return Self.finding("record at line \(record.line), byte \(record.byteOffset)")
        }
        place = (record.line, record.byteOffset)
        do {
          accepted.append(try Self.lines(of: record, limit: limit))
        } catch {
          return Self.finding("line \(record.line): \(error)")
        }
      }
    }
  }

  private static func finding(_ text: String) -> ImportError { ImportError(.interrupted, text) }

  /// Returns the lines of a record's events, which must be valid, the same when they are read again, and no larger than
  /// the square of the input's length.
  private static func lines(of record: ImportedRecord, limit: Int) throws -> [[UInt8]] {
    var decoder = JSONLinesDecoder()
    var again = EventRecord()
    var lines: [[UInt8]] = []
    var size = 0
    for event in record.events.prefix(record.count) {
      try event.validate()
      size += event.bytes.count + 24 * (event.context.count + event.metadata.count)
      size += 24 * event.features.count + 8 * event.choices.count
      var line: [UInt8] = []
      JSONLinesEncoder.append(event, to: &line)
      do throws(JSONLineError) {
        try decoder.decode(line.span, into: &again)
      } catch {
        throw ImportFuzzTarget.Failure(description: "not read again: \(error)")
      }
      let same = try Event(event) == Event(again)
      try ImportFuzzTarget.require(same, "another event when it is read again")
      lines.append(line)
    }
    let most = 1 << 20 + limit * limit
    try ImportFuzzTarget.require(size <= most, "\(size) bytes of \(limit) bytes of input")
    return lines
  }
}

/// Bytes in memory, read in portions.
final class PortionedInput: ByteInput {
  let name = "input"
  let totalBytes: Int64?
  private(set) var consumedBytes: Int64 = 0
  private let bytes: [UInt8]
  private let portion: Int

  /// Creates an input that returns at most so many bytes at a time.
  init(_ bytes: [UInt8], portion: Int) {
    self.bytes = bytes
    self.portion = portion
    totalBytes = Int64(bytes.count)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let start = Int(consumedBytes)
    let count = min(buffer.count, bytes.count - start, portion)
    // Safety: no more bytes are copied than the buffer has.
    unsafe buffer.copyBytes(from: bytes[start..<start + count])
    consumedBytes += Int64(count)
    return count
  }
}
