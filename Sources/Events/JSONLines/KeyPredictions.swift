/// The keys of earlier lines by their place, so that a line with the same keys in the same order is recognized by
/// comparing bytes, without looking its keys up.
///
/// The places are the nodes of a tree. The first is after the brace that begins a line; from a place, each text that
/// stood there, which consists of a comma, a key, a colon and white space, leads to the place after its value. The text
/// of a type includes its value. So two lines are at the same place only if all their keys, and their types, were the
/// same up to there, and what held for the first holds for the second: a wrong guess costs time and changes nothing.
/// An import of JSON Lines takes about a tenth less processor time with them.
struct KeyPredictions: Sendable {
  /// A key, known by the text that begins at the end of the value before it.
  struct Entry: Sendable {
    /// The first, second and third eight bytes of the text, as far as it has them, and the last eight.
    fileprivate var words: (first: UInt64, second: UInt64, third: UInt64, last: UInt64)
    /// The length of the text, in bytes.
    var count: Int
    /// The offset of the key's opening quote in the text.
    var quote: Int
    /// The field of the key; nil if it is unknown.
    var field: JSONLineField?
    /// The kind, if the key is the type.
    var kind: JSONLinesDecoder.Kind?
    /// The place after the value.
    var place: Int
    /// The next entry of the same place; -1 if there is none.
    fileprivate var sibling: Int
  }

  /// The place after the opening brace.
  static let start = 0
  /// The place after something that is not predicted.
  static let unknown = -1

  /// The maximum length of a text, in bytes.
  private static let longestText = 32
  /// The maximum number of entries; beyond it, all are forgotten.
  private static let entryLimit = 256
  /// The maximum number of entries at one place, which are tried in turn.
  private static let siblingLimit = 8

  private var entries: [Entry] = []
  /// The first entry of each place; -1 if there is none.
  private var firstEntries = [-1]

  /// Returns the index of the entry of a place whose text comes next in a line; nil if there is none.
  @inline(__always)
  func match(_ place: Int, at position: Int, _ line: Span<UInt8>) -> Int? {
    guard place >= 0 else { return nil }
    var index = firstEntries[place]
    while index >= 0 {
      if isNext(index, at: position, line) { return index }
      index = entries[index].sibling
    }
    return nil
  }

  /// The entry at an index.
  @inline(__always)
  subscript(index: Int) -> Entry { entries[index] }

  @inline(__always)
  private func isNext(_ index: Int, at position: Int, _ line: Span<UInt8>) -> Bool {
    let count = entries[index].count
    guard position &+ count <= line.count else { return false }
    guard count >= 8 else {
      return line.word(at: position, count: count) == entries[index].words.first
    }
    guard line.word(at: position) == entries[index].words.first,
      line.word(at: position &+ count &- 8) == entries[index].words.last
    else { return false }
    if count <= 16 { return true }
    guard line.word(at: position &+ 8) == entries[index].words.second else { return false }
    return count <= 24 || line.word(at: position &+ 16) == entries[index].words.third
  }

  /// Adds the text of a key at a place, unless it is too long or the place has too many.
  ///
  /// - Returns: The place after its value.
  mutating func add(
    _ text: Range<Int>, quote: Int, _ field: JSONLineField?, _ kind: JSONLinesDecoder.Kind? = nil,
    at place: Int, _ line: Span<UInt8>
  ) -> Int {
    guard place >= 0, text.count <= Self.longestText else { return Self.unknown }
    guard entries.count < Self.entryLimit else {
      self = KeyPredictions()
      return Self.unknown
    }
    var (index, siblings) = (firstEntries[place], 0)
    while index >= 0 { (index, siblings) = (entries[index].sibling, siblings + 1) }
    guard siblings < Self.siblingLimit else { return Self.unknown }
    entries.append(
      Entry(
        words: Self.words(text, line), count: text.count, quote: quote - text.lowerBound,
        field: field, kind: kind, place: firstEntries.count, sibling: firstEntries[place]))
    firstEntries[place] = entries.count - 1
    firstEntries.append(-1)
    return firstEntries.count - 1
  }

  private static func words(_ text: Range<Int>, _ line: Span<UInt8>)
    -> (first: UInt64, second: UInt64, third: UInt64, last: UInt64)
  {
    func word(_ offset: Int) -> UInt64 {
      let start = text.lowerBound + offset
      return start < text.upperBound
        ? line.word(at: start, count: min(8, text.upperBound - start)) : 0
    }
    return (word(0), word(8), word(16), word(max(0, text.count - 8)))
  }
}
