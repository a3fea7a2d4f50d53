public import Specifications

/// An estimator of the value of a target policy from the log of another policy.
///
/// With w the weight of a decision, r its reward, q the model's prediction for the chosen variant and v its prediction
/// for the target policy (``LoggedDecision``). Most estimators are a mean plus a ratio of sums of terms of single
/// decisions (``TermEstimator``). A program adds estimators of its own to an ``EstimatorCatalog``.
public protocol OffPolicyEstimator: Specified where ParameterSources == EstimatorCatalog {
  /// The type of the sums from which the estimate follows.
  associatedtype Sums: EstimatorSums

  /// The reward model whose predictions the decisions must have. The default is none.
  var rewardModel: RewardModelUse { get }

  /// Returns the weight with which the estimate takes the reward of a decision, or by which the reward corrects the
  /// reward model's prediction. The default is the importance weight.
  ///
  /// The standard error of an estimate has neither the error of the model nor that of weights which are cut. It is one
  /// only where the rewards have most of their weight.
  func weight(of decision: LoggedDecision) -> Double

  /// The kind of importance weights that the decisions must have. The default is those of the logged propensities.
  var weights: WeightKind { get }

  /// Whether the estimate is of weights and rewards alone, with the weights unchanged. Intervals for the value of the
  /// target policy that are functions of these apply to it. The default is false.
  var usesWeightsAlone: Bool { get }

  /// Whether the estimate is of whole decisions, whose rewards are the sums of those of their slots. The decisions of a
  /// unit then say which of them continue the one before (``LoggedDecision/isContinuation``), and the number of
  /// decisions is that of whole ones. The default is false: every slot is a decision of its own.
  var judgesWholeDecisions: Bool { get }

  /// Whether the estimate or its weights depend on which logging policy made a decision (``LoggedDecision/logger``).
  /// The default is whether the weights are those of a mixture.
  var distinguishesLoggers: Bool { get }

  /// Whether the estimate takes the decisions with weight all alike, as those on which the target policy agrees. It is
  /// one only of a policy that is sure of its choice, and without bias only if the propensities of these decisions are
  /// equal. The default is false.
  var countsMatches: Bool { get }

  /// Returns sums without decisions.
  func makeSums() -> Sums

  /// Adds a number of units with the same decisions, at least one.
  func add(unit decisions: Span<LoggedDecision>, times: Int, to sums: inout Sums)

  /// Returns the estimated value of the target policy; nil if the decisions do not determine it.
  func value(of sums: Sums) -> Double?

  /// Returns the standard error of the value, by unit; nil for fewer than two units, or without a value.
  func standardError(of sums: Sums) -> Double?

  /// Returns the specification of the estimator chosen by the decisions, for an estimator that chooses; nil for others,
  /// which is the default, and before there is a choice.
  func choice(of sums: Sums) -> Specification?
}

/// The sums behind the estimate of one off-policy estimator.
///
/// Results depend neither on the order of the decisions, nor on how they were split into parts that are merged. The
/// *unit* is the observation: decisions added one by one are units of their own, and a unit with several decisions is
/// added at once.
public protocol EstimatorSums: StateField, Equatable {
  /// Sums of values of the units, which have the numbers of units and of decisions.
  var moments: MomentSums { get }
}

extension OffPolicyEstimator {
  /// Creates the estimator of a specification; those that it names are built-in ones.
  ///
  /// - Throws: ``SpecificationError`` if a parameter is unknown or invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, .standard)
  }

  public var rewardModel: RewardModelUse { .none }
  public func weight(of decision: LoggedDecision) -> Double { decision.weight }
  public var weights: WeightKind { .logged }
  public var usesWeightsAlone: Bool { false }
  public var judgesWholeDecisions: Bool { false }
  public var countsMatches: Bool { false }
  public var distinguishesLoggers: Bool { weights == .mixture }
  public func choice(of sums: Sums) -> Specification? { nil }

  /// Returns the term of a decision with a weight in an estimate that is a mean: doubly robust with a model, and weight
  /// times reward without.
  func term(_ weight: Double, _ decision: LoggedDecision) -> Double {
    rewardModel == .none ? weight * decision.reward : decision.doublyRobust(weight)
  }
}

/// How an estimator uses a reward model.
public enum RewardModelUse: String, Sendable, Hashable, CaseIterable {
  /// It uses none.
  case none
  /// It uses a model fitted to the rewards of the decisions, all with the same weight.
  case unweighted
  /// It uses a model fitted to the decisions with the weights of ``fitWeight(target:propensity:)``, which minimize the
  /// variance of the doubly robust estimate.
  case varianceMinimizing

  /// Returns the weight of a decision in the fit of the model: π(1 − p)/p² to minimize the variance, and 1 otherwise.
  ///
  /// M. Farajtabar, Y. Chow and M. Ghavamzadeh, "More robust doubly robust off-policy evaluation" (ICML 2018), for a
  /// deterministic target policy, where π is 0 or 1.
  ///
  /// - Parameters:
  ///   - target: The target policy's probability of the chosen variant, π.
  ///   - propensity: The logging policy's probability, p, in (0, 1].
  /// - Returns: The weight, not negative.
  public func fitWeight(target: Double, propensity: Double) -> Double {
    guard self == .varianceMinimizing else { return 1 }
    return target * (1 - propensity) / (propensity * propensity)
  }
}

/// The kinds of importance weights.
public enum WeightKind: String, Sendable, Hashable, CaseIterable {
  /// The target policy's probability of the chosen variant over the logged propensity.
  case logged
  /// The target policy's probability of the chosen variant over a propensity estimated from the log.
  case balanced
  /// The target policy's probability of the chosen variant's group over the logging policy's probability of the group.
  case marginal
  /// The target policy's probability of the chosen variant over the mean of all logging policies' probabilities of it,
  /// by their shares of the decisions.
  case mixture
}
