/// An estimator by terms of whole decisions: of all the slots of a point that were decided at the same time for a unit.
///
/// A whole decision with a single slot has the terms of that one, so that every such estimator also applies to logs
/// without slots.
public protocol WholeDecisionEstimator: TermEstimator {}

extension WholeDecisionEstimator {
  public var judgesWholeDecisions: Bool { true }

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    terms(ofSlots: ([decision] as InlineArray<1, LoggedDecision>).span)
  }
}

extension Span<LoggedDecision> {
  /// The sum of the rewards.
  var rewardSum: Double { indices.reduce(0) { $0 + self[$1].reward } }

  /// The product of the weights.
  var weightProduct: Double { indices.reduce(1) { $0 * self[$1].weight } }

  /// The weight of the pseudo-inverse: the sum of the weights − K + 1 for K slots, exact for one.
  var pseudoInverseWeight: Double {
    indices.dropFirst().reduce(self[0].weight) { $0 + (self[$1].weight - 1) }
  }
}
