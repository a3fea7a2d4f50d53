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

  /// Returns the weight by which the reward of a decision corrects the reward model's prediction; nil for the whole
  /// weight, which is the default.
  ///
  /// The standard error of an estimate does not have the error of the model. It is one only where the rewards correct
  /// the model with most of their weight.
  func correction(of decision: LoggedDecision) -> Double?

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

  /// Returns sums without decisions.
  func makeSums() -> Sums
}

extension OffPolicyEstimator {
  /// Creates the estimator of a specification; those that it names are built-in ones.
  ///
  /// - Throws: ``SpecificationError`` if a parameter is unknown or invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, .standard)
  }

  public var rewardModel: RewardModelUse { .none }
  public func correction(of decision: LoggedDecision) -> Double? { nil }
  public var weights: WeightKind { .logged }
  public var usesWeightsAlone: Bool { false }
  public var judgesWholeDecisions: Bool { false }
  public var distinguishesLoggers: Bool { weights == .mixture }
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
