/// A list of short texts, stored contiguously with their offsets.
public struct TextList: Hashable, Sendable {
  /// The UTF-8 bytes of all texts.
  public private(set) var bytes: [UInt8] = []
  /// The start of each text, followed by the number of bytes: one more entry than there are texts.
  public private(set) var starts: [Int] = [0]

  /// Creates an empty list.
  public init() {}

  /// The number of texts.
  public var count: Int { starts.count - 1 }

  /// Returns the text with the given index.
  public subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[starts[index]..<starts[index + 1]]
  }

  /// Returns the range in `bytes` of the text with the given index.
  func range(of index: Int) -> Range<Int> {
    starts[index]..<starts[index + 1]
  }

  mutating func append(_ text: Span<UInt8>) {
    bytes.append(text)
    starts.append(bytes.count)
  }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
    starts.append(bytes.count)
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
  }
}

/// A stream of texts.
///
///     text       base = bytes of all texts; length:u32 of the lengths, integer stream of the lengths,
///                zero padded to 8, the bytes of all texts one after the other
///     numbered   every text is a common prefix and an integer; width = digits to which the number
///                is zero-padded, 0 for no leading zeros; base = length of the prefix; the prefix,
///                zero padded to 8, integer stream of the numbers
enum TextStream {
  // MARK: Writing

  /// Appends a stream that holds the texts.
  static func write(_ texts: TextList, to output: inout [UInt8]) {
    if let numbered = NumberedTexts(texts) {
      numbered.write(to: &output)
      return
    }
    StreamHeader(
      encoding: .text, count: texts.count, base: Int64(texts.bytes.count)
    ).write(to: &output)
    var lengths: [UInt8] = []
    IntegerStream.write(
      (0..<texts.count).map { Int64(texts.starts[$0 + 1] - texts.starts[$0]) }, to: &lengths)
    output.appendLittleEndian(UInt32(lengths.count))
    output.append(contentsOf: lengths)
    output.pad(to: 8)
    output.append(contentsOf: texts.bytes)
  }

  // MARK: Reading

  /// Reads a stream of `count` texts that ends where the bytes end.
  static func read(_ bytes: ArraySlice<UInt8>, count: Int) throws(ColumnError) -> TextList {
    var reader = LittleEndianReader(bytes)
    let header = try StreamHeader.read(&reader, expecting: count)
    guard count <= largestCount(byteCount: bytes.count) else {
      throw ColumnError("\(count) texts in \(bytes.count) bytes")
    }
    switch header.encoding {
    case .text: return try readTexts(&reader, header)
    case .numbered: return try readNumbered(&reader, header)
    default: throw ColumnError("\(header.encoding.name) does not hold texts")
    }
  }

  /// Returns the maximum number of texts that a stream of the given size may declare: texts that count up, or are
  /// empty, take no bytes, so their memory must be bounded.
  static func largestCount(byteCount: Int) -> Int { max(1 << 24, byteCount) }

  private static func readTexts(
    _ reader: inout LittleEndianReader, _ header: StreamHeader
  ) throws(ColumnError) -> TextList {
    let size = Int(try reader.read(UInt32.self))
    let lengths = try IntegerStream.read(
      try reader.take(size), count: header.count, as: Int64.self)
    try reader.align(to: 8)
    var texts = TextList()
    for length in lengths {
      guard length >= 0, length <= Int64(reader.remaining) else {
        throw ColumnError("a text of \(length) bytes where \(reader.remaining) are left")
      }
      texts.append(try reader.take(Int(length)))
    }
    try reader.requireEnd()
    return texts
  }

  private static func readNumbered(
    _ reader: inout LittleEndianReader, _ header: StreamHeader
  ) throws(ColumnError) -> TextList {
    guard header.base >= 0, header.base <= Int64(reader.remaining), header.width <= 18 else {
      throw ColumnError("a common beginning of \(header.base) bytes does not fit")
    }
    let beginning = try reader.take(Int(header.base))
    try reader.align(to: 8)
    let rest = try reader.take(reader.remaining)
    guard NumberedTexts.isBounded(beginning: beginning.count, count: header.count) else {
      throw ColumnError("\(header.count) texts with a beginning of \(beginning.count) bytes")
    }
    let numbers = try IntegerStream.read(rest, count: header.count, as: Int64.self)
    var texts = TextList()
    var text: [UInt8] = []
    for number in numbers {
      guard number >= 0 else { throw ColumnError("a numbered text with a negative number") }
      text.removeAll(keepingCapacity: true)
      text.append(contentsOf: beginning)
      let digits = String(number).utf8
      for _ in 0..<max(0, Int(header.width) - digits.count) { text.append(UInt8(ascii: "0")) }
      text.append(contentsOf: digits)
      texts.append(text)
    }
    return texts
  }
}

/// Texts that consist of a common prefix and an integer: `s-1`, `s-2`, ... or `u-0001`, ...
private struct NumberedTexts {
  private let beginning: [UInt8]
  private let digits: Int
  private let numbers: [Int64]

  /// Parses the texts.
  ///
  /// - Returns: nil if the texts are not of that form, or fewer than two.
  init?(_ texts: TextList) {
    guard texts.count >= 2, Self.isBounded(beginning: texts[0].count, count: texts.count) else {
      return nil
    }
    let filled = Self.trailingDigits(texts[0])
    for digits in [0, filled] {
      guard let numbers = Self.numbers(of: texts, digits: digits) else { continue }
      self.digits = digits
      self.numbers = numbers
      beginning = Array(texts[0].dropLast(Self.digitCount(texts[0], digits: digits)))
      return
    }
    return nil
  }

  /// Returns whether the memory of the texts is bounded: numbered texts that count up take no bytes in the log.
  static func isBounded(beginning: Int, count: Int) -> Bool {
    beginning <= 256 && (beginning + 18) * count <= 1 << 28
  }

  func write(to output: inout [UInt8]) {
    StreamHeader(
      encoding: .numbered, width: UInt8(digits), count: numbers.count,
      base: Int64(beginning.count)
    ).write(to: &output)
    output.append(contentsOf: beginning)
    output.pad(to: 8)
    IntegerStream.write(numbers, to: &output)
  }

  /// Returns the number of trailing decimal digits of the text, at most 18, so that they fit 64 bits.
  private static func trailingDigits(_ text: ArraySlice<UInt8>) -> Int {
    var count = 0
    for byte in text.reversed() {
      guard byte &- UInt8(ascii: "0") < 10, count < 18 else { break }
      count += 1
    }
    return count
  }

  /// Returns the number of trailing digits of the text that form its number: the given count, or as many as possible
  /// without a leading zero.
  private static func digitCount(_ text: ArraySlice<UInt8>, digits: Int) -> Int {
    if digits > 0 { return digits }
    var count = trailingDigits(text)
    while count > 1, text[text.endIndex - count] == UInt8(ascii: "0") { count -= 1 }
    return count
  }

  /// Returns the number of every text; nil if one does not end in a number or has another prefix.
  private static func numbers(of texts: TextList, digits: Int) -> [Int64]? {
    let beginning = texts[0].dropLast(digitCount(texts[0], digits: digits))
    var numbers: [Int64] = []
    numbers.reserveCapacity(texts.count)
    for index in 0..<texts.count {
      let text = texts[index]
      let count = digitCount(text, digits: digits)
      guard count > 0, count <= trailingDigits(text), text.count - count == beginning.count,
        text.dropLast(count).elementsEqual(beginning)
      else { return nil }
      numbers.append(text.suffix(count).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) })
    }
    return numbers
  }
}
