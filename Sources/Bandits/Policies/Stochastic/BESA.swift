public import Specifications
public import Statistics

/// `besa`: best empirical sampled average. Of two variants, the one with more rewards is subsampled without replacement
/// to as many rewards as the other has, and the larger mean wins.
///
/// A. Baransi, O.-A. Maillard and S. Mannor, "Sub-sampling for multi-armed bandits" (ECML PKDD 2014), algorithm 1 for
/// two variants, algorithm 2 for more: a tournament in random order, by repeated halving. With equal means the variant
/// with fewer rewards wins, and with equally many either, at random. Stores all rewards, and a decision takes time
/// proportional to the rewards of the variants with fewer.
public struct BESA: Policy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "besa", "a tournament of means over equally many rewards, drawn without replacement",
    source: "Baransi, Maillard and Mannor 2014, algorithms 1 and 2")

  public static var agentIncompatibility: String? {
    "it compares random samples of rewards, so that the probability that one wins is unknown"
  }

  public func makeState(_ problem: Problem) -> BESAState { BESAState(problem.variants) }
}

/// The state of a run: the rewards.
public struct BESAState: PolicyState {
  private var table: ArmTable
  /// The rewards of each variant, in any order.
  private var rewards: [[Double]]
  /// The variants in the order of the tournament.
  private var order: [Int]

  init(_ variants: Int) {
    table = ArmTable(variants)
    rewards = [[Double]](repeating: [], count: variants)
    order = Array(0..<variants)
  }

  /// Chooses the winner of a tournament; its propensity is unknown.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.roster.unchosen(&random) { return first }
    for place in order.indices.dropLast() {
      order.swapAt(place, place + Draw.index(below: order.count - place, using: &random))
    }
    return Choice(winner(0..<order.count, &random), propensity: order.count == 1 ? 1 : .nan)
  }

  /// Stores the reward.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    rewards[choice.variant].append(reward)
  }

  /// Returns the winner among a range of the order; the first half is the smaller one.
  private mutating func winner(_ places: Range<Int>, _ random: inout Xoshiro256) -> Int {
    if places.count <= 1 { return order[places.lowerBound] }
    let middle = places.lowerBound + places.count / 2
    let first = winner(places.lowerBound..<middle, &random)
    let second = winner(middle..<places.upperBound, &random)
    return duel(first, second, &random)
  }

  private mutating func duel(_ one: Int, _ other: Int, _ random: inout Xoshiro256) -> Int {
    let (n, m) = (rewards[one].count, rewards[other].count)
    if n == m {
      let (sum, otherSum) = (table.arms[one].sum, table.arms[other].sum)
      if sum != otherSum { return sum > otherSum ? one : other }
      return Draw.index(below: 2, using: &random) == 0 ? one : other
    }
    let (fewer, more) = n < m ? (one, other) : (other, one)
    let sample = sampledSum(more, min(n, m), &random)
    return sample > table.arms[fewer].sum ? more : fewer
  }

  /// Returns the sum of a sample of a variant's rewards, drawn without replacement by swapping them to the front.
  private mutating func sampledSum(
    _ variant: Int, _ count: Int, _ random: inout Xoshiro256
  ) -> Double {
    var sum = 0.0
    let all = rewards[variant].count
    for place in 0..<count {
      rewards[variant].swapAt(place, place + Draw.index(below: all - place, using: &random))
      sum += rewards[variant][place]
    }
    return sum
  }
}
