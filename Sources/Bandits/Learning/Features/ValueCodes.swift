internal import Specifications

/// Codes of texts, from 1 in the order of first occurrence.
struct ValueCodes: Sendable {
  private var codes: [NameKey: Int32] = [:]
  private(set) var texts: [String] = []

  init() {}

  /// The number of texts.
  var count: Int { texts.count }

  /// Returns the code of a text; nil if it has none.
  func known(_ text: String) -> Int32? { codes[NameKey(text)] }

  /// Returns the code of a text, and gives it the next one if it has none.
  mutating func code(_ text: String) -> Int32 {
    if let code = codes[NameKey(text)] { return code }
    texts.append(text)
    codes[NameKey(text)] = Int32(texts.count)
    return Int32(texts.count)
  }

  /// Writes the texts in bytewise order.
  ///
  /// - Returns: By code, the code of the text once it is read.
  func write(to writer: inout StateWriter) -> [Int32] {
    let order = texts.indices.sorted {
      texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8)
    }
    var written = [Int32](repeating: 0, count: texts.count + 1)
    writer.write(UInt64(texts.count))
    for (place, index) in order.enumerated() {
      written[index + 1] = Int32(place + 1)
      writer.write(UInt64(texts[index].utf8.count))
      writer.write(bytes: texts[index].utf8)
    }
    return written
  }

  /// Reads texts.
  ///
  /// - Throws: `StateError` if the bytes are invalid.
  init(from reader: inout StateReader) throws(StateError) {
    let count = try reader.readCount(below: FeatureSurvey.mostValues + 2)
    while texts.count < count {
      let known = texts.count
      let bytes = try reader.readBytes(try reader.readCount())
      guard code(String(decoding: bytes, as: UTF8.self)) > known else {
        throw StateError("a value occurs twice")
      }
    }
  }

  /// Returns the text of a code.
  func text(_ code: Int32) -> String { texts[Int(code) - 1] }
}

/// Codes of pairs of codes, from 1 in the order of first occurrence; combinations of more values are pairs of a pair's
/// code and a value's.
struct PairCodes: Sendable {
  private var codes: [UInt64: Int32] = [:]
  private(set) var pairs: [(first: Int32, second: Int32)] = []

  /// The number of pairs.
  var count: Int { pairs.count }

  /// Returns the code of a pair, and gives it the next one if it has none; nil if there are too many pairs.
  mutating func code(_ first: Int32, _ second: Int32) -> Int32? {
    let key = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
    if let code = codes[key] { return code }
    guard pairs.count < FeatureSurvey.mostValues else { return nil }
    pairs.append((first, second))
    codes[key] = Int32(pairs.count)
    return Int32(pairs.count)
  }
}
