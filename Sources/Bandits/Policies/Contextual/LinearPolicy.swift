public import Specifications
public import Statistics

/// A policy that chooses by linear regressions of the rewards on the context, from the predicted mean of each variant
/// and its uncertainty.
///
/// The feature vector x of a variant is the shared features followed by those of the variant. With `models=each` each
/// variant has its own model; with `models=one` all share one, which needs variant features, and generalizes to
/// variants never chosen. Missing or non-finite features count as 0. There is no implicit intercept: `intercept=yes`
/// adds a feature that is always 1.
public protocol LinearPolicy: Policy where State == LinearState<Self> {
  /// The models and their features.
  var options: LinearOptions { get }

  /// Whether the policy uses ``LinearPredictions/spreads``.
  static var needsSpreads: Bool { get }

  /// Returns the variant to choose.
  ///
  /// - Parameters:
  ///   - beliefs: The predictions.
  ///   - random: The source of randomness.
  /// - Returns: The variant and its propensity.
  func decide(_ beliefs: inout LinearPredictions, _ random: inout Xoshiro256) -> Choice
}

extension LinearPolicy {
  public static var needsContext: Bool { true }

  public static var supportsUnavailableVariants: Bool { true }

  public func makeState(_ problem: Problem) throws(SpecificationError) -> LinearState<Self> {
    try LinearState(self, problem)
  }
}

/// The predictions for each variant at a decision.
public struct LinearPredictions: Sendable {
  var models: LinearModels
  var table: ArmTable
  /// The range of rewards, if known.
  let range: ClosedRange<Double>?
  /// Scratch space of one number per variant.
  var room: [Double]

  /// The predicted mean reward of each variant: θ·x.
  public var means: [Double] { models.means }
  /// xᵀA⁻¹x of each variant: the variance of its prediction, in units of the variance of a reward.
  public var spreads: [Double] { models.spreads }
  /// The number of rewards learned.
  public var learned: Int { table.learned }

  init(_ models: LinearModels, _ problem: Problem) {
    self.models = models
    table = ArmTable(problem.variants)
    range = problem.rewards
    room = [Double](repeating: 0, count: problem.variants)
  }
}

/// The state of a ``LinearPolicy``.
public struct LinearState<P: LinearPolicy>: PolicyState {
  private let policy: P
  private(set) var beliefs: LinearPredictions

  init(_ policy: P, _ problem: Problem) throws(SpecificationError) {
    self.policy = policy
    beliefs = LinearPredictions(
      try LinearModels(problem, policy.options, of: P.info.name), problem)
  }

  /// Chooses by the predictions for this context.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    beliefs.models.look(context, spreads: P.needsSpreads)
    return policy.decide(&beliefs, &random)
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    beliefs.table.learn(choice.variant, reward)
    beliefs.models.learn(choice.variant, reward, context)
  }

  public mutating func offer(_ available: [Bool]) { beliefs.table.offer(available) }
}
