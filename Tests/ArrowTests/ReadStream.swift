import Arrow

/// A stream that was read from bytes: the schema and the batches.
struct ReadStream {
  var schema: ArrowSchema?
  var batches: [ArrowBatch] = []
  /// Whether the end of the stream was marked.
  var isEnded = false

  /// Reads all messages.
  init(_ bytes: [UInt8]) throws(ArrowError) {
    var decoder = ArrowStreamDecoder()
    var place = 0
    while place < bytes.count {
      let prefix = try ArrowPrefix(bytes[place..<min(place + 8, bytes.count)])
      place += 8
      guard case .metadata(let count) = prefix else {
        isEnded = true
        return
      }
      guard place + count <= bytes.count else { throw ArrowError(.malformed, "cut off") }
      let message = try ArrowMessage(metadata: bytes[place..<place + count])
      place += count
      let body = Array(bytes[place..<min(place + message.bodyCount, bytes.count)])
      place += message.bodyCount
      switch try decoder.decode(message, body: body) {
      case .schema(let schema): self.schema = schema
      case .batch(let batch): batches.append(batch)
      case .other: break
      }
    }
  }

  /// Every value of every row, as text, by column: the naive reading that others are compared with.
  var values: [[String]] {
    guard let schema else { return [] }
    return schema.fields.indices.map { index in
      batches.flatMap { batch in (0..<batch.count).map { Self.text(batch.columns[index], $0) } }
    }
  }

  /// Returns a value as text, in the way of `stream_values.py`.
  static func text(_ column: ArrowColumn, _ row: Int) -> String {
    if column.isNull(row) { return "null" }
    if let dictionary = column.dictionary {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      return text(part, place)
    }
    switch column.field.type {
    case .null, .other: return "null"
    case .boolean: return "\(column.flag(row))"
    case .integer(bits: 64, isSigned: false): return "\(UInt64(bitPattern: column.integer(row)))"
    case .integer, .date32, .date64, .time, .timestamp, .duration:
      return "\(column.integer(row))"
    case .floatingPoint: return "bits \(column.number(row).bitPattern)"
    case .decimal: return "\(column.decimal(row))"
    case .text, .textView, .binary, .binaryView, .fixedSizeBinary:
      return column.bytes(row).map { hexadecimal($0) }.joined()
    case .list, .fixedSizeList, .map:
      return "[" + column.elements(row).map { text(column.children[0], $0) }.joined(separator: ",")
        + "]"
    case .structure:
      return "{" + column.children.map { text($0, row) }.joined(separator: ",") + "}"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
