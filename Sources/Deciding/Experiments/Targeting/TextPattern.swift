/// A regular expression that is searched anywhere in a text, in a time that no pattern and no text can make
/// long.
///
/// All ways through the pattern are followed at once (K. Thompson, "Regular expression search algorithm",
/// 1968), so the time is at most proportional to the length of the text times that of the pattern; patterns
/// that make a backtracking search run for ages, such as `(a+)+$`, do no harm. For the same reason there are
/// no back references and no looking around. What is understood: literals, `.`, classes such as `[^a-z\d]`,
/// `\d \D \w \W \s \S` (ASCII digits and word characters), `\b \B ^ $` (start and end of the whole text),
/// `\n \r \t \f \v \xHH \uHHHH \x{H…}`, groups `( ) (?: ) (?<name> )`, `|`, `* + ? {m} {m,} {m,n}` also
/// with a `?` behind, and `(?i)` at the beginning. A pattern with anything else, one of more than 1,000 bytes
/// or of more than 2,000 steps with its repetitions written out matches nothing, and neither is a text of
/// more than 16,384 bytes searched.
public struct TextPattern: Hashable, Sendable {
  /// The longest pattern that is read, in bytes.
  static let longestPattern = 1_000
  /// The longest text that is searched, in bytes.
  static let longestText = 16_384

  /// The pattern as it is written.
  public let source: String
  private let program: [PatternStep]?

  /// Reads a pattern. One that cannot be read matches nothing.
  public init(_ source: String) {
    self.source = source
    program = source.utf8.count <= Self.longestPattern ? PatternParser.program(of: source) : nil
  }

  /// Whether the pattern could be read.
  public var isReadable: Bool { program != nil }

  /// Compares the patterns as they are written.
  public static func == (a: TextPattern, b: TextPattern) -> Bool {
    a.source.utf8.elementsEqual(b.source.utf8)
  }

  /// Hashes the pattern as it is written.
  public func hash(into hasher: inout Hasher) {
    for byte in source.utf8 { hasher.combine(byte) }
  }

  /// Whether the pattern occurs anywhere in the text.
  ///
  /// - Complexity: O(length of the text × length of the pattern).
  public func occurs(in text: String) -> Bool {
    guard let program, text.utf8.count <= Self.longestText else { return false }
    var search = PatternSearch(program: program)
    return search.finds(in: Array(text.unicodeScalars))
  }
}

/// One step of a pattern that was read.
enum PatternStep: Sendable {
  /// Takes a character of the set.
  case take(ScalarSet)
  /// Goes on at both places.
  case split(Int, Int)
  /// Goes on elsewhere.
  case jump(Int)
  /// Goes on where this holds.
  case check(PatternAnchor)
  /// The pattern was found.
  case found
}

/// A place in the text.
enum PatternAnchor: Sendable {
  case start, end, wordBoundary, noWordBoundary
}

/// Characters, as ranges of their numbers.
struct ScalarSet: Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var isNegated = false
  var ignoresCase = false

  init(_ ranges: [ClosedRange<UInt32>] = []) { self.ranges = ranges }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isIn = ranges.contains { $0.contains(scalar.value) }
    if !isIn, ignoresCase {
      // Only mappings to one character: the others change the length of the text.
      for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
        let scalars = other.unicodeScalars
        guard let mapped = scalars.first, scalars.count == 1 else { continue }
        if ranges.contains(where: { $0.contains(mapped.value) }) { isIn = true }
      }
    }
    return isIn != isNegated
  }

  static let digits = ScalarSet([0x30...0x39])
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let space = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A,
    0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
  ])
  static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
  static let all = ScalarSet([0...0x10FFFF])

  var negated: ScalarSet {
    var set = self
    set.isNegated.toggle()
    return set
  }
}

/// Follows all ways through a pattern at once.
private struct PatternSearch {
  let program: [PatternStep]
  /// The steps that take a character, reached at the present place.
  private var reached: [Int] = []
  /// At which place a step was reached last, so that it is followed once per place.
  private var lastPlace: [Int]
  private var pending: [Int] = []

  init(program: [PatternStep]) {
    self.program = program
    lastPlace = [Int](repeating: -1, count: program.count)
  }

  mutating func finds(in text: [Unicode.Scalar]) -> Bool {
    for place in 0...text.count {
      if follow(from: 0, at: place, in: text) { return true }
      guard place < text.count else { break }
      let steps = reached
      reached.removeAll(keepingCapacity: true)
      for step in steps {
        if case .take(let set) = program[step], set.contains(text[place]),
          follow(from: step + 1, at: place + 1, in: text)
        {
          return true
        }
      }
    }
    return false
  }

  /// Reaches all steps that need no character; true when the pattern is at its end.
  private mutating func follow(from step: Int, at place: Int, in text: [Unicode.Scalar]) -> Bool {
    pending.append(step)
    while let step = pending.popLast() {
      guard lastPlace[step] != place else { continue }
      lastPlace[step] = place
      switch program[step] {
      case .found: return true
      case .take: reached.append(step)
      case .jump(let target): pending.append(target)
      case .split(let first, let second): pending += [second, first]
      case .check(let anchor): if holds(anchor, at: place, in: text) { pending.append(step + 1) }
      }
    }
    return false
  }

  private func holds(_ anchor: PatternAnchor, at place: Int, in text: [Unicode.Scalar]) -> Bool {
    switch anchor {
    case .start: return place == 0
    case .end: return place == text.count
    case .wordBoundary, .noWordBoundary:
      let isWordBefore = place > 0 && ScalarSet.word.contains(text[place - 1])
      let isWordAfter = place < text.count && ScalarSet.word.contains(text[place])
      return (isWordBefore != isWordAfter) == (anchor == .wordBoundary)
    }
  }
}
