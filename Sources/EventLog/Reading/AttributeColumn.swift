public import Events

/// The values of an attribute in a batch: a small number for each row, and what the numbers stand for. Whoever
/// groups by value looks each one up once, and goes on with the numbers.
///
/// The numbers hold for one batch only, because the next one has values of its own.
public struct AttributeColumn: Sendable {
  /// For each row 0 where the event does not have the attribute, else the number of its value: 1 for the one
  /// that came first in the batch, 2 for the next new one, and so on.
  public internal(set) var codes: [UInt32] = []
  private var types: [ValueType] = []
  private var bits: [UInt64] = []
  /// As many as there are values; empty for those that are no texts.
  private var texts = TextList()

  init() {}

  /// How many values there are. Two texts with the same bytes may both be there when only one of them has a code
  /// in the log; other values stand there once, told apart by their bits: 0 and -0 are two.
  public var valueCount: Int { types.count }

  /// The value that a number of ``codes`` stands for; nil for 0 and for one that stands for nothing.
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

  /// All values in the order of their numbers: the one with number 1 is the first.
  ///
  /// - Complexity: O(number and length of the values); makes a new array.
  public var values: [AttributeValue] {
    (0..<types.count).compactMap { value(UInt32(truncatingIfNeeded: $0 + 1)) }
  }

  /// The UTF-8 bytes of a text; nil for a value that is none.
  public func text(_ code: UInt32) -> ArraySlice<UInt8>? {
    guard let index = index(code), types[index] == .text else { return nil }
    return texts[index]
  }

  /// The code of a text in the log's vocabulary of values, which is the same in every batch; nil for a value that
  /// is no text, and for a text without a code: one that is long or came after many others.
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

  /// Forgets all values.
  mutating func removeValues() {
    types.removeAll(keepingCapacity: true)
    bits.removeAll(keepingCapacity: true)
    texts.removeAll()
  }

  /// Adds a value that is not there yet; the bits of a text are its code in the log.
  ///
  /// - Returns: Its number.
  mutating func append(_ type: ValueType, _ bits: UInt64, text: ArraySlice<UInt8> = []) -> UInt32 {
    types.append(type)
    self.bits.append(bits)
    texts.append(text.span)
    return UInt32(truncatingIfNeeded: types.count)
  }
}
