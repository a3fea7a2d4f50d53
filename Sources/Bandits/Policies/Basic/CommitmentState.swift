public import Statistics

/// The state of an ``ExploreThenCommit`` policy, which computes its probabilities only where they change.
///
/// They are those of ``ExploreThenCommit/allocation(over:)``.
public struct CommitmentState: AllocatingState {
  private let policy: ExploreThenCommit
  private var table: ArmTable
  private var shares: [Double]
  private var isCurrent = false
  /// The only variant with more pulls than each explores; −1 while there is none.
  private var committed = -1

  init(_ policy: ExploreThenCommit, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
    shares = [Double](repeating: 0, count: problem.variants)
  }

  public var allocation: Allocation { policy.allocation(over: table.arms) }

  public func probability(of variant: Int) -> Double { allocation.probabilities[variant] }

  @inline(__always)
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if committed >= 0 {
      // The word that a draw from the probabilities takes.
      _ = Draw.unit(using: &random)
      return Choice(committed)
    }
    return draw(&random)
  }

  @inline(never)
  private mutating func draw(_ random: inout Xoshiro256) -> Choice {
    if !isCurrent { update() }
    let variant = Draw.index(weights: shares, using: &random)
    return Choice(variant, propensity: shares[variant])
  }

  @inline(__always)
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    table.learn(variant, reward)
    let arm = table.arms[variant]
    isCurrent = false
    if variant != committed || !arm.sum.isFinite || !arm.squares.isFinite { committed = -1 }
  }

  private mutating func update() {
    let arms = table.arms
    isCurrent = true
    let fewest = arms.reduce(Int.max) { min($0, $1.decisions) }
    guard arms.flaw == nil, fewest < policy.pulls else {
      shares = allocation.probabilities
      if let sure = shares.firstIndex(of: 1), arms[sure].decisions > policy.pulls {
        commit(to: sure)
      }
      return
    }
    let part = 1 / Double(arms.count { $0.decisions == fewest })
    for variant in shares.indices { shares[variant] = arms[variant].decisions == fewest ? part : 0 }
  }

  /// Commits to a variant if it is the only one with more pulls.
  private mutating func commit(to variant: Int) {
    let others = table.indices.count { $0 != variant && table.arms[$0].decisions > policy.pulls }
    if others == 0 { committed = variant }
  }
}
