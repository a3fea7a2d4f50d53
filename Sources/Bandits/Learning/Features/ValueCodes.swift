internal import Statistics

/// Codes of texts, from 1 in the order of first occurrence.
struct ValueCodes: Sendable {
  private var codes: [NameKey: Int32] = [:]
  private(set) var texts: [String] = []

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
