public import Events

/// The values of an attribute in a batch: a small number for each row, and the values that the numbers stand for. To
/// group by value, look up each value once and then use only the numbers.
///
/// The numbers are valid for one batch only, because each batch numbers its values anew.
public struct AttributeColumn: Sendable {
  /// For each row 0 if the event does not have the attribute, else the number of its value: 1 for the first distinct
  /// value of the batch, 2 for the next new one, and so on.
  public internal(set) var codes: [UInt32] = []
  private var types: [ValueType] = []
  private var bits: [UInt64] = []
  /// One entry for each value; empty for values that are not texts.
  private var texts = TextList()

  init() {}

  /// The number of values. Two texts with the same bytes may both be present if only one of them has a code in the
  /// log; other values are deduplicated by their bits: 0 and -0 are two values.
  public var valueCount: Int { types.count }

  /// Returns the value for a number of ``codes``; nil for 0 and for an unused number.
  ///
  /// - Complexity: O(length) for a text.
  public func value(_ code: UInt32) -> AttributeValue? {
    guard let index = index(code) else { return nil }
    switch types[index] {
    case .number: return .number(Double(bitPattern: bits[index]))
    case .integer: return .integer(Int64(bitPattern: bits[index]))
    case .flag: return .flag(bits[index] != 0)
    case .text: return .text(String(decoding: texts[index], as: UTF8.self))
    }
  }

  /// All values in the order of their numbers, starting with number 1.
  ///
  /// - Complexity: O(number and length of the values); creates a new array.
  public var values: [AttributeValue] {
    (0..<types.count).compactMap { value(UInt32(truncatingIfNeeded: $0 + 1)) }
  }

  /// Returns the UTF-8 bytes of a text; nil for a value that is not a text.
  public func text(_ code: UInt32) -> ArraySlice<UInt8>? {
    guard let index = index(code), types[index] == .text else { return nil }
    return texts[index]
  }

  /// Returns the code of a text in the log's vocabulary of values, which is the same in every batch; nil for a value
  /// that is not a text, and for a text without a code, because it is long or came after many others.
  public func logCode(_ code: UInt32) -> UInt32? {
    guard let index = index(code), types[index] == .text,
      bits[index] > UInt64(Vocabulary.literalCode)
    else { return nil }
    return UInt32(truncatingIfNeeded: bits[index])
  }

  private func index(_ code: UInt32) -> Int? {
    code > 0 && code <= types.count ? Int(code) - 1 : nil
  }

  // MARK: Filling

  /// Removes all values.
  mutating func removeValues() {
    types.removeAll(keepingCapacity: true)
    bits.removeAll(keepingCapacity: true)
    texts.removeAll()
  }

  /// Appends a value that is not present yet; the bits of a text are its code in the log.
  ///
  /// - Returns: The number of the value.
  mutating func append(_ type: ValueType, _ bits: UInt64, text: ArraySlice<UInt8> = []) -> UInt32 {
    types.append(type)
    self.bits.append(bits)
    texts.append(text.span)
    return UInt32(truncatingIfNeeded: types.count)
  }
}
