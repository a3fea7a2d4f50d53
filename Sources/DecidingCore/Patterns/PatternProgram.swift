/// A step of a compiled pattern.
enum PatternStep: Sendable {
  /// Consumes a character of the set.
  case take(ScalarSet)
  /// Continues at both steps.
  case split(Int, Int)
  /// Continues at another step.
  case jump(Int)
  /// Continues if the assertion holds.
  case check(PatternAnchor)
  /// The pattern matches.
  case found
}

/// A position in the text.
enum PatternAnchor: Sendable {
  case start, end, wordBoundary, noWordBoundary
}

/// A node of a parsed pattern.
indirect enum PatternNode {
  case empty
  case take(ScalarSet)
  case check(PatternAnchor)
  case sequence([PatternNode])
  case either([PatternNode])
  case repeated(PatternNode, least: Int, most: Int?)
}

/// Compiles a parsed pattern to steps; their number is bounded however repetitions are nested.
struct PatternProgram {
  /// The maximum number of steps of a pattern.
  static let longest = 2_000

  private(set) var steps: [PatternStep] = []

  init(_ node: PatternNode) throws(PatternFlaw) {
    try append(node)
    steps.append(.found)
  }

  private mutating func append(_ node: PatternNode) throws(PatternFlaw) {
    guard steps.count < Self.longest else {
      throw PatternFlaw(
        reason:
          "with its repetitions written out it has more than \(Self.longest) steps; repeat less")
    }
    switch node {
    // An empty node takes a step too, so that nested repetitions of it remain within the bound.
    case .empty: steps.append(.jump(steps.count + 1))
    case .take(let set): steps.append(.take(set))
    case .check(let anchor): steps.append(.check(anchor))
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .either(let nodes): try append(alternatives: nodes)
    case .repeated(let node, let least, let most):
      if most == 0 { steps.append(.jump(steps.count + 1)) }
      for _ in 0..<least { try append(node) }
      try append(node, upTo: most.map { $0 - least })
    }
  }

  private mutating func append(alternatives nodes: [PatternNode]) throws(PatternFlaw) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      let split = steps.count
      let isLast = index + 1 == nodes.count
      if !isLast { steps.append(.split(split + 1, split + 1)) }
      try append(node)
      guard !isLast else { break }
      jumps.append(steps.count)
      steps.append(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  /// Appends up to `most` repetitions; any number when it is nil.
  private mutating func append(_ node: PatternNode, upTo most: Int?) throws(PatternFlaw) {
    var splits: [Int] = []
    for _ in 0..<(most ?? 1) {
      splits.append(steps.count)
      steps.append(.split(steps.count + 1, steps.count + 1))
      try append(node)
    }
    if most == nil, let split = splits.first { steps.append(.jump(split)) }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
