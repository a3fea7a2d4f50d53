public import Statistics

/// `greedy`: the variant with the best mean so far, those never chosen first.
public struct Greedy: Policy, AllocationPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "greedy", "the best mean so far, those never chosen first",
    source: "Sutton and Barto 2018, section 2.2")

  /// The best of those that are there.
  public static let takesAbsence = true

  /// How it is written.
  public let specification: Specification

  /// Makes the policy, which has no parameters.
  public init(_ specification: Specification, variants: [String]) {
    self.specification = specification
  }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> GreedyState {
    GreedyState(problem.variants, exploration: 0)
  }

  /// Equal parts for the variants with the best mean.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy
  }
}

/// What a greedy policy has learned, which explores with some probability.
public struct GreedyState: PolicyState {
  /// The probability of a variant at random; it may change from step to step.
  var exploration: Double
  private var table: ArmTable
  /// By variant; infinite where a variant was chosen but its rewards are still to come.
  private var means: [Double]
  /// 1 over the number of variants there are to choose from.
  private var part: Double
  /// The only variant with the largest mean; nil where that is not known, or there are several.
  private var leader: Int?
  /// No other variant than the leader has a larger mean than this.
  private var bound = Double.infinity

  init(_ variants: Int, exploration: Double) {
    self.exploration = exploration
    table = ArmTable(variants)
    means = [Double](repeating: .infinity, count: variants)
    part = 1 / Double(variants)
  }

  /// Any variant, or the best.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if exploration > 0, Draw.unit(using: &random) < exploration { return explore(&random) }
    if let leader { return Choice(leader, propensity: exploited(1)) }
    var choice = table.unchosen(&random) ?? lead(&random)
    choice.propensity = exploited(choice.propensity)
    return choice
  }

  /// Adds the reward to the tally of its variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    table.learn(variant, reward)
    let mean = table.arms[variant].mean
    means[variant] = mean
    if variant == leader {
      if !(mean > bound) { leader = nil }
    } else if let current = leader, mean < means[current] {
      bound = max(bound, mean)
    } else {
      leader = nil
    }
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) {
    table.offer(available)
    part = 1 / Double(max(1, available.count { $0 }))
    leader = nil
  }

  /// How many variants there are to choose from.
  private var thereCount: Int { table.available.map { $0.count { $0 } } ?? means.count }

  /// The probability of what exploits with some probability.
  private func exploited(_ probability: Double) -> Double {
    exploration == 0
      ? probability : (1 - exploration) * probability + exploration * part
  }

  /// Any variant, which may be the one that would have been chosen anyway.
  private mutating func explore(_ random: inout Xoshiro256) -> Choice {
    var place = Draw.index(below: max(1, thereCount), using: &random)
    for variant in means.indices where table.available?[variant] ?? true {
      if place == 0 {
        let choice = Choice(variant, propensity: propensity(of: variant))
        table.settle(variant)
        return choice
      }
      place -= 1
    }
    return Choice(0)
  }

  /// The probability that a variant had, however it came to be chosen.
  private func propensity(of variant: Int) -> Double {
    if let leader { return exploited(leader == variant ? 1 : 0) }
    let first = table.unchosenShare(of: variant)
    if let first { return exploited(first) }
    let best = there.reduce(-Double.infinity) { max($0, means[$1]) }
    guard means[variant] == best else { return exploited(0) }
    return exploited(1 / Double(there.count { means[$0] == best }))
  }

  private var there: [Int] { means.indices.filter { table.available?[$0] ?? true } }

  /// The best variant; it stays so until its mean falls below that of another one.
  private mutating func lead(_ random: inout Xoshiro256) -> Choice {
    let choice = table.largest(&random) { means[$0] }
    guard choice.propensity == 1 else { return choice }
    var next = -Double.infinity
    for variant in there where variant != choice.variant { next = max(next, means[variant]) }
    (leader, bound) = (choice.variant, next)
    return choice
  }
}
