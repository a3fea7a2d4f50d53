/// The codes of the short names that came last, each in one of few places: most names of a row are those of some
/// row shortly before, and are found here with one look instead of one after the other into a table, its lengths
/// and its texts. Codes never change, so nothing here is ever wrong.
struct RecentNames: Sendable {
  private struct Entry: Sendable {
    var words = NameWords.none
    var code: UInt32 = 0
  }

  /// Places for each vocabulary: a power of two.
  private static let placeCount = 64

  private var entries = [Entry](
    repeating: Entry(), count: placeCount * Vocabulary.allCases.count)

  /// The code of a name; nil when it is none of the last ones.
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
