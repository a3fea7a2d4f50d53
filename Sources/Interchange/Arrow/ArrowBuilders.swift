internal import Arrow

/// Values of one width, of which some are null.
struct ValueBuilder<Value: BitwiseCopyable & AdditiveArithmetic & Sendable>: Sendable {
  private var values: [Value] = []
  private var valid = ArrowBitmap()

  mutating func append(_ value: Value?) {
    values.append(value ?? .zero)
    valid.append(value != nil)
  }

  /// Returns the column and empties the builder.
  mutating func take() -> ArrowArray {
    defer { self = Self() }
    return ArrowArray(values, valid: valid)
  }
}

/// Truth values, of which some are null.
struct FlagBuilder: Sendable {
  private var values = ArrowBitmap()
  private var valid = ArrowBitmap()

  mutating func append(_ value: Bool?) {
    values.append(value ?? false)
    valid.append(value != nil)
  }

  /// Returns the column and empties the builder.
  mutating func take() -> ArrowArray {
    defer { self = Self() }
    return ArrowArray(values, valid: valid)
  }
}

/// Texts, of which some are null.
struct TextBuilder: Sendable {
  private var ends: [Int32] = [0]
  private var bytes: [UInt8] = []
  private var valid = ArrowBitmap()

  /// The number of bytes of all texts.
  var byteCount: Int { bytes.count }

  /// Returns a column of nulls.
  static func nulls(_ count: Int) -> ArrowArray {
    ArrowArray(
      ends: [Int32](repeating: 0, count: count + 1), bytes: [],
      valid: ArrowBitmap(repeating: false, count: count))
  }

  /// Appends a text that is in the column already, at a range of its bytes.
  mutating func append(again range: Range<Int>) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: range.count))
    var span = bytes.mutableSpan
    for index in 0..<range.count { span[start + index] = span[range.lowerBound + index] }
    ends.append(Int32(truncatingIfNeeded: bytes.count))
    valid.append(true)
  }

  mutating func append(_ text: ArraySlice<UInt8>?) {
    if let text { bytes.append(contentsOf: text) }
    ends.append(Int32(truncatingIfNeeded: bytes.count))
    valid.append(text != nil)
  }

  /// Returns the column and empties the builder.
  mutating func take() -> ArrowArray {
    defer { self = Self() }
    return ArrowArray(ends: ends, bytes: bytes, valid: valid)
  }
}

/// The ends of lists, of which some are null.
struct ListBuilder: Sendable {
  private var ends: [Int32] = [0]
  private var valid = ArrowBitmap()

  /// Appends a list of so many elements, or null.
  mutating func append(_ count: Int?) {
    ends.append((ends.last ?? 0) + Int32(truncatingIfNeeded: count ?? 0))
    valid.append(count != nil)
  }

  /// Returns the column of the lists with these elements, and empties the builder.
  mutating func take(_ elements: ArrowArray) -> ArrowArray {
    defer { self = Self() }
    return ArrowArray(ends: ends, elements: elements, valid: valid)
  }
}
