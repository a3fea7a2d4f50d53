public import Statistics

/// `successive-elimination:delta=0.05,c=5`: all variants in turn, where after t turns those are left out whose mean is
/// 2√(ln(c K t²/δ)/t) or more below the best, until one is left; for rewards in 0 ... 1.
///
/// E. Even-Dar, S. Mannor and Y. Mansour, "Action elimination and stopping conditions for the multi-armed bandit and
/// reinforcement learning problems" (JMLR 7, 2006), algorithm 3: with probability 1 − δ the one left is the best. It is
/// chosen ever after. While rewards are late, t is the smallest number of rewards of a variant that is still there.
public struct SuccessiveElimination: Policy {
  private static let delta = Parameter.number(
    "delta", default: 0.05, in: 1e-9...0.999,
    "probability of leaving out the best, {range}")
  private static let c = Parameter.number(
    "c", default: 5, in: 1...1e9,
    "how wide the bound is, above 4 in theory, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "successive-elimination", "all in turn, without those that are surely not the best",
    [
      delta,
      c,
    ],
    source: "Even-Dar, Mannor and Mansour 2006, algorithm 3")

  /// The bound is one for such rewards.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let delta: Double
  private let c: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(delta: Double? = nil, c: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(Self.delta.written(delta), Self.c.written(c)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    delta = try Self.delta.value(in: specification)
    c = try Self.c.value(in: specification)
  }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> SuccessiveEliminationState {
    SuccessiveEliminationState(
      problem.variants, logScale: Double.log(c * Double(problem.variants) / delta))
  }
}

/// The variants that are left in a run.
public struct SuccessiveEliminationState: AllocatingState {
  /// ln(c K/δ).
  private let logScale: Double
  private var table: ArmTable
  /// Those that are left, in ascending order.
  private var survivors: [Int]
  private var place: Int

  init(_ variants: Int, logScale: Double) {
    self.logScale = logScale
    table = ArmTable(variants)
    survivors = Array(0..<variants)
    place = variants
  }

  /// The next one of those left.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    if survivors.count == 1 { return Choice(survivors[0]) }
    prepare()
    place += 1
    return Choice(survivors[place - 1])
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation {
    if let first = table.unchosenAllocation { return first }
    var next = self
    next.prepare()
    return .only(next.survivors[next.survivors.count == 1 ? 0 : next.place], of: table.arms.count)
  }

  /// Whoever's turn it was had it.
  public mutating func note(_ variant: Int) {
    if table.unchosenShare(of: variant) != nil { return table.settle(variant) }
    prepare()
    if place < survivors.count, survivors[place] == variant { place += 1 }
  }

  /// After the last turn the next round begins.
  private mutating func prepare() {
    guard survivors.count > 1, place >= survivors.count else { return }
    eliminate()
    place = 0
  }

  /// Adds the reward to the tally of its variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  /// The best mean among those left.
  public var recommendation: Int? {
    survivors.dropFirst().reduce(survivors[0]) {
      table.arms[$1].mean > table.arms[$0].mean ? $1 : $0
    }
  }

  /// Whether only one is left.
  public var hasStopped: Bool { survivors.count == 1 }

  private mutating func eliminate() {
    var best = -Double.infinity
    var turns = Int.max
    for variant in survivors {
      best = max(best, table.arms[variant].mean)
      turns = min(turns, table.arms[variant].decisions)
    }
    guard turns > 0 else { return }
    let t = Double(turns)
    let bound = best - 2 * ((logScale + 2 * Double.log(t)) / t).squareRoot()
    // The best itself always stays, whatever rounding does.
    survivors.removeAll { table.arms[$0].mean <= bound && table.arms[$0].mean < best }
  }
}
