public import Specifications
public import Statistics

/// `ucb2:alpha=0.001`: UCB in growing epochs. The variant with the largest m + √((1 + α) ln(e t/τ)/(2τ)) is chosen
/// until its number of decisions in epochs, τ = ⌈(1 + α)ʳ⌉, has grown to that of the next r.
///
/// P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (Machine Learning
/// 47, 2002), figure 2. Epochs in which τ does not grow change nothing and are skipped.
public struct UCB2: Policy {
  /// The growth rate of epochs.
  public var alpha = 0.001
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "ucb2", "mean + sqrt((1 + alpha) ln(e t / tau) / (2 tau)), in growing epochs",
    source: "Auer, Cesa-Bianchi and Fischer 2002, figure 2", example: "ucb2:alpha=0.001")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 1e-6...0.999, "growth rate of epochs, {range}")
  }

  public func makeState(_ problem: Problem) -> UCB2State { UCB2State(problem.variants, alpha) }
}

/// The state of a run: the epochs.
public struct UCB2State: AllocatingState {
  private let alpha: Double
  private var table: ArmTable
  /// τ of each variant.
  private var reached: [Double]
  /// The variant of the current epoch.
  private var current = 0
  private var left = 0.0

  init(_ variants: Int, _ alpha: Double) {
    self.alpha = alpha
    table = ArmTable(variants)
    reached = [Double](repeating: 1, count: variants)
  }

  /// Chooses the variant of the epoch; the variant with the largest index begins the next one.
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

  /// Records a decision of the epoch, or the first one of the next; any other leaves the epoch unchanged.
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

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  /// Returns √((1 + α) ln(e t/τ)/(2τ)); 0 while t is so small that the logarithm is negative.
  static func width(_ alpha: Double, _ log: Double, _ tau: Double) -> Double {
    ((1 + alpha) * max(0, 1 + log - Double.log(tau)) / (2 * tau)).squareRoot()
  }

  /// Returns the smallest ⌈(1 + α)ʳ⌉ above τ: that of the smallest r with (1 + α)ʳ > τ.
  static func next(_ alpha: Double, _ tau: Double) -> Double {
    let growth = Double.log(onePlus: alpha)
    var r = (Double.log(tau) / growth).rounded(.down) + 1
    // Rounding may have found the previous r.
    if Double.exp(r * growth) <= tau * (1 + 0x1p-48) { r += 1 }
    return max(tau + 1, Double.exp(r * growth).rounded(.up))
  }
}
