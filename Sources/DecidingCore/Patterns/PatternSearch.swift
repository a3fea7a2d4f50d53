/// A search that follows all paths through a pattern in parallel.
struct PatternSearch {
  private let program: [PatternStep]
  /// The consuming steps reached at the current position.
  private var reached: [Int] = []
  /// The position at which each step was last reached, so that it is followed once per position.
  private var lastPlace: [Int]
  private var pending: [Int] = []
  /// The number of steps executed.
  private(set) var steps = 0

  init(program: [PatternStep]) {
    self.program = program
    lastPlace = [Int](repeating: -1, count: program.count)
  }

  mutating func finds(in text: [Unicode.Scalar]) -> Bool {
    for place in 0...text.count {
      if follow(from: 0, at: place, in: text) { return true }
      guard place < text.count else { break }
      let waiting = reached
      reached.removeAll(keepingCapacity: true)
      steps += waiting.count
      var character = CasedScalar(text[place])
      for step in waiting {
        if case .take(let set) = program[step], set.contains(&character),
          follow(from: step + 1, at: place + 1, in: text)
        {
          return true
        }
      }
    }
    return false
  }

  /// Follows all steps that consume no character; returns true when the end of the pattern is reached.
  private mutating func follow(from step: Int, at place: Int, in text: [Unicode.Scalar]) -> Bool {
    pending.append(step)
    while let step = pending.popLast() {
      guard lastPlace[step] != place else { continue }
      lastPlace[step] = place
      steps += 1
      switch program[step] {
      case .found: return true
      case .take: reached.append(step)
      case .jump(let target): pending.append(target)
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
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
