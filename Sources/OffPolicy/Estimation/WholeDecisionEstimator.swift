/// An estimator by terms of whole decisions: of all the slots of a point that were decided at the same time for a unit.
///
/// A whole decision with a single slot has the terms of that one, so that every such estimator also applies to logs
/// without slots.
public protocol WholeDecisionEstimator: TermEstimator {
  /// Returns the terms of a whole decision; those of an absent part are ignored.
  ///
  /// - Parameter slots: The decisions of its slots, at least one, in the order of the unit's history.
  /// - Returns: The terms.
  func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms
}

extension WholeDecisionEstimator {
  public var judgesWholeDecisions: Bool { true }

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    let slots: InlineArray<1, LoggedDecision> = [decision]
    return terms(ofSlots: slots.span)
  }

  /// Returns the sums of the terms of one unit's whole decisions, and their numbers.
  public func sums(ofUnit decisions: Span<LoggedDecision>) -> UnitTerms {
    if decisions.count == 1 {
      return UnitTerms(terms(of: decisions[0]), count: 1, matched: decisions.matched)
    }
    var sums = ExactTerms()
    decisions.forEachWholeDecision { slots in
      sums.add(terms(ofSlots: slots), isMatch: slots.matched == slots.count)
    }
    return sums.unit
  }
}

extension Span<LoggedDecision> {
  /// Calls the closure with the slots of each whole decision, in order.
  func forEachWholeDecision(_ body: (Span<LoggedDecision>) -> Void) {
    var start = 0
    while start < count {
      var end = start + 1
      while end < count, self[end].isContinuation { end += 1 }
      body(extracting(start..<end))
      start = end
    }
  }

  /// The sum of the rewards.
  var rewardSum: Double { indices.reduce(0) { $0 + self[$1].reward } }

  /// The product of the weights.
  var weightProduct: Double { indices.reduce(1) { $0 * self[$1].weight } }

  /// The weight of the pseudo-inverse: the sum of the weights − K + 1 for K slots, exact for one.
  var pseudoInverseWeight: Double {
    indices.dropFirst().reduce(self[0].weight) { $0 + (self[$1].weight - 1) }
  }
}
