public import Specifications
internal import Statistics

/// `exp3:gamma=0.05`: probabilities (1 − γ) w/Σw + γ/K, where w grows by exp(γ r/(p K)) with each reward r.
///
/// P. Auer, N. Cesa-Bianchi, Y. Freund and R. E. Schapire, "The nonstochastic multiarmed bandit problem" (SIAM J.
/// Comput. 32, 2002), section 3. This is the form with gains and mixing; the one with losses and without mixing, which
/// other tools call by the same name, is ``Hedge``. p is the probability at the decision, even if its reward is
/// delayed.
public struct Exp3: Policy {
  /// The uniform exploration rate and learning rate.
  public var gamma = 0.05
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "exp3", "exponential weights of estimated gains, mixed with uniform exploration",
    source: "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 3", example: "exp3:gamma=0.05")

  public static var parameters: [Field] {
    Field.number("gamma", \.gamma, in: 0...1, "uniform exploration rate and learning rate, {range}")
  }

  /// Rewards are gains in 0 ... 1.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> Exp3State { Exp3State(self, problem) }
}

/// The state of a run: the weights.
public struct Exp3State: WeightedState {
  private let gamma: Double
  private let rate: Double
  private var gains: ExponentialWeights

  init(_ policy: Exp3, _ problem: Problem) {
    gamma = policy.gamma
    rate = gamma / Double(problem.variants)
    gains = ExponentialWeights(problem.variants)
  }

  var weights: [Double] { gains.values }

  var total: Double { gains.total }

  var exploration: Double? { gamma }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    gains.add(rate * choice.weighted(reward.inUnitRange), to: choice.variant)
  }

  @inline(__always)
  public func probability(of variant: Int) -> Double { (1 - gamma) * gains.share(variant) + rate }
}
