public import Statistics

/// The estimates of the value of one target policy, with what tells whether the log can answer.
public struct PolicyTally: Sendable {
  /// What an estimator needs to know of decisions.
  struct Input: Hashable, Sendable {
    var model: RewardModelUse
    var weights: WeightKind
  }

  /// The estimate of each estimator.
  public private(set) var estimates: [OffPolicyEstimate]
  /// The importance weights of the decisions.
  public private(set) var weights = WeightDiagnostics()
  /// Decisions in whose situation the policy says nothing, which are left out.
  public internal(set) var undecided = 0
  /// Decisions whose weight or prediction is not finite, which are left out.
  public internal(set) var notFinite = 0
  /// The sum over decisions of the policy's probability that is on none of the choices.
  private(set) var unsupported = ExactSum()

  /// The distinct inputs of the estimators, and the one of each.
  let inputs: [Input]
  private let inputOfEstimator: [Int]
  private let logged: Int

  init(_ estimators: [any OffPolicyEstimator], _ intervals: [any IntervalMethod]) {
    estimates = estimators.map { OffPolicyEstimate($0, intervals: intervals) }
    var inputs = [Input(model: .none, weights: .logged)]
    var places: [Int] = []
    for estimator in estimators {
      let input = Input(model: estimator.rewardModel, weights: estimator.weights)
      let place = inputs.firstIndex(of: input) ?? inputs.count
      if place == inputs.count { inputs.append(input) }
      places.append(place)
    }
    self.inputs = inputs
    inputOfEstimator = places
    logged = 0
  }

  /// Adds the decisions of a unit, in the form of each of the ``inputs``.
  ///
  /// - Parameters:
  ///   - decisions: The decisions for each input.
  ///   - key: A hash of the unit.
  mutating func add(unit decisions: [[LoggedDecision]], key: UInt64) {
    for decision in decisions[logged] { weights.add(decision) }
    for estimator in estimates.indices {
      let unit = decisions[inputOfEstimator[estimator]]
      estimates[estimator].add(unit: unit.span, key: key)
    }
  }

  /// Adds what the policy would choose beside the choices.
  mutating func add(support choices: TargetProbabilities.Choices, _ row: EvaluationRow) {
    let sum = choices.probabilities.reduce(0, +)
    if sum < 1 - 1e-9 { unsupported.add(1 - sum) }
  }

  mutating func merge(_ other: PolicyTally) {
    for estimator in estimates.indices {
      estimates[estimator].merge(other.estimates[estimator])
    }
    weights.merge(other.weights)
    undecided += other.undecided
    notFinite += other.notFinite
    unsupported.merge(other.unsupported)
  }
}
