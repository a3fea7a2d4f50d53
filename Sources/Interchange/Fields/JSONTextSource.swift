/// The JSON objects of an input that has them in one list, or over several lines, or in lists that are the first member
/// of an object, whose other members are left out.
///
/// An object that is not valid JSON but whose brackets match is rejected, and reading continues after it.
struct JSONTextSource<Reader: FieldReader>: RecordSource {
  private static var longest: Int { 64 << 20 }

  private var source: ByteSource
  private var reader: JSONTextReader<Reader>
  private var line = 1
  private var isInList = false
  /// Whether the list is a member of an object, which may be followed by others.
  private var isInObject = false
  private var hasEnded = false
  /// Whether a piece of the input is read in place of it.
  private var isPiece = false
  /// Whether it stands at a record.
  private var isAtRecord = false

  init(_ source: ByteSource, _ reader: Reader) {
    self.source = source
    self.reader = JSONTextReader(reader)
  }

  var name: String { source.name }

  var absentFields: [String] { reader.absentFields }

  var progress: SourceProgress { SourceProgress(source) }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    guard try begin() else { return .end }
    let (range, newlines) = try text()
    defer {
      source.consume(range.count)
      line += newlines
    }
    return reader.read(source, range, line: line, into: &record)
  }

  /// Returns the range of the record at which the input stands, and the number of its lines but one.
  private mutating func text() throws(ImportError) -> (range: Range<Int>, newlines: Int) {
    var scan = JSONTextScan()
    var count = scan.run(source.bytes, source.window)
    while count == nil {
      guard scan.position <= Self.longest else { throw unfinished("is longer than 64 MiB") }
      guard try source.extend() else {
        // It ended before a bracket that is not in the piece.
        if isPiece { return (source.window, scan.newlines) }
        throw unfinished("is not closed")
      }
      count = scan.run(source.bytes, source.window)
    }
    return (source.window.prefix(count ?? 0), scan.newlines)
  }

  /// Consumes what is between two records, and returns whether there is another one.
  private mutating func begin() throws(ImportError) -> Bool {
    while true {
      guard let byte = source.window.first.map({ source.bytes[$0] }) else {
        guard try source.extend() else {
          if isInList || isInObject, !hasEnded, !isPiece { throw unfinished("is not closed", what: "list") }
          return false
        }
        continue
      }
      switch byte {
      case 0x0A: line += 1
      case 0x09, 0x0D, 0x20, UInt8(ascii: ","): break
      case _ where isPiece: return true
      case UInt8(ascii: "[") where !isInList: isInList = true
      case UInt8(ascii: "]") where isInObject:
        try endObject()
        continue
      case UInt8(ascii: "{") where !isInList && !reader.listNames.isEmpty:
        guard try beginObject() else { return true }
        continue
      case UInt8(ascii: "]") where isInList && !hasEnded: hasEnded = true
      default:
        guard !hasEnded else { throw unfinished("is followed by something else", what: "list") }
        return true
      }
      source.consume(1)
    }
  }

  /// Consumes the beginning of an object with a list of records; returns false if the object is a record.
  private mutating func beginObject() throws(ImportError) -> Bool {
    guard !isInObject else { return false }
    var list = RecordList(source.bytes, source.window, reader.listNames)
    while list.isOpen, source.window.count <= 1 << 16, try source.extend() {
      list = RecordList(source.bytes, source.window, reader.listNames)
    }
    guard let length = list.length else { return false }
    consume(length)
    isInObject = true
    return true
  }

  /// Consumes the end of the list of an object, and the rest of the object.
  private mutating func endObject() throws(ImportError) {
    source.consume(1)
    var scan = JSONTextScan(depth: 1)
    var count = scan.run(source.bytes, source.window)
    while count == nil {
      guard scan.position <= Self.longest, try source.extend() else {
        throw unfinished("is not closed")
      }
      count = scan.run(source.bytes, source.window)
    }
    consume(count ?? 0)
    isInObject = false
  }

  private mutating func consume(_ count: Int) {
    let start = source.window.lowerBound
    line += source.bytes[start..<start + count].count { $0 == 0x0A }
    source.consume(count)
  }

  private func unfinished(_ problem: String, what: String = "object") -> ImportError {
    let position = "line \(line) (byte \(source.offset))"
    let place = what == "list" ? "at \(position) the list" : "the \(what) that begins on \(position)"
    return ImportError(
      .badData, "\(source.name): \(place) \(problem); check that the file is complete")
  }
}

extension JSONTextSource: PieceSource where Reader: MemorylessReader {
  var times: InputTimes {
    get { reader.times }
    set { reader.times = newValue }
  }

  mutating func begin(_ piece: InputPiece) {
    source = source.piece(piece.bytes, at: piece.offset)
    line = piece.linesBefore + 1
    isPiece = true
  }

  mutating func cut(to piece: inout InputPiece, size: Int) throws(ImportError) {
    while piece.bytes.count < size {
      if !isAtRecord { guard try begin() else { return } }
      isAtRecord = false
      let (range, newlines) = try text()
      piece.append(source, range, linesBefore: line - 1)
      source.consume(range.count)
      line += newlines
      try cutSeparators(to: &piece)
      // A piece ends where anything but a record follows, such as the end of a list.
      let offset = source.offset
      isAtRecord = try begin()
      guard isAtRecord, source.offset == offset else { return }
    }
  }

  private mutating func cutSeparators(to piece: inout InputPiece) throws(ImportError) {
    while true {
      let separators = source.bytes[source.window].prefix { [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ",")].contains($0) }
      piece.append(source, separators.startIndex..<separators.endIndex, linesBefore: line - 1)
      consume(separators.count)
      guard source.window.isEmpty, try source.extend() else { return }
    }
  }
}

/// Converts the texts of an input, each of which is one record.
struct JSONTextReader<Reader: FieldReader> {
  private var reader: Reader
  private var fields = FieldTree()

  init(_ reader: Reader) { self.reader = reader }

  var listNames: [String] { reader.listNames }

  var absentFields: [String] { reader.absentFields }

  var times: InputTimes {
    get { fields.times }
    set { fields.times = newValue }
  }

  /// Reads the text in a range of the window, which begins with it.
  mutating func read(
    _ source: ByteSource, _ range: Range<Int>, line: Int, into record: inout ImportedRecord
  ) -> RecordStep {
    record.begin(line: line, byteOffset: source.offset)
    do throws(Rejection) {
      // The second reference is gone before `source` reads on, so the buffer is never copied.
      let bytes = source.bytes
      try fields.fill(record: bytes.span.extracting(range))
      try reader.read(&fields, into: &record)
      try record.validate()
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      return .rejected(
        RejectedRecord(
          error, line: line, byteOffset: source.offset + Int64(error.offset),
          bytes: Array(source.bytes[range])))
    }
  }
}
