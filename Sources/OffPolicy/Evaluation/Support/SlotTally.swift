public import Specifications
internal import Statistics

/// The estimates of a policy's value from the decisions of one slot of a point.
public struct SlotTally: StateFields, Equatable {
  /// The estimate of each estimator, in order; nil for one of whole decisions.
  public private(set) var estimates: [OffPolicyEstimate?]
  /// The importance weights of each kind that estimators use.
  private var weights: [WeightKind: WeightDiagnostics] = [:]
  private let kinds: [WeightKind]

  init(_ estimators: [any OffPolicyEstimator], _ intervals: [any IntervalMethod]) {
    kinds = estimators.map(\.weights)
    estimates = estimators.map {
      $0.judgesWholeDecisions ? nil : OffPolicyEstimate($0, intervals: intervals)
    }
  }

  /// Adds the decisions of a unit.
  ///
  /// - Parameters:
  ///   - key: A hash of the unit.
  ///   - decisions: Returns the decisions for an estimator.
  mutating func add(key: UInt64, _ decisions: (Int) -> [LoggedDecision]) {
    var added: Set<WeightKind> = []
    for index in estimates.indices where estimates[index] != nil {
      let unit = decisions(index)
      if added.insert(kinds[index]).inserted {
        for decision in unit { weights[kinds[index], default: WeightDiagnostics()].add(decision) }
      }
      estimates[index]?.add(unit: unit.span, key: key)
    }
  }

  /// Returns the importance weights that an estimator uses.
  ///
  /// - Parameter estimator: The index of the estimator.
  /// - Returns: The weights.
  public func weights(of estimator: Int) -> WeightDiagnostics {
    weights[kinds[estimator]] ?? WeightDiagnostics()
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&estimates, other.estimates)
    visit.entries(&weights, other.weights, .numbers, WeightDiagnostics())
  }
}
