@testable import Interchange

/// The rows of a CSV file.
struct CSVRows: Equatable {
  /// The fields of the sound rows.
  private(set) var rows: [[[UInt8]]] = []
  /// What is wrong with the others.
  private(set) var malformed: [String] = []

  /// Reads the rows, in portions of so many bytes.
  init(_ bytes: [UInt8], _ separator: UInt8, portion: Int) throws {
    var reader = CSVReader(
      try ByteSource(PortionedInput(bytes, portion: portion)), separator: separator)
    while true {
      switch try reader.next() {
      case .end: return
      case .malformed(let reason, let offset):
        malformed.append("line \(reader.line), byte \(offset): \(reason)")
      case .record:
        rows.append(reader.fields.map { Array(reader.bytes[$0]) })
        let isASCII = reader.bytes.allSatisfy { $0 < 0x80 }
        try ImportFuzzTarget.require(isASCII == reader.isASCII, "ASCII or not")
      }
    }
  }

  /// Splits the rows naively, byte by byte, up to the first that is malformed.
  init(splitting bytes: [UInt8], _ separator: UInt8) {
    var splitter = NaiveSplitter(bytes: bytes, separator: separator)
    while splitter.index < bytes.count {
      guard let row = splitter.row() else {
        malformed = ["byte \(splitter.index)"]
        return
      }
      if !row.isEmpty { rows.append(row) }
    }
  }
}

/// Splits CSV as RFC 4180 describes it, with LF or CRLF at the end of a row.
private struct NaiveSplitter {
  let bytes: [UInt8]
  let separator: UInt8
  var index = 0

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether the row ends here, with CRLF, LF or the input.
  private var isAtEnd: Bool {
    if byte == 0x0D { return index + 1 == bytes.count || bytes[index + 1] == 0x0A }
    return byte == nil || byte == 0x0A
  }

  /// Returns the fields of the next row, none for a blank line; nil if it is malformed.
  mutating func row() -> [[UInt8]]? {
    if isAtEnd {
      skipEnd()
      return []
    }
    var fields: [[UInt8]] = []
    while true {
      guard let field = byte == 0x22 ? quoted() : plain() else { return nil }
      fields.append(field)
      if isAtEnd { break }
      guard byte == separator else { return nil }
      index += 1
    }
    skipEnd()
    return fields
  }

  private mutating func skipEnd() {
    if byte == 0x0D { index += 1 }
    index += 1
  }

  private mutating func plain() -> [UInt8]? {
    var field: [UInt8] = []
    while !isAtEnd, let byte, byte != separator {
      if byte == 0x22 { return nil }
      field.append(byte)
      index += 1
    }
    return field
  }

  private mutating func quoted() -> [UInt8]? {
    var field: [UInt8] = []
    index += 1
    while let byte {
      index += 1
      if byte == 0x22 {
        guard self.byte == 0x22 else { return field }
        index += 1
      }
      field.append(byte)
    }
    return nil
  }
}
