public import Statistics

/// The state of an ``AllocationPolicy`` that counts for itself; draws from the probabilities, as an agent does.
public struct AllocatedState<P: AllocationPolicy>: AllocatingState {
  private let policy: P
  private(set) var table: ArmTable

  /// Creates the state before the first decision.
  public init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
  }

  /// The probabilities given the tallies, restricted to the available variants.
  public var allocation: Allocation {
    var allocation = policy.allocation(over: table.arms)
    if let available = table.roster.available {
      allocation.probabilities = allocation.probabilities.restricted(to: available)
    }
    return allocation
  }

  public func probability(of variant: Int) -> Double { allocation.probabilities[variant] }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    Choice(from: allocation.probabilities, &random)
  }

  @inline(__always)
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}
