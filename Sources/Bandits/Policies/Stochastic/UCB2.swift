public import Specifications
internal import Statistics

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

  public func makeState(_ problem: Problem) -> UCB2State { UCB2State(self, problem) }
}

/// The state of a run: the epochs.
public struct UCB2State: TurnState {
  private let policy: UCB2
  var table: ArmTable
  /// τ of each variant.
  private var reached: [Double]
  /// The variant of the current epoch.
  private var current = 0
  /// The number of decisions left in it.
  private var left = 0.0
  /// ln t at the beginning of an epoch.
  private var log = 0.0

  init(_ policy: UCB2, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
    reached = [Double](repeating: 1, count: problem.variants)
  }

  mutating func prepare() {
    if left < 1 { log = Double.log(Double(max(1, table.learned))) }
  }

  var turn: Int? { left >= 1 ? current : nil }

  @inline(__always)
  func index(_ variant: Int) -> Double {
    if table.arms[variant].decisions == 0 { return .infinity }
    return table.arms[variant].mean + Self.width(policy.alpha, log, reached[variant])
  }

  /// Counts a decision of the epoch, or begins the next one.
  mutating func take(_ variant: Int, isFirst: Bool) {
    if isFirst { return }
    if left >= 1 { return left -= 1 }
    current = variant
    let next = Self.next(policy.alpha, reached[variant])
    left = next - reached[variant] - 1
    reached[variant] = next
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
