/// Reads a regular expression into steps; see ``TextPattern`` for what it understands.
struct PatternParser {
  /// A part of a pattern.
  private indirect enum Node {
    case empty
    case take(ScalarSet)
    case check(PatternAnchor)
    case sequence([Node])
    case either([Node])
    case repeated(Node, least: Int, most: Int?)
  }

  private struct Unreadable: Error {}

  private static let longestProgram = 2_000
  private static let deepestGroup = 50

  private let text: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  private var ignoresCase = false

  private init(_ source: String) { text = Array(source.unicodeScalars) }

  /// The steps of the pattern; nil when it cannot be read.
  static func program(of source: String) -> [PatternStep]? {
    var parser = PatternParser(source)
    if source.hasPrefix("(?i)") {
      parser.ignoresCase = true
      parser.place = 4
    }
    guard let node = try? parser.alternatives(), parser.place == parser.text.count else {
      return nil
    }
    var program: [PatternStep] = []
    guard (try? append(node, to: &program)) != nil else { return nil }
    return program + [.found]
  }

  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
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

  // MARK: Reading

  private mutating func alternatives() throws(Unreadable) -> Node {
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .either(nodes)
  }

  private mutating func sequence() throws(Unreadable) -> Node {
    var nodes: [Node] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      nodes.append(try quantified(try atom()))
    }
    return nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func atom() throws(Unreadable) -> Node {
    guard let scalar = next else { throw Unreadable() }
    place += 1
    switch scalar {
    case "^": return .check(.start)
    case "$": return .check(.end)
    case ".": return .take(ScalarSet.lineEnds.negated)
    case "(": return try group()
    case "[": return .take(try characterClass())
    case "\\":
      if take("b") { return .check(.wordBoundary) }
      if take("B") { return .check(.noWordBoundary) }
      return .take(cased(try escaped()))
    case "*", "+", "?": throw Unreadable()
    default: return .take(cased(ScalarSet([scalar.value...scalar.value])))
    }
  }

  private mutating func group() throws(Unreadable) -> Node {
    depth += 1
    guard depth <= Self.deepestGroup else { throw Unreadable() }
    if take("?"), !take(":") {
      // A named group is a group; looking behind begins like one.
      guard take("<"), let first = next, ScalarSet.word.contains(first) else { throw Unreadable() }
      while let scalar = next, ScalarSet.word.contains(scalar) { place += 1 }
      guard take(">") else { throw Unreadable() }
    }
    let node = try alternatives()
    guard take(")") else { throw Unreadable() }
    depth -= 1
    return node
  }

  private mutating func quantified(_ node: Node) throws(Unreadable) -> Node {
    guard let (least, most) = try quantifier() else { return node }
    switch node {
    case .check: throw Unreadable()
    default: break
    }
    // Whether as few or as many as possible are taken does not matter for whether there is a match.
    if !take("?"), next == "+" { throw Unreadable() }
    if next == "*" || next == "+" || next == "?" || next == "{" { throw Unreadable() }
    return .repeated(node, least: least, most: most)
  }

  private mutating func quantifier() throws(Unreadable) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = place
    guard take("{") else { return nil }
    guard let least = try number() else {
      // A brace that opens no quantifier stands for itself.
      place = start
      return nil
    }
    if take("}") { return (least, least) }
    guard take(",") else { throw Unreadable() }
    let most = try number()
    guard take("}"), most.map({ $0 >= least }) ?? true else { throw Unreadable() }
    return (least, most)
  }

  private mutating func number() throws(Unreadable) -> Int? {
    var number: Int?
    while let scalar = next, ScalarSet.digits.contains(scalar) {
      let value = (number ?? 0) * 10 + Int(scalar.value - 0x30)
      guard value <= Self.longestProgram else { throw Unreadable() }
      number = value
      place += 1
    }
    return number
  }

  // MARK: Characters

  private func cased(_ set: ScalarSet) -> ScalarSet {
    var set = set
    set.ignoresCase = ignoresCase
    return set
  }

  private mutating func characterClass() throws(Unreadable) -> ScalarSet {
    var set = ScalarSet()
    set.isNegated = take("^")
    set.ignoresCase = ignoresCase
    while !take("]") {
      let first = try classMember()
      guard next == "-", place + 1 < text.count, text[place + 1] != "]" else {
        set.ranges += first.positiveRanges
        continue
      }
      place += 1
      let last = try classMember()
      guard let low = first.only, let high = last.only, low <= high else { throw Unreadable() }
      set.ranges.append(low...high)
    }
    guard !set.ranges.isEmpty else { throw Unreadable() }
    return set
  }

  private mutating func classMember() throws(Unreadable) -> ScalarSet {
    guard let scalar = next else { throw Unreadable() }
    place += 1
    guard scalar == "\\" else { return ScalarSet([scalar.value...scalar.value]) }
    if take("b") { return ScalarSet([8...8]) }
    return try escaped()
  }

  private mutating func escaped() throws(Unreadable) -> ScalarSet {
    guard let scalar = next else { throw Unreadable() }
    place += 1
    switch scalar {
    case "d": return .digits
    case "D": return ScalarSet.digits.negated
    case "w": return .word
    case "W": return ScalarSet.word.negated
    case "s": return .space
    case "S": return ScalarSet.space.negated
    case "n": return ScalarSet([0x0A...0x0A])
    case "r": return ScalarSet([0x0D...0x0D])
    case "t": return ScalarSet([0x09...0x09])
    case "f": return ScalarSet([0x0C...0x0C])
    case "v": return ScalarSet([0x0B...0x0B])
    case "x": return try hexadecimal(digits: next == "{" ? nil : 2)
    case "u": return try hexadecimal(digits: next == "{" ? nil : 4)
    default:
      guard !ScalarSet.word.contains(scalar), scalar.isASCII else { throw Unreadable() }
      return ScalarSet([scalar.value...scalar.value])
    }
  }

  /// A character by its number: of so many digits, or between braces.
  private mutating func hexadecimal(digits: Int?) throws(Unreadable) -> ScalarSet {
    if digits == nil { place += 1 }
    var (value, count): (UInt32, Int) = (0, 0)
    while let scalar = next, count < digits ?? 6, let digit = scalar.hexadecimal {
      value = value << 4 | digit
      count += 1
      place += 1
    }
    guard count > 0, count == digits ?? count, value <= 0x10FFFF else { throw Unreadable() }
    if digits == nil, !take("}") { throw Unreadable() }
    return ScalarSet([value...value])
  }

  // MARK: Writing

  private static func append(_ node: Node, to program: inout [PatternStep]) throws(Unreadable) {
    guard program.count < longestProgram else { throw Unreadable() }
    switch node {
    // Even nothing takes a step, so that nothing repeated often in itself stays within the bound.
    case .empty: program.append(.jump(program.count + 1))
    case .take(let set): program.append(.take(set))
    case .check(let anchor): program.append(.check(anchor))
    case .sequence(let nodes): for node in nodes { try append(node, to: &program) }
    case .either(let nodes): try append(alternatives: nodes, to: &program)
    case .repeated(let node, let least, let most):
      if most == 0 { program.append(.jump(program.count + 1)) }
      for _ in 0..<least { try append(node, to: &program) }
      try append(node, upTo: most.map { $0 - least }, to: &program)
    }
  }

  private static func append(
    alternatives nodes: [Node], to program: inout [PatternStep]
  ) throws(Unreadable) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      let split = program.count
      let isLast = index + 1 == nodes.count
      if !isLast { program.append(.split(split + 1, split + 1)) }
      try append(node, to: &program)
      guard !isLast else { break }
      jumps.append(program.count)
      program.append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    for jump in jumps { program[jump] = .jump(program.count) }
  }

  /// Any number of repetitions when `most` is nil.
  private static func append(
    _ node: Node, upTo most: Int?, to program: inout [PatternStep]
  ) throws(Unreadable) {
    var splits: [Int] = []
    for _ in 0..<(most ?? 1) {
      splits.append(program.count)
      program.append(.split(program.count + 1, program.count + 1))
      try append(node, to: &program)
    }
    if most == nil, let split = splits.first { program.append(.jump(split)) }
    for split in splits { program[split] = .split(split + 1, program.count) }
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimal: UInt32? {
    switch self {
    case "0"..."9": value - 0x30
    case "A"..."F": value - 0x37
    case "a"..."f": value - 0x57
    default: nil
    }
  }
}

extension ScalarSet {
  /// The one character that the set holds; nil when it holds others.
  fileprivate var only: UInt32? {
    guard !isNegated, ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }

  /// The ranges of the set, also of one that says what is not in it.
  fileprivate var positiveRanges: [ClosedRange<UInt32>] {
    guard isNegated else { return ranges }
    var gaps: [ClosedRange<UInt32>] = []
    var start: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if start < range.lowerBound { gaps.append(start...range.lowerBound - 1) }
      start = max(start, range.upperBound + 1)
    }
    if start <= 0x10FFFF { gaps.append(start...0x10FFFF) }
    return gaps
  }
}
