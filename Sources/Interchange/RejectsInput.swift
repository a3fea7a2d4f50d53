/// The records of a file of rejects, as ``RejectsWriter`` writes it, in the form of the file that they came from.
final class RejectsInput: ByteInput {
  private var rows: CSVReader
  private var rest: [UInt8] = []
  private var restStart = 0
  /// The number of bytes of all texts read so far, with a line feed after each.
  private var textBytes: Int64 = 0
  /// The ends of the texts that were read and are still to be taken.
  private var ends: ArraySlice<Int64> = []
  private var rowCount = 0
  /// The fault of a row, also for whoever reads on behind it.
  private var failure: ImportError?

  /// Whether the first row is the header of a table.
  private(set) var isTable = false

  /// Returns an input whose content is in a file of rejects in place of that file; nil for any other file.
  ///
  /// - Throws: ``ImportError`` if the file cannot be read.
  static func unwrapped(_ source: inout ByteSource) throws(ImportError) -> ByteSource? {
    guard try FirstLine.read(&source) == Array(RejectsWriter.heading.utf8) else { return nil }
    return try ByteSource(RejectsInput(source))
  }

  private init(_ source: ByteSource) throws(ImportError) {
    rows = CSVReader(source)
    _ = try rows.next()
  }

  var name: String { rows.source.name }

  var totalBytes: Int64? { rows.source.input.totalBytes }

  var consumedBytes: Int64 { rows.source.input.consumedBytes }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    while restStart == rest.count {
      restStart = 0
      rest.removeAll(keepingCapacity: true)
      if let failure { throw failure }
      do throws(ImportError) {
        guard try appendRow() else { return 0 }
      } catch {
        failure = error
        throw error
      }
    }
    let count = min(buffer.count, rest.count - restStart)
    // Safety: no more bytes are copied than the buffer has.
    unsafe buffer.copyBytes(from: rest[restStart..<restStart + count])
    restStart += count
    return count
  }

  /// Returns the offset behind the text that begins at an offset and its line feed; nil if it was not read yet.
  func end(ofTextAt offset: Int64) -> Int64? {
    while let end = ends.first, end <= offset { ends = ends.dropFirst() }
    return ends.first
  }

  /// Appends the text of the next row; false at the end.
  private func appendRow() throws(ImportError) -> Bool {
    switch try rows.next() {
    case .end: return false
    case .malformed(let reason, _):
      throw ImportError(
        .badData,
        "\(name): line \(rows.line): \(reason); a corrected record stays in quotes, with each quote in it written "
          + "twice")
    case .record:
      guard rows.fields.count == 4 else {
        throw ImportError(
          .badData,
          "\(name): line \(rows.line) has \(rows.fields.count) fields and not 4; put the corrected text in "
            + "quotes")
      }
      rest.append(contentsOf: rows.bytes[rows.fields[3]])
      rest.append(UInt8(ascii: "\n"))
      textBytes += Int64(rest.count)
      ends.append(textBytes)
      rowCount += 1
      if rowCount == 1 { isTable = rows.text(2) == RejectsWriter.headerReason }
      return true
    }
  }
}

/// The texts of a file of rejects that come from JSON, each of which is one record, whatever its line breaks and
/// brackets.
struct RejectedTextSource<Reader: FieldReader>: RecordSource {
  private var source: ByteSource
  private let texts: RejectsInput
  private var reader: JSONTextReader<Reader>
  private var line = 1
  private var blankLines: Int64 = 0

  /// Creates a source of the texts of an input of which nothing has been consumed.
  init(_ source: ByteSource, _ texts: RejectsInput, _ reader: Reader) {
    self.source = source
    self.texts = texts
    self.reader = JSONTextReader(reader)
  }

  var name: String { source.name }

  var absentFields: [String] { reader.absentFields }

  var progress: SourceProgress { SourceProgress(source, blankLines: blankLines) }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    while let count = try textCount() {
      let start = source.window.lowerBound
      let range = start..<start + count
      let firstLine = line
      line += source.bytes[range].count { $0 == UInt8(ascii: "\n") } + 1
      defer { source.consume(count + 1) }
      guard source.bytes[range].contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
        blankLines += 1
        continue
      }
      return reader.read(source, range, line: firstLine, into: &record)
    }
    return .end
  }

  /// Returns the number of bytes of the next text, which is then in the window; nil at the end.
  private mutating func textCount() throws(ImportError) -> Int? {
    while true {
      if let end = texts.end(ofTextAt: source.offset),
        end <= source.offset + Int64(source.window.count)
      {
        return Int(end - source.offset) - 1
      }
      guard try source.extend() else { return nil }
    }
  }
}
