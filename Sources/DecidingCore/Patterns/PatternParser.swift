/// A parser that compiles a regular expression to steps; see ``TextPattern`` for the syntax.
struct PatternParser {
  private static let deepestGroup = 50

  let text: [Unicode.Scalar]
  var place = 0
  private var depth = 0
  private var ignoresCase = false

  private init(_ source: String) { text = Array(source.unicodeScalars) }

  /// Returns the compiled steps of the pattern.
  static func program(of source: String) throws(PatternFlaw) -> [PatternStep] {
    guard source.utf8.count <= TextPattern.longestPattern else {
      throw PatternFlaw(
        reason: "it has \(source.utf8.count) bytes; use at most \(TextPattern.longestPattern)")
    }
    var parser = PatternParser(source)
    if parser.take(text: "(?i)") { parser.ignoresCase = true }
    let node = try parser.alternatives()
    guard parser.next == nil else {
      throw parser.flaw("')' closes no group; write \\) for the character itself")
    }
    return try PatternProgram(node).steps
  }

  /// The next character.
  var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  /// Returns an error at a position, the current one by default.
  func flaw(_ reason: String, at place: Int? = nil) -> PatternFlaw {
    PatternFlaw(place: place ?? self.place, reason: reason)
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private mutating func take(text wanted: String) -> Bool {
    let scalars = wanted.unicodeScalars
    guard text[place...].starts(with: scalars) else { return false }
    place += scalars.count
    return true
  }

  private mutating func alternatives() throws(PatternFlaw) -> PatternNode {
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .either(nodes)
  }

  private mutating func sequence() throws(PatternFlaw) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      nodes.append(try quantified(try atom(scalar)))
    }
    return nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternFlaw) -> PatternNode {
    place += 1
    switch scalar {
    case "^": return .check(.start)
    case "$": return .check(.end)
    case ".": return .take(ScalarSet.lineEnds.negated)
    case "(": return try group()
    case "[": return .take(try characterClass(ignoresCase: ignoresCase))
    case "\\":
      if take("b") { return .check(.wordBoundary) }
      if take("B") { return .check(.noWordBoundary) }
      var set = try escaped()
      set.ignoresCase = ignoresCase
      return .take(set)
    case "*", "+", "?":
      throw flaw(
        "'\(scalar)' repeats nothing; write \\\(scalar) for the character itself", at: place - 1)
    default:
      return .take(ScalarSet([scalar.value...scalar.value], ignoresCase: ignoresCase))
    }
  }

  private mutating func group() throws(PatternFlaw) -> PatternNode {
    let start = place - 1
    depth += 1
    guard depth <= Self.deepestGroup else {
      throw flaw(
        "groups are nested more than \(Self.deepestGroup) deep; make it flatter", at: start)
    }
    if take("?"), !take(":") { try nameOfGroup(from: start) }
    let node = try alternatives()
    guard take(")") else { throw flaw("this group is not closed; add its ')'", at: start) }
    depth -= 1
    return node
  }

  /// Parses the name of a named group; lookbehind starts in the same way.
  private mutating func nameOfGroup(from start: Int) throws(PatternFlaw) {
    let isLookingBehind =
      text[place...].starts(with: "<=".unicodeScalars)
      || text[place...].starts(with: "<!".unicodeScalars)
    if next == "=" || next == "!" || isLookingBehind {
      throw flaw(
        "looking ahead or behind takes more than linear time and is not understood; use a second condition",
        at: start)
    }
    guard take("<"), let first = next, ScalarSet.word.contains(first) else {
      throw flaw(
        "of what begins with (? only (?:…), (?<name>…) and, at the very beginning, (?i) are understood",
        at: start)
    }
    while let scalar = next, ScalarSet.word.contains(scalar) { place += 1 }
    guard take(">") else { throw flaw("the name of the group is not closed; add its '>'") }
  }

  // MARK: Repetitions

  private mutating func quantified(_ node: PatternNode) throws(PatternFlaw) -> PatternNode {
    let start = place
    guard let (least, most) = try quantifier() else { return node }
    if case .check = node {
      throw flaw("a place such as ^ or \\b cannot be repeated; remove the repetition", at: start)
    }
    // Whether a quantifier is lazy does not matter for whether there is a match.
    let isLazy = take("?")
    if !isLazy, next == "+" {
      throw flaw("possessive repetition is not understood; remove the '+'")
    }
    if next == "*" || next == "+" || next == "?" || next == "{" {
      throw flaw("a repetition is repeated; put what it repeats into a group, (…)")
    }
    return .repeated(node, least: least, most: most)
  }

  private mutating func quantifier() throws(PatternFlaw) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = place
    guard take("{") else { return nil }
    guard let least = try number() else {
      // A brace that is not part of a quantifier is a literal.
      place = start
      return nil
    }
    if take("}") { return (least, least) }
    let form = "a repetition is {m}, {m,} or {m,n}; write \\{ for the character itself"
    guard take(",") else { throw flaw(form, at: start) }
    let most = try number()
    guard take("}") else { throw flaw(form, at: start) }
    if let most, most < least {
      throw flaw("at least \(least) and at most \(most) cannot be; swap them", at: start)
    }
    return (least, most)
  }

  private mutating func number() throws(PatternFlaw) -> Int? {
    var number: Int?
    while let scalar = next, ScalarSet.digits.contains(scalar) {
      let value = (number ?? 0) * 10 + Int(scalar.value - 0x30)
      guard value <= PatternProgram.longest else {
        throw flaw("more than \(PatternProgram.longest) repetitions; repeat less")
      }
      number = value
      place += 1
    }
    return number
  }
}
