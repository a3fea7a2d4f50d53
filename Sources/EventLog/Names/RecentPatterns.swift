/// A cache of the codes of recent lists and shapes, keyed by their names, so that none of the names of a repeated one
/// needs to be looked up. Codes never change, so entries never become stale.
struct RecentPatterns: Sendable {
  private struct Entry: Sendable {
    var count = 0
    var code: UInt32 = 0
    var nameCount: UInt32 = 0
  }

  /// The number of slots, a power of two.
  private static let placeCount = 32

  private var entries = [Entry](repeating: Entry(), count: placeCount)
  /// The words of the patterns, and the codes of the attributes' names, slot by slot.
  private var words = [NameWords](repeating: .none, count: placeCount * NamePattern.limit)
  private var names = [UInt32](repeating: 0, count: placeCount * NamePattern.limit)

  /// Returns the slot of the pattern; nil if it is not cached.
  @inline(__always)
  func place(of pattern: borrowing NamePattern) -> Int? {
    let place = Self.home(of: pattern)
    guard entries[place].count == pattern.count else { return nil }
    let start = place &* NamePattern.limit
    let known = words.span.extracting(start..<start &+ pattern.count)
    let asked = pattern.words.span
    for index in known.indices where known[index] != asked[index] { return nil }
    return place
  }

  /// Returns the code of the pattern in a slot.
  @inline(__always)
  func code(at place: Int) -> UInt32 { entries[place].code }

  /// Returns the number of attributes of the pattern in a slot.
  @inline(__always)
  func nameCount(at place: Int) -> Int { Int(entries[place].nameCount) }

  /// Returns the code of a name of the pattern in a slot.
  @inline(__always)
  func name(_ index: Int, at place: Int) -> UInt32 {
    names[place &* NamePattern.limit &+ index]
  }

  /// Caches the code of a pattern and those of its attributes' names, unless it is too long.
  @inline(never)
  mutating func keep(_ pattern: borrowing NamePattern, code: UInt32, names: [UInt32]) {
    guard !pattern.isTooLong, names.count <= pattern.count else { return }
    let place = Self.home(of: pattern)
    let start = place * NamePattern.limit
    for index in 0..<pattern.count { words[start + index] = pattern.words[index] }
    for index in names.indices { self.names[start + index] = names[index] }
    entries[place] = Entry(
      count: pattern.count, code: code, nameCount: UInt32(names.count))
  }

  @inline(__always)
  private static func home(of pattern: borrowing NamePattern) -> Int {
    Int(truncatingIfNeeded: pattern.mixed &>> 59)
  }
}
