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
/// or of more than 2,000 steps with its repetitions written out matches nothing, and ``flaw`` says why. Neither is
/// a text of more than 16,384 bytes searched.
public struct TextPattern: Hashable, Sendable {
  /// The longest pattern that is read, in bytes.
  static let longestPattern = 1_000
  /// The longest text that is searched, in bytes.
  static let longestText = 16_384

  /// The pattern as it is written.
  public let source: String
  private let program: [PatternStep]?
  /// Why the pattern cannot be read: what is wrong, at which character, and how to mend it; nil when it can.
  public let flaw: String?

  /// Reads a pattern. One that cannot be read matches nothing.
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
    var steps = 0
    return occurs(in: text, counting: &steps)
  }

  /// Whether the pattern occurs anywhere in the text, with the steps that the search took added up: at most one
  /// for each step of the pattern at each place of the text, and as many again to take characters.
  func occurs(in text: String, counting steps: inout Int) -> Bool {
    guard let program, text.utf8.count <= Self.longestText else { return false }
    var search = PatternSearch(program: program)
    defer { steps += search.steps }
    return search.finds(in: Array(text.unicodeScalars))
  }

  /// Number of steps that the pattern has with its repetitions written out; 0 when it cannot be read.
  var length: Int { program?.count ?? 0 }
}

/// Why a pattern cannot be read.
struct PatternFlaw: Error, CustomStringConvertible {
  /// The character that gave offence, counted from 0; nil when it is the pattern as a whole.
  var place: Int?
  /// What is wrong and how to mend it.
  var reason: String

  var description: String { place.map { "character \($0 + 1): \(reason)" } ?? reason }
}
