public import Specifications
public import Statistics

/// `exp3:gamma=0.05`: probabilities (1 − γ) w/Σw + γ/K, where w grows by exp(γ r/(p K)) with each reward r.
///
/// P. Auer, N. Cesa-Bianchi, Y. Freund and R. E. Schapire, "The nonstochastic multiarmed bandit problem" (SIAM J.
/// Comput. 32, 2002), section 3. This is the form with gains and mixing; the one with losses and without mixing, which
/// other tools call by the same name, is ``Hedge``. p is the probability at the decision, even if its reward is
/// delayed.
public struct Exp3: Policy {
  private static let gamma = Parameter.number(
    "gamma", default: 0.05, in: 0...1,
    "uniform exploration rate and learning rate, {range}")

  public static let info = SpecificationInfo(
    "exp3", "exponential weights of estimated gains, mixed with uniform exploration",
    [gamma],
    source: "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 3")

  /// Rewards are gains in 0 ... 1.
  public static let needsUnitRewards = true

  public let specification: Specification
  private let gamma: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(gamma: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.gamma.written(gamma)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    gamma = try Self.gamma.value(in: specification)
  }

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
