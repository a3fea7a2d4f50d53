/// A cache of the codes of recent short names, each in one of few slots: most names of a row also occur in a recent
/// row, and are found here with a single access instead of dependent accesses to a table, its lengths and its texts.
/// Codes never change, so entries never become stale.
struct RecentNames: Sendable {
  private struct Entry: Sendable {
    var words = NameWords.none
    var code: UInt32 = 0
  }

  /// The number of slots for each vocabulary: a power of two.
  private static let placeCount = 64

  private var entries = [Entry](
    repeating: Entry(), count: placeCount * Vocabulary.allCases.count)

  /// Returns the code of a name; nil if it is not cached.
  @inline(__always)
  func code(of words: NameWords, in vocabulary: Vocabulary) -> UInt32? {
    let entry = entries[Self.place(of: words, in: vocabulary)]
    return entry.words == words ? entry.code : nil
  }

  mutating func keep(_ code: UInt32, of words: NameWords, in vocabulary: Vocabulary) {
    entries[Self.place(of: words, in: vocabulary)] = Entry(words: words, code: code)
  }

  @inline(__always)
  private static func place(of words: NameWords, in vocabulary: Vocabulary) -> Int {
    vocabulary.index &* placeCount &+ Int(truncatingIfNeeded: words.mixed &>> 58)
  }
}
