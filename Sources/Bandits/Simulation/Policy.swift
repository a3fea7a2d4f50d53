public import Specifications
public import Statistics

/// The description of a bandit problem that a policy is given before its first decision.
public struct Problem: Hashable, Sendable {
  /// The number of variants, at least 1.
  public var variants: Int
  /// The number of decisions. Anytime policies must not use it.
  public var horizon: Int
  /// The number of features shared by all variants; 0 without a context.
  public var sharedFeatures: Int
  /// The number of features per variant; 0 if there are none.
  public var variantFeatures: Int

  /// The range of all rewards; nil if unbounded.
  public var rewards: ClosedRange<Double>?
  /// Whether variants can be temporarily unavailable.
  public var hasUnavailableVariants = false
  /// The attributes that contexts have besides their numbers; nil (the default) if they have none.
  public var attributes: ContextAttributes?

  /// Creates a problem.
  public init(
    variants: Int, horizon: Int, sharedFeatures: Int = 0, variantFeatures: Int = 0,
    rewards: ClosedRange<Double>? = nil
  ) {
    self.variants = variants
    self.horizon = horizon
    self.sharedFeatures = sharedFeatures
    self.variantFeatures = variantFeatures
    self.rewards = rewards
  }
}

/// The features observed before a decision.
public struct Context: Sendable {
  /// The features shared by all variants, ``Problem/sharedFeatures`` numbers.
  public var shared: [Double]
  /// The features of the variants, ``Problem/variantFeatures`` numbers per variant, one variant after the other.
  public var variants: [Double]
  /// The number by which ``Problem/attributes`` know the context; -1 (the default) if they do not.
  public var number: Int

  /// Creates a context, empty by default.
  public init(shared: [Double] = [], variants: [Double] = [], number: Int = -1) {
    self.shared = shared
    self.variants = variants
    self.number = number
  }

  /// The empty context.
  @inlinable public static var none: Context { Context() }
}

/// A decision of a policy.
public struct Choice: Hashable, Sendable {
  /// The index of the variant.
  public var variant: Int
  /// The probability of the choice given the history; NaN if the policy could only compute it as an integral.
  public var propensity: Double
  /// A value that the policy gets back with the reward.
  public var memo: Int

  /// Creates a choice; with probability 1 by default.
  @inlinable
  public init(_ variant: Int, propensity: Double = 1, memo: Int = 0) {
    self.variant = variant
    self.propensity = propensity
    self.memo = memo
  }
}

/// A bandit policy, described by immutable parameters; what it learns is in its ``Policy/State``.
public protocol Policy: Specified where ParameterSources == PolicySources {
  /// The state that the policy has learned within one run.
  associatedtype State: PolicyState

  /// Whether the policy supports temporarily unavailable variants, see ``PolicyState/offer(_:)`` (default: false).
  static var supportsUnavailableVariants: Bool { get }

  /// Whether the policy requires rewards in 0 ... 1 (default: false).
  static var needsUnitRewards: Bool { get }

  /// Whether the policy requires a context (default: false).
  static var needsContext: Bool { get }

  /// Why an agent cannot use the policy, as words that follow "it cannot serve an agent:"; nil if an agent can, or if
  /// the only reason is that the probabilities are not known before the draw. By default only contextual policies have
  /// a reason.
  static var agentIncompatibility: String? { get }

  /// Whether the policy's behavior depends on ``Problem/horizon`` with the parameters that were given (default: false).
  var needsHorizon: Bool { get }

  /// Returns the state before the first decision.
  ///
  /// - Throws: `SpecificationError` if the policy does not support the problem.
  func makeState(_ problem: Problem) throws(SpecificationError) -> State

  /// Returns in a sentence that rewards are beyond the scale that the policy assumes, and what to set; nil (the
  /// default) if they are not, or it assumes none.
  func scaleNote(_ rewards: ClosedRange<Double>) -> String?
}

extension Policy {
  public func scaleNote(_ rewards: ClosedRange<Double>) -> String? { nil }

  public static var supportsUnavailableVariants: Bool { false }

  public static var needsUnitRewards: Bool { false }

  public static var needsContext: Bool { false }

  public static var agentIncompatibility: String? {
    needsContext ? "it chooses by a context, which an agent does not provide" : nil
  }

  public var needsHorizon: Bool { false }
}

extension Policy {
  /// Creates the policy that a specification describes, from built-in policies if it wraps others.
  ///
  /// - Throws: `SpecificationError` if a parameter is invalid.
  public init(
    _ specification: Specification, variants: [String] = []
  ) throws(SpecificationError) {
    try self.init(specification, PolicySources(variants: variants))
  }
}

/// The state that a policy has learned within one run.
///
/// Rewards may arrive late, out of order, in batches or never.
public protocol PolicyState: Sendable {
  /// Makes the next decision.
  ///
  /// - Parameters:
  ///   - context: The features of the decision; non-contextual policies ignore them.
  ///   - random: The only source of randomness.
  /// - Returns: The variant and its propensity.
  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice

  /// Updates the state with the reward of a decision.
  ///
  /// - Parameters:
  ///   - choice: The decision as it was made.
  ///   - reward: The reward, a finite number.
  ///   - context: The context of the decision.
  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context)

  /// Whether the policy uses the rewards of all variants (full information) where they are known (default: false). The
  /// value does not change within a run.
  var usesFullInformation: Bool { get }

  /// Updates the state with the rewards of all variants at a decision.
  ///
  /// Called in place of ``learn(_:_:_:)`` if ``usesFullInformation`` is true, when the reward of the choice becomes
  /// known, which may be late or never. Where the other rewards are unknown, as in a log or for a policy within another
  /// one, ``learn(_:_:_:)`` is called instead. By default only the reward of the choice is learned.
  ///
  /// - Parameters:
  ///   - choice: The decision as it was made.
  ///   - rewards: The reward of each variant at the step of the decision, finite numbers.
  ///   - context: The context of the decision.
  mutating func learnFullInformation(_ choice: Choice, _ rewards: [Double], _ context: Context)

  /// Makes decisions of a run with immediate rewards and no context at once, if that takes less time than
  /// ``choose(_:_:)`` and ``learn(_:_:_:)``, which would have made the same decisions with the same random words.
  ///
  /// By default makes none. ``hasStopped`` is not read in between.
  ///
  /// - Parameters:
  ///   - steps: The next steps of the run.
  ///   - run: The rewards.
  ///   - choices: The number of times each variant was chosen, to which these decisions are added.
  ///   - reward: The sum of the rewards, to which those of these decisions are added in order.
  ///   - random: The only source of randomness.
  /// - Returns: The number of decisions that were made, from 0. The next one is made by ``choose(_:_:)``.
  mutating func advance(
    _ steps: Range<Int>, of run: StationaryRun, _ choices: inout MutableSpan<Int>,
    _ reward: inout Double, _ random: inout Xoshiro256
  ) -> Int

  /// Sets which variants are available from now on. Called only for policies with
  /// ``Policy/supportsUnavailableVariants``.
  mutating func offer(_ available: [Bool])

  /// The variant recommended as the best one; nil (the default) for the most often chosen one.
  var recommendation: Int? { get }

  /// Whether the policy is confident in its recommendation and has stopped exploring (default: false).
  var hasStopped: Bool { get }
}

extension PolicyState {
  @inline(__always)
  public var usesFullInformation: Bool { false }

  public mutating func learnFullInformation(
    _ choice: Choice, _ rewards: [Double], _ context: Context
  ) {
    learn(choice, rewards[choice.variant], context)
  }

  @inline(__always)
  public mutating func advance(
    _ steps: Range<Int>, of run: StationaryRun, _ choices: inout MutableSpan<Int>,
    _ reward: inout Double, _ random: inout Xoshiro256
  ) -> Int { 0 }

  public mutating func offer(_ available: [Bool]) {}

  public var recommendation: Int? { nil }

  public var hasStopped: Bool { false }
}
