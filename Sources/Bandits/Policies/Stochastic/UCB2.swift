public import Statistics

/// `ucb2:alpha=0.001`: epochs that grow. The variant with the largest m + √((1 + α) ln(e t/τ)/(2τ)) is chosen until its
/// number of decisions in epochs, τ = ⌈(1 + α)ʳ⌉, has grown to that of the next r.
///
/// P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (Machine Learning
/// 47, 2002), figure 2. Epochs in which τ does not grow change nothing and are passed over.
public struct UCB2: Policy {
  private static let alpha = Parameter.number(
    "alpha", default: 0.001, in: 1e-6...0.999,
    "how fast epochs grow, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "ucb2", "mean + sqrt((1 + alpha) ln(e t / tau) / (2 tau)), in growing epochs",
    [alpha],
    source: "Auer, Cesa-Bianchi and Fischer 2002, figure 2")

  /// How it is written.
  public let specification: Specification
  private let alpha: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(alpha: Double? = nil) throws(SpecificationError) {
    try self.init(Self.guide.specification(Self.alpha.written(alpha)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: alpha is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    alpha = try Self.alpha.value(in: specification)
  }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> UCB2State { UCB2State(problem.variants, alpha) }
}

/// The epochs of a run.
public struct UCB2State: AllocatingState {
  private let alpha: Double
  private var table: ArmTable
  /// τ of each variant.
  private var reached: [Double]
  /// The variant of the epoch at hand, and how many decisions are left in it.
  private var current = 0
  private var left = 0.0

  init(_ variants: Int, _ alpha: Double) {
    self.alpha = alpha
    table = ArmTable(variants)
    reached = [Double](repeating: 1, count: variants)
  }

  /// The variant of the epoch; the one with the largest index begins the next.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    if left >= 1 {
      left -= 1
      return Choice(current)
    }
    let log = Double.log(Double(max(1, table.learned)))
    let choice = table.largest(&random) { index($0, log) }
    begin(choice.variant)
    return choice
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation {
    if let first = table.unchosenAllocation { return first }
    return left >= 1 ? .only(current, of: reached.count) : largest
  }

  private var largest: Allocation {
    let log = Double.log(Double(max(1, table.learned)))
    return table.allocation { index($0, log) }
  }

  @inline(__always)
  private func index(_ variant: Int, _ log: Double) -> Double {
    if table.arms[variant].decisions == 0 { return .infinity }
    return table.arms[variant].mean + Self.width(alpha, log, reached[variant])
  }

  /// A decision of an epoch, or the first one of the next. One that neither asks for changes no epoch.
  public mutating func note(_ variant: Int) {
    if table.unchosenShare(of: variant) != nil { return table.settle(variant) }
    if left >= 1 {
      if variant == current { left -= 1 }
    } else if largest.probabilities[variant] > 0 {
      begin(variant)
    }
  }

  private mutating func begin(_ variant: Int) {
    current = variant
    let next = Self.next(alpha, reached[current])
    left = next - reached[current] - 1
    reached[current] = next
  }

  /// Adds the reward to the tally of its variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  /// √((1 + α) ln(e t/τ)/(2τ)); 0 while so few rewards have come that the logarithm is negative.
  static func width(_ alpha: Double, _ log: Double, _ tau: Double) -> Double {
    ((1 + alpha) * max(0, 1 + log - Double.log(tau)) / (2 * tau)).squareRoot()
  }

  /// The smallest ⌈(1 + α)ʳ⌉ above τ: that of the smallest r with (1 + α)ʳ > τ.
  static func next(_ alpha: Double, _ tau: Double) -> Double {
    let growth = Double.log(onePlus: alpha)
    var r = (Double.log(tau) / growth).rounded(.down) + 1
    // Rounding may have found the r before.
    if Double.exp(r * growth) <= tau * (1 + 0x1p-48) { r += 1 }
    return max(tau + 1, Double.exp(r * growth).rounded(.up))
  }
}
