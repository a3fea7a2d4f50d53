/// A pair of names that differ in their bytes: those of "é" decomposed and composed, which Swift's `String` takes for
/// equal, or two that differ for people, too, in the same order of bytes.
struct Spelling: Sendable {
  let first: String
  let second: String

  static let accented = Spelling(first: "e\u{301}", second: "\u{e9}")
  static let plain = Spelling(first: "e\u{302}", second: "\u{eb}")

  /// Returns a text with the names of this pair in place of those of the other.
  func spelled(_ text: String, in other: Spelling) -> String {
    var bytes = Array(text.utf8)
    for (mine, theirs) in [(first, other.first), (second, other.second)] {
      bytes = Self.replacing(Array(theirs.utf8), Array(mine.utf8), in: bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func replacing(_ old: [UInt8], _ new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while let found = bytes[place...].firstIndex(of: old[0]) {
      result += bytes[place..<found]
      let isWhole = bytes[found...].starts(with: old)
      result += isWhole ? new : [old[0]]
      place = found + (isWhole ? old.count : 1)
    }
    return result + bytes[place...]
  }
}
