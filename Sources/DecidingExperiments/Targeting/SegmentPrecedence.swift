/// A connective between adjacent elements of a targeting expression.
public enum SegmentConnective: String, Hashable, Sendable, CaseIterable {
  /// Both elements must hold.
  case and = "AND"
  /// At least one element must hold.
  case or = "OR"
}

/// The precedence of the connectives in a targeting expression.
public enum SegmentPrecedence: String, Hashable, Sendable, CaseIterable {
  /// AND binds tighter than OR.
  case usual
  /// The precedence of the original SDK, for comparison: if the first connective is OR, the first element OR
  /// all the rest, evaluated likewise; if it is AND, the first two elements joined by AND, and those joined
  /// by the following connective to all the rest, evaluated likewise.
  case leftToRight

  /// Evaluates elements joined by connectives. No elements evaluate to true. Evaluation short-circuits; a
  /// missing connective is AND.
  ///
  /// - Complexity: O(n), without recursion, so that a long list from an untrusted source cannot overflow the
  ///   stack.
  func isMet(
    count: Int, connectives: [SegmentConnective], element isElementMet: (Int) -> Bool
  ) -> Bool {
    guard count > 0 else { return true }
    switch self {
    case .usual: return usual(count, connectives, isElementMet)
    case .leftToRight: return leftToRight(count, connectives, isElementMet)
    }
  }

  /// Evaluates one run of ANDs after the other: the first that holds decides.
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
      // The value of the one or two elements before the rest, and the index at which the rest begins.
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
  /// Returns the connective after the element at the index; AND when there is none.
  fileprivate func joining(after index: Int) -> SegmentConnective {
    index < count ? self[index] : .and
  }
}
