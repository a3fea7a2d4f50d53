public import Statistics

/// A policy whose index is the mean plus a width, common to all variants, divided by √n.
///
/// The mean and √n change for one variant per step; the others take only a multiplication and an addition.
public protocol RootIndexPolicy: AllocationPolicy where State == RootIndexState<Self> {
  /// Returns the width that is divided by √n, from ln t ≥ 0.
  func width(_ log: Double) -> Double
}

extension RootIndexPolicy {
  /// Chooses the largest index among the available variants.
  public static var supportsUnavailableVariants: Bool { true }

  public func makeState(_ problem: Problem) -> RootIndexState<Self> {
    RootIndexState(self, problem)
  }

  /// Returns the index of a variant with a mean and 1/√n.
  func index(_ mean: Double, width: Double, inverseRoot: Double) -> Double {
    mean + width * inverseRoot
  }

  /// Returns equal probabilities for the variants never chosen; once there are none, for those with the largest index.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    if let first = arms.unpulledFirst { return first }
    let width = width(Double.log(arms.totalDecisions))
    return .shared(
      amongLargest: arms.map {
        index($0.mean, width: width, inverseRoot: 1 / Double($0.decisions).squareRoot())
      })
  }
}

/// The state of a ``RootIndexPolicy``.
///
/// The variant with the largest index usually stays the same for many steps. Then only one index is computed: the
/// others change with the width only, and are bounded by a line in the width.
public struct RootIndexState<P: RootIndexPolicy>: PolicyState {
  /// The statistics of a variant.
  private struct Arm: Sendable {
    var count = 0.0
    var sum = 0.0
    var mean = 0.0
    /// 1/√n; infinite before the first reward.
    var inverseRoot = Double.infinity
  }

  private let policy: P
  private var roster: VariantAvailability
  private var learned = 0.0
  private var arms: [Arm]
  /// The unique variant with the largest index; −1 if unknown.
  private var leader = -1
  /// The bound on the index of every variant but the leader: this number, plus ``slope`` times the excess of the width
  /// over ``boundWidth``.
  private var bound = 0.0
  private var boundWidth = 0.0
  private var slope = 0.0

  init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    roster = VariantAvailability(problem.variants)
    arms = [Arm](repeating: Arm(), count: problem.variants)
  }

  @inline(__always)
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if leader >= 0 {
      let width = width
      let reach = bound + slope * max(0, width - boundWidth)
      if index(leader, width) > reach { return Choice(leader) }
    }
    // Passed as a copy, so that the generator's words can stay in registers when this is inlined.
    var copy = random
    defer { random = copy }
    return lead(&copy)
  }

  /// Positive, as with a single reward the width would be 0, and 0 · ∞ is NaN.
  @inline(__always)
  private var width: Double {
    max(policy.width(Double.log(max(1, learned))), Double.leastNormalMagnitude)
  }

  @inline(__always)
  private func index(_ variant: Int, _ width: Double) -> Double {
    policy.index(arms[variant].mean, width: width, inverseRoot: arms[variant].inverseRoot)
  }

  /// Chooses a variant never chosen, or the one with the largest index.
  @inline(never)
  private mutating func lead(_ random: inout Xoshiro256) -> Choice {
    leader = -1
    if let first = roster.unchosen(&random) { return first }
    let width = width
    let choice = roster.largest(&random) { index($0, width) }
    if choice.propensity == 1 { crown(choice.variant, width) }
    return choice
  }

  /// Records the leader and the bound on the others.
  private mutating func crown(_ variant: Int, _ width: Double) {
    var largest = -Double.infinity
    var mean = 0.0
    var inverseRoot = 0.0
    for other in roster.indices where other != variant && roster.has(other) {
      largest = max(largest, index(other, width))
      mean = max(mean, abs(arms[other].mean))
      inverseRoot = max(inverseRoot, arms[other].inverseRoot)
    }
    // Rounding moves indices and this bound by less than about 10⁻¹⁵ relative to their terms.
    let slack = 1e-13
    (leader, boundWidth) = (variant, width)
    slope = inverseRoot * (1 + slack)
    bound = largest + slack * (mean + width * inverseRoot)
  }

  @inline(__always)
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    var arm = arms[variant]
    arm.count += 1
    arm.sum += reward
    arm.mean = arm.sum / arm.count
    arm.inverseRoot = 1 / arm.count.squareRoot()
    arms[variant] = arm
    learned += 1
    roster.settle(variant)
    if variant != leader { leader = -1 }
  }

  public mutating func offer(_ available: [Bool]) {
    roster.offer(available) { arms[$0].count > 0 }
    leader = -1
  }
}
