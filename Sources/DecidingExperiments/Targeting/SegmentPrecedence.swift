/// How two neighbours of a targeting expression are joined.
public enum SegmentConnective: String, Hashable, Sendable, CaseIterable {
  /// Both must hold.
  case and = "AND"
  /// One of them must hold.
  case or = "OR"
}

/// In which order the connectives of a targeting expression are taken.
public enum SegmentPrecedence: String, Hashable, Sendable, CaseIterable {
  /// AND binds tighter than OR.
  case usual
  /// As the original took them, for comparison: if the first connective is OR, the first element OR all the
  /// rest, evaluated so; if it is AND, the first two of them, joined by the connective after them to all the
  /// rest, evaluated so.
  case leftToRight

  /// The value of elements joined by connectives. No element is met. Elements that cannot change the value
  /// are not asked; a connective that is missing is AND.
  ///
  /// - Complexity: O(n), without recursion, so that a long list from outside cannot exhaust the stack.
  func isMet(
    count: Int, connectives: [SegmentConnective], element isElementMet: (Int) -> Bool
  ) -> Bool {
    guard count > 0 else { return true }
    switch self {
    case .usual: return usual(count, connectives, isElementMet)
    case .leftToRight: return leftToRight(count, connectives, isElementMet)
    }
  }

  /// One run of ANDs after the other: the first that holds decides.
  private func usual(
    _ count: Int, _ connectives: [SegmentConnective], _ isElementMet: (Int) -> Bool
  ) -> Bool {
    var holds = true
    for index in 0..<count {
      if holds { holds = isElementMet(index) }
      let isRunOver = index + 1 == count || connectives.joining(after: index) == .or
      if isRunOver {
        if holds { return true }
        holds = true
      }
    }
    return false
  }

  private func leftToRight(
    _ count: Int, _ connectives: [SegmentConnective], _ isElementMet: (Int) -> Bool
  ) -> Bool {
    var index = 0
    while true {
      // The value of the one or two elements that stand before the rest, and where the rest begins.
      var holds = isElementMet(index)
      if index + 1 < count, connectives.joining(after: index) == .and {
        index += 1
        holds = holds && isElementMet(index)
      }
      guard index + 1 < count else { return holds }
      switch connectives.joining(after: index) {
      case .or: if holds { return true }
      case .and: if !holds { return false }
      }
      index += 1
    }
  }
}

extension [SegmentConnective] {
  /// The connective behind the element at the index; AND when there is none.
  fileprivate func joining(after index: Int) -> SegmentConnective {
    index < count ? self[index] : .and
  }
}
