/// A regular expression, searched anywhere in a text in linear time.
///
/// All paths through the pattern are followed in parallel (K. Thompson, "Regular expression search
/// algorithm", 1968), so the time is at most proportional to the length of the text times that of the
/// pattern; patterns with exponential time in a backtracking engine, such as `(a+)+$`, are harmless. For the
/// same reason backreferences and lookaround are not supported. Supported syntax: literals, `.`, classes such
/// as `[^a-z\d]`, `\d \D \w \W \s \S` (ASCII digits and word characters), `\b \B ^ $` (start and end of the
/// whole text), `\n \r \t \f \v \xHH \uHHHH \x{H…}`, groups `( ) (?: ) (?<name> )`, `|`, `* + ? {m} {m,}
/// {m,n}`, also lazy with a `?` after them, and `(?i)` at the start. A pattern with anything else, one of
/// more than 1,000 bytes, or of more than 2,000 steps with its repetitions expanded, matches nothing, and
/// ``flaw`` says why. A text of more than 16,384 bytes is not searched either.
public struct TextPattern: Hashable, Sendable {
  /// The maximum length of a pattern, in bytes.
  static let longestPattern = 1_000
  /// The maximum length of a text, in bytes.
  static let longestText = 16_384

  /// The source text of the pattern.
  public let source: String
  private let program: [PatternStep]?
  /// Why the pattern is invalid: the problem, its position, and how to fix it; nil when the pattern is valid.
  public let flaw: String?

  /// Parses a pattern. An invalid one matches nothing.
  public init(_ source: String) {
    self.source = source
    do throws(PatternFlaw) {
      program = try PatternParser.program(of: source)
      flaw = nil
    } catch {
      program = nil
      flaw = error.description
    }
  }

  /// Whether the pattern is valid.
  public var isReadable: Bool { program != nil }

  /// Compares the source texts of the patterns.
  public static func == (a: TextPattern, b: TextPattern) -> Bool {
    a.source.utf8.elementsEqual(b.source.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in source.utf8 { hasher.combine(byte) }
  }

  /// Returns whether the text contains a match.
  ///
  /// - Complexity: O(length of the text × length of the pattern).
  public func occurs(in text: String) -> Bool {
    var steps = 0
    return occurs(in: text, counting: &steps)
  }

  /// Returns whether the text contains a match, and adds the number of steps that the search took: at most
  /// one for each step of the pattern at each position of the text, and as many again to consume characters.
  func occurs(in text: String, counting steps: inout Int) -> Bool {
    guard let program, text.utf8.count <= Self.longestText else { return false }
    var search = PatternSearch(program: program)
    defer { steps += search.steps }
    return search.finds(in: Array(text.unicodeScalars))
  }

  /// The number of steps of the pattern with its repetitions expanded; 0 when it is invalid.
  var length: Int { program?.count ?? 0 }
}

/// The reason why a pattern is invalid.
struct PatternFlaw: Error, CustomStringConvertible {
  /// The position of the offending character, from 0; nil when the pattern as a whole is invalid.
  var place: Int?
  /// The problem and how to fix it.
  var reason: String

  var description: String { place.map { "character \($0 + 1): \(reason)" } ?? reason }
}
