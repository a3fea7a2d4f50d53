public import Specifications
public import Statistics

/// `greedy`: the variant with the best mean so far, those never chosen first.
public struct Greedy: AllocationPolicy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "greedy", "the best mean so far, those never chosen first",
    source: "Sutton and Barto 2018, section 2.2")

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> GreedyState {
    GreedyState(problem.variants, exploration: 0)
  }

  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    return arms.greedy
  }
}

/// The state of a greedy policy that explores with some probability.
public struct GreedyState: PolicyState {
  /// The sums that the mean of a variant needs, in one place.
  private struct Arm: Sendable {
    var count = 0.0
    var sum = 0.0
    /// Infinite if the variant was chosen but its rewards are pending.
    var mean = Double.infinity
  }

  /// The probability of exploring; it may change from step to step.
  var exploration: Double
  private var roster: VariantAvailability
  private var arms: [Arm]
  /// 1 divided by the number of available variants.
  private var part: Double
  /// The unique variant with the largest mean; −1 if unknown or tied.
  private var leader = -1
  /// An upper bound of the means of all variants but the leader.
  private var bound = Double.infinity

  init(_ variants: Int, exploration: Double) {
    self.exploration = exploration
    roster = VariantAvailability(variants)
    arms = [Arm](repeating: Arm(), count: variants)
    part = 1 / Double(variants)
  }

  @inline(__always)
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if exploration > 0, Draw.unit(using: &random) < exploration { return explore(&random) }
    if leader >= 0 { return Choice(leader, propensity: exploited(1)) }
    // Passed as a copy, so that the generator's words can stay in registers when this is inlined.
    var copy = random
    defer { random = copy }
    return lead(&copy)
  }

  @inline(__always)
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    let mean = add(reward, to: variant)
    roster.settle(variant)
    if variant == leader {
      if !(mean > bound) { leader = -1 }
    } else if leader >= 0, mean < arms[leader].mean {
      bound = max(bound, mean)
    } else {
      leader = -1
    }
  }

  @inline(__always)
  private mutating func add(_ reward: Double, to variant: Int) -> Double {
    var arm = arms[variant]
    arm.count += 1
    arm.sum += reward
    arm.mean = arm.sum / arm.count
    arms[variant] = arm
    return arm.mean
  }

  public mutating func offer(_ available: [Bool]) {
    roster.offer(available) { arms[$0].count > 0 }
    part = 1 / Double(max(1, available.count { $0 }))
    leader = -1
  }

  /// Returns the overall probability of a variant that is exploited with a given probability.
  @inline(__always)
  private func exploited(_ probability: Double) -> Double {
    exploration == 0
      ? probability : (1 - exploration) * probability + exploration * part
  }

  /// Chooses a uniformly random variant, possibly the greedy one.
  @inline(__always)
  private mutating func explore(_ random: inout Xoshiro256) -> Choice {
    let variant = roster.any(&random)
    let propensity = propensity(of: variant)
    roster.settle(variant)
    return Choice(variant, propensity: propensity)
  }

  /// Returns the probability of a variant, however it was chosen.
  @inline(__always)
  private func propensity(of variant: Int) -> Double {
    leader >= 0 ? exploited(leader == variant ? 1 : 0) : propensityWithoutLeader(of: variant)
  }

  @inline(never)
  private func propensityWithoutLeader(of variant: Int) -> Double {
    if let first = roster.unchosenShare(of: variant) { return exploited(first) }
    let there = roster.there
    let best = there.reduce(-Double.infinity) { max($0, arms[$1].mean) }
    guard arms[variant].mean == best else { return exploited(0) }
    return exploited(1 / Double(there.count { arms[$0].mean == best }))
  }

  /// Chooses a variant never chosen, or the best one, which stays the leader until its mean falls below that of another
  /// one.
  @inline(never)
  private mutating func lead(_ random: inout Xoshiro256) -> Choice {
    var choice: Choice
    if let first = roster.unchosen(&random) {
      choice = first
    } else {
      choice = roster.largest(&random) { arms[$0].mean }
      if choice.propensity == 1 { crown(choice.variant) }
    }
    choice.propensity = exploited(choice.propensity)
    return choice
  }

  /// Records the leader and the largest mean of the others.
  private mutating func crown(_ variant: Int) {
    var next = -Double.infinity
    for other in roster.indices where other != variant && roster.has(other) {
      next = max(next, arms[other].mean)
    }
    (leader, bound) = (variant, next)
  }
}
