public import Specifications
internal import Statistics

/// `dmed`: deterministic minimum empirical divergence, for rewards in 0 ... 1. Goes through lists of variants; a
/// variant enters the next list if n·kl(m, m*) ≤ ln t − ln n at some decision after its turn in the current one.
///
/// J. Honda and A. Takemura, "An asymptotically optimal bandit algorithm for bounded support models" (COLT 2010), its
/// DMED policy, with the divergence of Bernoulli rewards. The first list has all variants in random order, later ones
/// are in ascending order.
public struct DMED: Policy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "dmed", "lists of the variants with n kl(mean, best mean) <= ln(t / n), for rewards in 0 to 1",
    source: "Honda and Takemura 2010, DMED policy")

  /// Rewards are Bernoulli, or fractions in 0 ... 1.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> DMEDState { DMEDState(problem.variants) }
}

/// The state of a run: the lists.
public struct DMEDState: TurnState {
  var table: ArmTable
  /// Whether each variant's turn in the current list is still to come.
  private var waits: [Bool]
  /// Whether each variant is in the next list.
  private var returns: [Bool]
  /// The first variant of the current list whose turn may still be to come.
  private var place = 0
  private var hasBegun = false

  init(_ variants: Int) {
    table = ArmTable(variants)
    waits = [Bool](repeating: true, count: variants)
    returns = [Bool](repeating: false, count: variants)
  }

  /// Updates lists and place.
  mutating func prepare() {
    if hasBegun { collect() }
    hasBegun = true
    guard table.roster.isSettled else { return }
    while place < waits.count, !waits[place] { place += 1 }
    if place == waits.count { turnOver() }
  }

  /// The next variant of the list.
  var turn: Int? { place }

  mutating func take(_ variant: Int, isFirst: Bool) { waits[variant] = false }

  /// Adds variants that had their turn to the next list.
  private mutating func collect() {
    var best = 0.0
    for variant in table.indices { best = max(best, table.arms[variant].mean) }
    let log = Double.log(Double(max(1, table.learned)))
    for variant in table.indices where !waits[variant] && !returns[variant] {
      returns[variant] = Self.isClose(table.arms[variant], best, log)
    }
  }

  /// Returns n·kl(m, m*) ≤ ln t − ln n; true before the first reward.
  private static func isClose(_ arm: ArmTally, _ best: Double, _ log: Double) -> Bool {
    let n = Double(arm.decisions)
    if n == 0 { return true }
    return n * BernoulliDivergence.divergence(arm.mean, best) <= log - Double.log(n)
  }

  /// Begins the next list, or one of all variants if it is empty, at its first variant.
  private mutating func turnOver() {
    place = waits.count
    for variant in waits.indices {
      (waits[variant], returns[variant]) = (returns[variant], false)
      if waits[variant] { place = min(place, variant) }
    }
    guard place == waits.count else { return }
    for variant in waits.indices { waits[variant] = true }
    place = 0
  }
}
