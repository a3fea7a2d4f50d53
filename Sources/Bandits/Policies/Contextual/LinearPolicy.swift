public import Statistics

/// A policy that chooses by linear regressions of the rewards on the context: how likely which variant is follows from
/// the mean that is predicted for each, and how uncertain that is.
///
/// A variant x is described by what describes the decision, followed by what describes the variant. With `models=each`
/// each variant has a model of its own; with `models=one` all share one, which needs variants that are described, and
/// can also judge variants that were never chosen. Numbers of a context that are missing or not finite count as 0.
/// There is no hidden intercept: `intercept=yes` adds a feature that is always 1.
public protocol LinearPolicy: Policy where State == LinearState<Self> {
  /// Whether it looks at ``LinearBeliefs/spreads``.
  static var needsSpreads: Bool { get }

  /// The variant to choose.
  ///
  /// - Parameters:
  ///   - beliefs: What is predicted.
  ///   - random: Where the randomness comes from.
  /// - Returns: The variant, and its propensity.
  func decide(_ beliefs: inout LinearBeliefs, _ random: inout Xoshiro256) -> Choice
}

extension LinearPolicy {
  /// Without a context there is nothing to choose by.
  public static var needsContext: Bool { true }

  /// The best of those that are there.
  public static var takesAbsence: Bool { true }
}

/// What is predicted of each variant at a decision.
public struct LinearBeliefs: Sendable {
  var models: LinearModels
  var table: ArmTable
  /// Where rewards lie, if that is known.
  let range: ClosedRange<Double>?
  /// Room for one number for each variant.
  var room: [Double]

  /// The predicted mean reward of each variant: θ·x.
  public var means: [Double] { models.means }
  /// xᵀA⁻¹x of each variant: the variance of its prediction, in units of that of a reward.
  public var spreads: [Double] { models.spreads }
  /// How many rewards were learned.
  public var learned: Int { table.learned }

  init(_ problem: Problem, _ options: LinearModels.Options) throws(SpecificationError) {
    models = try LinearModels(problem, options)
    table = ArmTable(problem.variants)
    range = problem.rewards
    room = [Double](repeating: 0, count: problem.variants)
  }

  /// Whether a variant is there.
  @inline(__always)
  func isThere(_ variant: Int) -> Bool { table.available?[variant] ?? true }

  /// How many variants are there.
  @inline(__always)
  var thereCount: Int { table.available.map { $0.count { $0 } } ?? room.count }
}

/// What a ``LinearPolicy`` has learned.
public struct LinearState<P: LinearPolicy>: PolicyState {
  private let policy: P
  private(set) var beliefs: LinearBeliefs

  init(_ policy: P, _ problem: Problem, _ options: LinearModels.Options) throws(SpecificationError)
  {
    self.policy = policy
    beliefs = try LinearBeliefs(problem, options)
  }

  /// What the policy decides by the predictions for this context.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    beliefs.models.look(context, spreads: P.needsSpreads)
    return policy.decide(&beliefs, &random)
  }

  /// Teaches the model of the variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    beliefs.table.learn(choice.variant, reward)
    beliefs.models.learn(choice.variant, reward, context)
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { beliefs.table.offer(available) }
}
