internal import Arrow
internal import Events
internal import Specifications

/// The values of Arrow columns as texts.
enum ArrowText {
  /// Appends a value that is not null, and whose column has no dictionary, as JSON has it, a text without quotes.
  static func append(_ column: ArrowColumn, _ row: Int, to bytes: inout [UInt8]) {
    switch column.field.type {
    case .boolean: bytes.append(contentsOf: (column.flag(row) ? "true" : "false").utf8)
    case .integer(bits: 64, isSigned: false):
      bytes.append(contentsOf: "\(UInt64(bitPattern: column.integer(row)))".utf8)
    case .integer, .duration: NumberText.append(column.integer(row), to: &bytes)
    case .floatingPoint: NumberText.append(column.number(row), to: &bytes)
    case .decimal(_, let scale): append(column.decimal(row), scale: scale, to: &bytes)
    case .fixedSizeBinary where column.field.isUUID: append(uuid: column.bytes(row), to: &bytes)
    case .text, .textView, .binary, .binaryView, .fixedSizeBinary:
      bytes.append(contentsOf: column.bytes(row))
    case .date32, .date64, .timestamp:
      guard let time = time(column, row) else { break }
      time.write(to: &bytes)
      // A date has no time of the day, as in CSV.
      if case .date32 = column.field.type { bytes.removeLast("T00:00:00Z".utf8.count) }
    case .time(_, let unit): appendTime(column.integer(row), unit, to: &bytes)
    case .list, .fixedSizeList, .structure, .map: append(json: column, row, to: &bytes)
    // A row of these is null, and a batch with a column of others is refused.
    case .null, .other: break
    }
  }

  /// Whether JSON writes values of a type without quotes.
  static func isNumber(_ column: ArrowColumn, _ row: Int) -> Bool {
    switch column.field.type {
    case .integer, .duration, .decimal: true
    case .floatingPoint: column.number(row).isFinite
    default: false
    }
  }

  /// Whether a decimal has more digits than a number: it is 2^53 or more, and not whole.
  static func losesDigits(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    (JSONNumber.double(of: bytes.span.extracting(range)) ?? 0).magnitude >= 0x1p53
      && !JSONNumber.isInteger(bytes, range)
  }

  /// Returns a point in time, rounded down to microseconds; nil if it is out of range, or no such column.
  static func time(_ column: ArrowColumn, _ row: Int) -> Timestamp? {
    let value = column.integer(row)
    let factor: Int64
    switch column.field.type {
    case .date32: factor = 86_400_000_000
    case .date64: factor = 1_000
    case .timestamp(.second, _): factor = 1_000_000
    case .timestamp(.millisecond, _): factor = 1_000
    case .timestamp(.microsecond, _): factor = 1
    case .timestamp(.nanosecond, _):
      return Timestamp(microseconds: value / 1_000 - (value % 1_000 < 0 ? 1 : 0))
    default: return nil
    }
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    let time = Timestamp(microseconds: product)
    return overflow || !time.isWritable ? nil : time
  }

  private static func append(
    _ decimal: (isNegative: Bool, digits: [UInt8]), scale: Int, to bytes: inout [UInt8]
  ) {
    if decimal.isNegative { bytes.append(UInt8(ascii: "-")) }
    var digits = decimal.digits
    if scale <= 0 {
      bytes.append(contentsOf: digits)
      if scale < 0, digits != [UInt8(ascii: "0")] { bytes.append(contentsOf: "e\(-scale)".utf8) }
      return
    }
    guard scale <= 64 else {
      bytes.append(contentsOf: digits)
      return bytes.append(contentsOf: "e-\(scale)".utf8)
    }
    if digits.count <= scale {
      digits.insert(
        contentsOf: repeatElement(UInt8(ascii: "0"), count: scale + 1 - digits.count), at: 0)
    }
    bytes.append(contentsOf: digits.dropLast(scale))
    bytes.append(UInt8(ascii: "."))
    bytes.append(contentsOf: digits.suffix(scale))
  }

  /// Appends a UUID: `00010203-0405-0607-0809-0a0b0c0d0e0f`.
  private static func append(uuid: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    for (place, byte) in uuid.enumerated() {
      if [4, 6, 8, 10].contains(place) { bytes.append(UInt8(ascii: "-")) }
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }

  /// Appends a time of day: `13:05:00.25`.
  private static func appendTime(
    _ value: Int64, _ unit: ArrowTimeUnit, to bytes: inout [UInt8]
  ) {
    let perSecond: Int64 = [1, 1_000, 1_000_000, 1_000_000_000][Int(unit.rawValue)]
    guard value >= 0, value / perSecond < 86_400 else {
      return NumberText.append(value, to: &bytes)
    }
    let seconds = value / perSecond
    for (place, part) in [seconds / 3_600, seconds / 60 % 60, seconds % 60].enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ":")) }
      bytes.append(UInt8(ascii: "0") + UInt8(part / 10))
      bytes.append(UInt8(ascii: "0") + UInt8(part % 10))
    }
    guard value % perSecond != 0 else { return }
    let digits = "\(value % perSecond + perSecond)".dropFirst()
    bytes.append(contentsOf: ".\(digits)".utf8)
  }

  // MARK: JSON

  /// Returns a row as a JSON object of the columns that are not null.
  static func row(_ row: Int, of batch: ArrowBatch) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for column in batch.columns where !column.isNull(row) {
      JSONBytes.append(key: column.field.name.utf8, to: &bytes)
      append(json: column, row, to: &bytes)
      if bytes.count > 1 << 24 { break }
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Appends a value as JSON.
  static func append(json column: ArrowColumn, _ row: Int, to bytes: inout [UInt8]) {
    if column.isNull(row) { return bytes.append(contentsOf: "null".utf8) }
    if let dictionary = column.dictionary {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      return append(json: part, place, to: &bytes)
    }
    switch column.field.type {
    case .null, .other: bytes.append(contentsOf: "null".utf8)
    case .list, .fixedSizeList:
      JSONBytes.append(list: column.elements(row), to: &bytes) { element, bytes in
        append(json: column.children[0], element, to: &bytes)
      }
    case .structure:
      bytes.append(UInt8(ascii: "{"))
      for child in column.children where !child.isNull(row) {
        JSONBytes.append(key: child.field.name.utf8, to: &bytes)
        append(json: child, row, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    case .map: append(map: column, row, to: &bytes)
    case .boolean: append(column, row, to: &bytes)
    default:
      var text: [UInt8] = []
      append(column, row, to: &text)
      if isNumber(column, row) {
        bytes.append(contentsOf: text)
      } else {
        JSONBytes.append(text: String(decoding: text, as: UTF8.self).utf8, to: &bytes)
      }
    }
  }

  private static func append(map column: ArrowColumn, _ row: Int, to bytes: inout [UInt8]) {
    let entries = column.children[0].children
    bytes.append(UInt8(ascii: "{"))
    for entry in column.elements(row) {
      var key: [UInt8] = []
      append(key: entries[0], entry, to: &key)
      JSONBytes.append(key: String(decoding: key, as: UTF8.self).utf8, to: &bytes)
      append(json: entries[1], entry, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends the key of a map, or of a dictionary of keys.
  static func append(key column: ArrowColumn, _ row: Int, to bytes: inout [UInt8]) {
    guard !column.isNull(row) else { return }
    if let dictionary = column.dictionary {
      let (part, place) = dictionary.find(Int(column.integer(row)))
      return append(key: part, place, to: &bytes)
    }
    append(column, row, to: &bytes)
  }
}
