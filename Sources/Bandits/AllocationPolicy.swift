public import Statistics

/// What was learned of one choice: counts and sums of the rewards of its decisions.
public struct ArmTally: Hashable, Sendable, Codable {
  /// How many decisions chose it.
  public var decisions: Int
  /// How many of them earned a reward.
  public var rewarded: Int
  /// Sum of the rewards.
  public var sum: Double
  /// Sum of their squares.
  public var squares: Double

  /// Makes a tally; an empty one by default.
  public init(decisions: Int = 0, rewarded: Int = 0, sum: Double = 0, squares: Double = 0) {
    self.decisions = decisions
    self.rewarded = rewarded
    self.sum = sum
    self.squares = squares
  }
}

/// With which probability each choice is to be chosen next.
public struct Allocation: Hashable, Sendable {
  /// One probability for each choice, in their order; they add up to 1 to within rounding.
  public var probabilities: [Double]
  /// Bound on how far a probability may lie from the policy's own, where it is computed numerically; 0
  /// where there is a closed form.
  public var error: Double
  /// Why the policy could not use the tallies, in one line that says how to mend it; nil when it could.
  ///
  /// The probabilities are then equal, and just as true: what is drawn from them has the propensity that
  /// they say.
  public var refusal: String?

  /// Makes an allocation.
  public init(probabilities: [Double], error: Double = 0, refusal: String? = nil) {
    self.probabilities = probabilities
    self.error = error
    self.refusal = refusal
  }
}

/// A policy that says beforehand with which probability it chooses what, from what was learned so far.
///
/// A choice drawn from these probabilities has exactly the propensity that is logged, also where they were
/// computed numerically.
public protocol AllocationPolicy: Sendable {
  /// How the policy is written, with the parameters that were given.
  var specification: Specification { get }

  /// The probabilities of the choices.
  ///
  /// Any tallies will do. Those that the policy cannot use, such as negative counts, or rewards outside 0 to 1
  /// for a policy that needs them there, give equal probabilities and a reason (``Allocation/refusal``).
  ///
  /// - Parameter arms: What was learned of each choice; no choice gives no probability.
  /// - Returns: One probability for each choice, in their order.
  func allocation(over arms: [ArmTally]) -> Allocation
}
