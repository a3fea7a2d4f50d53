/// A policy state that can compute the probabilities of its next decision before the draw.
///
/// Agents, which draw for themselves and log each propensity, need this, as do recorded simulations. The probabilities
/// must be a function of the decisions and rewards so far: apart from the draw, no random number may influence them, so
/// that the state can be rebuilt from a log of decisions and rewards.
///
/// The states of most policies provide them themselves. If the probabilities follow from counts and sums alone, conform
/// the policy to ``AllocationPolicy`` instead: ``AllocatedState`` then derives this capability.
public protocol AllocatingState: PolicyState {
  /// Whether the probabilities are available with the given parameters (default: true).
  var canAllocate: Bool { get }

  /// The probabilities of all variants at the next decision.
  var allocation: Allocation { get }

  /// Returns the probability with which the next decision chooses a variant, if decisions alone, without rewards, do
  /// not change it; otherwise NaN (the default).
  ///
  /// Policies that wrap others, such as ``Floor``, ask for it after a decision, to compute the exact propensities of
  /// their own choices.
  func probability(of variant: Int) -> Double

  /// Records which variant the next decision chose, as ``PolicyState/choose(_:_:)`` does by itself.
  ///
  /// The variant may have zero probability, when something other than the policy made the choice. Does nothing by
  /// default.
  mutating func note(_ variant: Int)

  /// Whether learning draws random numbers for some rewards, those that ``refusal(of:)`` rejects (default: false).
  var learningIsRandomized: Bool { get }

  /// Returns why the policy cannot use a reward, in one line that says how to fix it; nil (the default) if it can.
  func refusal(of reward: Double) -> String?
}

extension AllocatingState {
  public var canAllocate: Bool { true }

  public func probability(of variant: Int) -> Double { .nan }

  public mutating func note(_ variant: Int) {}

  public var learningIsRandomized: Bool { false }

  public func refusal(of reward: Double) -> String? { nil }
}

extension VariantAvailability {
  /// The probabilities with which ``unchosen(_:)`` picks the variants; nil if it picks none.
  var unchosenAllocation: Allocation? {
    isSettled ? nil : Allocation(probabilities: indices.map { unchosenShare(of: $0) ?? 0 })
  }
}
