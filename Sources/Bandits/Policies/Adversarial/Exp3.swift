public import Specifications
public import Statistics

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

  public func makeState(_ problem: Problem) -> Exp3State {
    Exp3State(problem.variants, gamma: gamma)
  }
}

/// The state of a run: the weights.
public struct Exp3State: AllocatingState {
  private let gamma: Double
  private let rate: Double
  private var weights: ExponentialWeights

  init(_ variants: Int, gamma: Double) {
    self.gamma = gamma
    rate = gamma / Double(variants)
    weights = ExponentialWeights(variants)
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let isMixed = Draw.unit(using: &random) < gamma
    let variant =
      isMixed
      ? Draw.index(below: weights.values.count, using: &random) : weights.draw(&random)
    return Choice(variant, propensity: probability(of: variant))
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    weights.add(rate * choice.weighted(reward.inUnitRange), to: choice.variant)
  }

  public var allocation: Allocation { allocation(of: weights.values.count) }

  @inline(__always)
  public func probability(of variant: Int) -> Double { (1 - gamma) * weights.share(variant) + rate }
}
