/// The JSON objects of an input that has them in one list, or over several lines.
///
/// An object that is not valid JSON but whose brackets match is rejected, and reading continues after it.
struct JSONTextSource<Reader: FieldReader>: RecordSource {
  private static var longest: Int { 64 << 20 }

  private var source: ByteSource
  private var reader: Reader
  private var fields = FieldTree()
  private var line = 1
  private var isInList = false
  private var hasEnded = false

  init(_ source: ByteSource, _ reader: Reader) {
    self.source = source
    self.reader = reader
  }

  var name: String { source.name }

  var progress: SourceProgress { SourceProgress(source) }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    guard try begin() else { return .end }
    var scan = JSONTextScan()
    var count = scan.run(source.bytes, source.window)
    while count == nil {
      guard scan.position <= Self.longest else { throw unfinished("is longer than 64 MiB") }
      guard try source.extend() else { throw unfinished("is not closed") }
      count = scan.run(source.bytes, source.window)
    }
    let start = source.window.lowerBound
    let range = start..<start + (count ?? 0)
    record.begin(line: line, byteOffset: source.offset)
    defer {
      source.consume(range.count)
      line += scan.newlines
    }
    do throws(Rejection) {
      // The second reference is gone before `source` reads on, so the buffer is never copied.
      let bytes = source.bytes
      try fields.fill(json: bytes.span.extracting(range))
      try reader.read(&fields, into: &record)
      try record.validate()
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      return .rejected(
        RejectedRecord(
          line: line, byteOffset: source.offset + Int64(error.offset), category: error.category,
          reason: error.reason, bytes: Array(source.bytes[range])))
    }
  }

  /// Consumes what is between two records, and returns whether there is another one.
  private mutating func begin() throws(ImportError) -> Bool {
    while true {
      guard let byte = source.window.first.map({ source.bytes[$0] }) else {
        guard try source.extend() else {
          if isInList, !hasEnded { throw unfinished("is not closed", what: "list") }
          return false
        }
        continue
      }
      switch byte {
      case 0x0A: line += 1
      case 0x09, 0x0D, 0x20, UInt8(ascii: ","): break
      case UInt8(ascii: "[") where !isInList: isInList = true
      case UInt8(ascii: "]") where isInList && !hasEnded: hasEnded = true
      default:
        guard !hasEnded else { throw unfinished("is followed by something else", what: "list") }
        return true
      }
      source.consume(1)
    }
  }

  private func unfinished(_ problem: String, what: String = "object") -> ImportError {
    let place =
      what == "list"
      ? "the list" : "the \(what) that begins on line \(line) (byte \(source.offset))"
    return ImportError(
      .badData, "\(source.name): \(place) \(problem); check that the file is complete")
  }
}
