public import Statistics

/// What a policy is told before its first decision.
public struct Problem: Hashable, Sendable {
  /// How many variants there are, at least 1.
  public var variants: Int
  /// How many decisions there will be. Policies that have no need of it must not look at it.
  public var horizon: Int
  /// How many numbers describe a decision to all variants alike; 0 without a context.
  public var sharedFeatures: Int
  /// How many numbers describe each variant at a decision; 0 without.
  public var variantFeatures: Int

  /// Where all rewards lie; nil when they may be anything.
  public var rewards: ClosedRange<Double>?
  /// Whether variants are missing at times.
  public var variantsComeAndGo = false

  /// Describes a problem.
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

/// What is known at a decision before it is made.
public struct Context: Sendable {
  /// What describes the decision, ``Problem/sharedFeatures`` numbers.
  public var shared: [Double]
  /// What describes the variants, ``Problem/variantFeatures`` numbers for each, one variant after the other.
  public var variants: [Double]

  /// Makes a context; nothing is known by default.
  public init(shared: [Double] = [], variants: [Double] = []) {
    self.shared = shared
    self.variants = variants
  }

  /// Nothing is known.
  @inlinable public static var none: Context { Context() }
}

/// What a policy decided.
public struct Choice: Hashable, Sendable {
  /// The index of the variant.
  public var variant: Int
  /// The probability with which it was chosen, given everything that was known; NaN where the policy cannot say it
  /// without an integral.
  public var propensity: Double
  /// What the policy wants to be told again with the reward.
  public var memo: Int

  /// Makes a choice; one without alternatives by default.
  @inlinable
  public init(_ variant: Int, propensity: Double = 1, memo: Int = 0) {
    self.variant = variant
    self.propensity = propensity
    self.memo = memo
  }
}

/// A way to choose among variants and to learn from rewards: its parameters, which never change.
public protocol Policy: Sendable {
  /// What the policy has learned within one run.
  associatedtype State: PolicyState

  /// Its name, parameters and source.
  static var guide: Guide { get }

  /// How the policy is written, with the parameters that were given.
  var specification: Specification { get }

  /// Whether it can do without variants that are not there for a while, see ``PolicyState/offer(_:)``.
  static var takesAbsence: Bool { get }

  /// Whether only rewards in 0 ... 1 have a meaning for it.
  static var needsUnitRewards: Bool { get }

  /// Whether it chooses by what is known at a decision, and has nothing to choose by without.
  static var needsContext: Bool { get }

  /// Why no agent can draw by it, as words that go on after "it cannot serve an agent:"; nil for one that an agent can
  /// draw by, and for one whose probabilities are just not known before it draws.
  static var agentRefusal: String? { get }

  /// Whether it follows from ``Problem/horizon`` what it does, unless more is written.
  var needsHorizon: Bool { get }

  /// Makes the policy from what was written.
  ///
  /// - Parameters:
  ///   - specification: The name and the parameters, whose keys are known to be in the guide.
  ///   - variants: The names of the variants in their order.
  /// - Throws: `SpecificationError` when a value cannot be used.
  init(_ specification: Specification, variants: [String]) throws(SpecificationError)

  /// What it knows before the first decision.
  ///
  /// - Throws: `SpecificationError` when it is not for such a problem.
  func makeState(_ problem: Problem) throws(SpecificationError) -> State
}

extension Policy {
  /// All variants must always be there.
  public static var takesAbsence: Bool { false }

  /// Any reward will do.
  public static var needsUnitRewards: Bool { false }

  /// It does not look at contexts.
  public static var needsContext: Bool { false }

  /// Nothing in its way, or its probabilities.
  public static var agentRefusal: String? {
    needsContext ? "it chooses by a context, which an agent does not tell it" : nil
  }

  /// It is the same however many decisions there will be.
  public var needsHorizon: Bool { false }
}

/// What a policy has learned within one run.
///
/// Decisions and rewards may come in any order, and rewards late, in batches or never.
public protocol PolicyState: Sendable {
  /// Makes the next decision.
  ///
  /// - Parameters:
  ///   - context: What is known; policies without contexts do not look at it.
  ///   - random: Where all the randomness comes from.
  /// - Returns: The variant, and its propensity.
  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice

  /// Learns what came of a decision.
  ///
  /// - Parameters:
  ///   - choice: The decision as it was made.
  ///   - reward: Its reward, a finite number.
  ///   - context: What was known at the decision.
  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context)

  /// Whether it is told the rewards of all variants, also of those that it did not choose, wherever they are known. It
  /// stays the same for all of a run.
  var wantsAllRewards: Bool { get }

  /// Learns what came of a decision, and what would have come of the others.
  ///
  /// Called in place of ``learn(_:_:_:)`` if ``wantsAllRewards``, at the same time: when the reward of the choice is told,
  /// which may be late or never. Where the other rewards are not known, such as in a log or for a policy within another
  /// one, ``learn(_:_:_:)`` is called all the same.
  ///
  /// - Parameters:
  ///   - choice: The decision as it was made.
  ///   - rewards: The reward of each variant at the step of the decision, finite numbers.
  ///   - context: What was known at the decision.
  mutating func learnAll(_ choice: Choice, _ rewards: [Double], _ context: Context)

  /// Says which variants there are from now on. Called only for policies with ``Policy/takesAbsence``.
  mutating func offer(_ available: [Bool])

  /// The variant that it would name as the best one now; nil for the one that was chosen most often.
  var recommendation: Int? { get }

  /// Whether it is sure of its recommendation, and explores no more.
  var hasStopped: Bool { get }
}

extension PolicyState {
  /// The reward of the choice is enough.
  @inline(__always)
  public var wantsAllRewards: Bool { false }

  /// Only the reward of the choice counts.
  public mutating func learnAll(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    learn(choice, rewards[choice.variant], context)
  }

  /// Policies that need all variants.
  public mutating func offer(_ available: [Bool]) {}

  /// The variant that was chosen most often.
  public var recommendation: Int? { nil }

  /// Policies that never stop.
  public var hasStopped: Bool { false }
}
