/// The counts and sums of the rewards of one choice.
public struct ArmTally: Hashable, Sendable, Codable {
  /// The number of decisions for the choice.
  public var decisions: Int
  /// The number of those decisions that earned a reward.
  public var rewarded: Int
  /// The sum of the rewards.
  public var sum: Double
  /// The sum of the squared rewards.
  public var squares: Double

  /// Creates a tally, empty by default.
  public init(decisions: Int = 0, rewarded: Int = 0, sum: Double = 0, squares: Double = 0) {
    self.decisions = decisions
    self.rewarded = rewarded
    self.sum = sum
    self.squares = squares
  }
}

/// The probabilities of the next choice.
public struct Allocation: Hashable, Sendable {
  /// The probability of each choice, in order; they add up to 1 to within rounding.
  public var probabilities: [Double]
  /// A bound on the numerical error of a probability; 0 for a closed form.
  public var error: Double
  /// Why the policy could not use the tallies, in one line that says how to fix it; nil if it could.
  ///
  /// The probabilities are then equal and still exact: a choice drawn from them has the stated propensity.
  public var refusal: String?

  /// Creates an allocation.
  public init(probabilities: [Double], error: Double = 0, refusal: String? = nil) {
    self.probabilities = probabilities
    self.error = error
    self.refusal = refusal
  }
}

/// A policy that computes the probabilities of its next choice from tallies.
///
/// A choice drawn from these probabilities has exactly the logged propensity, even if they were computed numerically.
/// Agents and experiments, which keep counts rather than the decisions in order, compute them directly; everywhere else
/// ``AllocatedState`` turns the policy into an ``AllocatingState``. It is also the policy's own state unless the policy
/// declares a faster one, which then need not know any probabilities.
public protocol AllocationPolicy: Policy {
  /// Returns the probabilities of the choices.
  ///
  /// Accepts any tallies. Those that the policy cannot use, such as negative counts, or rewards outside 0 ... 1 where
  /// it requires them, give equal probabilities and a reason (``Allocation/refusal``).
  ///
  /// - Parameter arms: The tally of each choice; empty for none.
  /// - Returns: The probability of each choice, in order.
  func allocation(over arms: [ArmTally]) -> Allocation
}

extension AllocationPolicy where State == AllocatedState<Self> {
  public func makeState(_ problem: Problem) -> AllocatedState<Self> {
    AllocatedState(self, problem)
  }
}

extension AllocationPolicy {
  /// Returns the state that draws from the probabilities, also if the policy has another one of its own.
  func makeAllocatedState(_ problem: Problem) -> any AllocatingState {
    AllocatedState(self, problem)
  }
}
