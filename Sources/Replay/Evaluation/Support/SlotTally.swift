public import Statistics

/// The estimates of a policy's value from the decisions of one slot of a point.
public struct SlotTally: Sendable, Equatable {
  /// The estimate of each estimator, in order; nil for one of whole decisions.
  public private(set) var estimates: [OffPolicyEstimate?]
  /// The importance weights of the decisions.
  public private(set) var weights = WeightDiagnostics()

  init(_ estimators: [any OffPolicyEstimator], _ intervals: [any IntervalMethod]) {
    estimates = estimators.map {
      $0.judgesWholeDecisions ? nil : OffPolicyEstimate($0, intervals: intervals)
    }
  }

  /// Adds the decisions of a unit.
  ///
  /// - Parameters:
  ///   - logged: The decisions with logged weights.
  ///   - key: A hash of the unit.
  ///   - decisions: Returns the decisions for an estimator.
  mutating func add(
    weights logged: [LoggedDecision], key: UInt64, _ decisions: (Int) -> [LoggedDecision]
  ) {
    for decision in logged { weights.add(decision) }
    for index in estimates.indices where estimates[index] != nil {
      let unit = decisions(index)
      estimates[index]?.add(unit: unit.span, key: key)
    }
  }

  mutating func merge(_ other: SlotTally) {
    weights.merge(other.weights)
    for index in estimates.indices {
      if let more = other.estimates[index] { estimates[index]?.merge(more) }
    }
  }
}
