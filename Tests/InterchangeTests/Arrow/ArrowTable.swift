import Arrow

/// A small table as an Arrow stream.
struct ArrowTable {
  private var fields: [ArrowField] = []
  private var columns: [ArrowArray] = []
  private let count: Int

  /// Creates a table of so many rows.
  init(_ count: Int) { self.count = count }

  /// Returns the table with a column added.
  func adding(_ field: ArrowField, _ column: ArrowArray) -> ArrowTable {
    var table = self
    table.fields.append(field)
    table.columns.append(column)
    return table
  }

  /// Returns the table with a column of texts, of which nil is null.
  func adding(_ name: String, _ texts: String?...) -> ArrowTable {
    adding(ArrowField(name, .utf8), Self.array(texts))
  }

  /// Returns the table with a column of numbers.
  func adding(_ name: String, _ numbers: Double...) -> ArrowTable {
    adding(ArrowField(name, .float64), ArrowArray(numbers))
  }

  /// Returns a column of texts, of which nil is null.
  static func array(_ texts: [String?]) -> ArrowArray {
    var ends: [Int32] = [0]
    var bytes: [UInt8] = []
    var valid = ArrowBitmap()
    for text in texts {
      bytes += Array((text ?? "").utf8)
      ends.append(Int32(bytes.count))
      valid.append(text != nil)
    }
    return ArrowArray(ends: ends, bytes: bytes, valid: valid)
  }

  /// The stream.
  var bytes: [UInt8] { bytes(nil) }

  /// Returns the stream with a dictionary of the number 1.
  func bytes(_ dictionary: ArrowArray?) -> [UInt8] {
    let encoder = ArrowStreamEncoder(ArrowSchema(fields))
    var bytes: [UInt8] = []
    encoder.appendSchema(to: &bytes)
    if let dictionary { encoder.appendDictionary(1, dictionary, to: &bytes) }
    encoder.appendBatch(columns, count: count, to: &bytes)
    encoder.appendEnd(to: &bytes)
    return bytes
  }
}
