public import Statistics

/// The state of an ``ExploreThenCommit`` policy, which computes its probabilities only where they change.
///
/// They are those of ``ExploreThenCommit/allocation(over:)``.
public struct CommitmentState: AllocatingState {
  private let policy: ExploreThenCommit
  private var tallies: AllocatedState<ExploreThenCommit>
  /// The variants to explore, in ascending order, all equally likely; empty if the probabilities are in `shares`.
  private var exploring: [Int] = []
  private var shares: [Double] = []
  /// Whether `exploring` and `shares` are those of the next decision.
  private var isCurrent = false
  /// The place of the last choice among the variants to explore.
  private var place = 0
  /// The only variant with more pulls than each explores; −1 while there is none.
  private var committed = -1

  init(_ policy: ExploreThenCommit, _ problem: Problem) {
    self.policy = policy
    tallies = AllocatedState(policy, problem)
  }

  public var allocation: Allocation { tallies.allocation }

  public func probability(of variant: Int) -> Double { tallies.probability(of: variant) }

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
    if exploring.isEmpty { return Choice(from: shares, &random) }
    place = Draw.index(amongEqual: exploring.count, using: &random)
    return Choice(exploring[place], propensity: 1 / Double(exploring.count))
  }

  @inline(__always)
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    tallies.learn(choice, reward, context)
    let arm = tallies.table.arms[variant]
    let isFinite = arm.sum.isFinite && arm.squares.isFinite
    if variant != committed || !isFinite { committed = -1 }
    if isCurrent { isCurrent = isFinite && keepsExploring(after: variant) }
  }

  /// Removes a variant from those to explore. Returns whether there are others, which are then the next ones.
  private mutating func keepsExploring(after variant: Int) -> Bool {
    guard exploring.count > 1 else { return false }
    if exploring[place] != variant {
      guard let other = exploring.firstIndex(of: variant) else { return true }
      place = other
    }
    exploring.remove(at: place)
    place = 0
    return true
  }

  private mutating func update() {
    let arms = tallies.table.arms
    let isSound = arms.flaw == nil
    isCurrent = true
    exploring = isSound ? policy.exploring(arms) : []
    place = 0
    guard exploring.isEmpty else { return }
    shares = allocation.probabilities
    if isSound { committed = policy.committed(arms) ?? -1 }
  }
}

extension Draw {
  /// Returns an index below a count, as a draw with that many equal weights that add up to 1 does, wherever weights of
  /// 0 are among them.
  static func index(
    amongEqual count: Int, using random: inout some RandomNumberGenerator
  ) -> Int {
    let unit = Draw.unit(using: &random)
    let place = unit * Double(count)
    let part = place - Double(Int(place))
    // Sums and differences of `count` weights are off by less than this, in units of a weight.
    let margin = 0x1p-50 * Double(count) * Double(count)
    if part > margin, part < 1 - margin { return Int(place) }
    return index(of: unit, amongEqual: count)
  }

  /// Goes through the weights one by one.
  @inline(never)
  private static func index(of unit: Double, amongEqual count: Int) -> Int {
    let weight = 1 / Double(count)
    var rest = unit * (0..<count).reduce(0.0) { (sum, _) in sum + weight }
    for index in 0..<count {
      if rest < weight { return index }
      rest -= weight
    }
    return count - 1
  }
}
