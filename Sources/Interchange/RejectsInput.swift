import Statistics

/// The records of a file of rejects, as ``RejectsWriter`` writes it, in the form of the file that they came from.
final class RejectsInput: ByteInput {
  private var rows: CSVReader
  private var rest: [UInt8] = []
  private var restStart = 0

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
      guard try appendRow() else { return 0 }
    }
    let count = min(buffer.count, rest.count - restStart)
    // Safety: no more bytes are copied than the buffer has.
    unsafe buffer.copyBytes(from: rest[restStart..<restStart + count])
    restStart += count
    return count
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
      return true
    }
  }
}
