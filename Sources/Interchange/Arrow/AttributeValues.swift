internal import Arrow
internal import EventLog
internal import Events

/// The values of an attribute in a frame, by their numbers, as a column of a stream.
struct AttributeValues {
  private let type: ArrowAttribute.ValueType
  private let codes: [UInt32]
  /// The values that are numbers; nil for the others, and for the number 0, which stands for no value.
  private(set) var numbers: [Double?] = []
  private var flags: [Bool?] = []
  private var texts: [ArraySlice<UInt8>?] = []

  /// Creates the values of a column.
  ///
  /// - Parameters:
  ///   - column: The attribute.
  ///   - type: The type of the stream's column.
  ///   - only: Whether only texts are texts, and others have no value; otherwise these are shown as texts.
  init(_ column: AttributeColumn, as type: ArrowAttribute.ValueType, only: Bool = false) {
    self.type = type
    codes = column.codes
    for code in 0...UInt32(column.valueCount) {
      switch type {
      case .number: numbers.append(Self.number(column.value(code)))
      case .flag:
        if case .flag(let flag)? = column.value(code) {
          flags.append(flag)
        } else {
          flags.append(nil)
        }
      case .text: texts.append(column.text(code) ?? (only ? nil : Self.text(column.value(code))))
      }
    }
  }

  private static func number(_ value: AttributeValue?) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  private static func text(_ value: AttributeValue?) -> ArraySlice<UInt8>? {
    let record = EventRecord()
    var text: [UInt8] = []
    switch value {
    case .number(let number): JSONBytes.append(.number(number), record, to: &text)
    case .integer(let integer): JSONBytes.append(.integer(integer), record, to: &text)
    case .flag(let flag): JSONBytes.append(.flag(flag), record, to: &text)
    case .text, nil: return nil
    }
    return text[...]
  }

  /// Returns the values of some rows.
  func column(_ rows: [Int32]) -> ArrowArray {
    let codes = codes
    switch type {
    case .number:
      let numbers = numbers
      let valid = ArrowBitmap(count: rows.count) { numbers[Int(codes[Int(rows[$0])])] != nil }
      return ArrowArray(count: rows.count, valid: valid) {
        numbers[Int(codes[Int(rows[$0])])] ?? 0
      }
    case .flag:
      let flags = flags
      let valid = ArrowBitmap(count: rows.count) { flags[Int(codes[Int(rows[$0])])] != nil }
      return ArrowArray(
        ArrowBitmap(count: rows.count) { flags[Int(codes[Int(rows[$0])])] == true }, valid: valid)
    case .text:
      var builder = TextBuilder()
      for row in rows {
        let code = codes[Int(row)]
        if code == 0 { builder.append(nil) } else { builder.append(texts[Int(code)]) }
      }
      return builder.take()
    }
  }
}
