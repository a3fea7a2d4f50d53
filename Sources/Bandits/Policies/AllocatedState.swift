public import Statistics

/// The state of a policy whose probabilities follow from tallies; draws from them, as an agent does.
public struct AllocatedState<P: AllocationPolicy>: SharingState, AllocatingState {
  private let policy: P
  private var table: ArmTable

  /// Creates the state before the first decision.
  public init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
  }

  private var shares: [Double] { allocation.probabilities }

  /// The probabilities given the tallies, restricted to the available variants.
  public var allocation: Allocation {
    var allocation = policy.allocation(over: table.arms)
    if let available = table.available {
      allocation.probabilities = allocation.probabilities.restricted(to: available)
    }
    return allocation
  }

  func probability(of variant: Int) -> Double { shares[variant] }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let shares = shares
    let variant = Draw.index(weights: shares, using: &random)
    return Choice(variant, propensity: shares[variant])
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
