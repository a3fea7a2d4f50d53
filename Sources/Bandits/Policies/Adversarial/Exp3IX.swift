public import Specifications
public import Statistics

/// `exp3-ix`: probabilities proportional to exp(−η L), where L grows by (1 − r)/(p + γ) with each reward r.
///
/// G. Neu, "Explore no more: improved high-probability regret bounds for non-stochastic bandits" (NIPS 2015), algorithm
/// 1: the bias γ replaces mixing. Without parameters η changes with the number t of the decision as in theorem 1, η =
/// √(ln K/(K t)), applied to all losses so far; with `horizon` it is the constant √(2 ln K/(K T)). γ defaults to η/2,
/// with the η at the time a reward is learned.
public struct Exp3IX: Policy {
  /// The learning rate.
  public var eta: Double?
  /// The constant that is added to probabilities.
  public var gamma: Double?
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "exp3-ix", "exponential weights of losses, estimated with a bias instead of mixing",
    source: "Neu 2015, algorithm 1 and theorem 1")

  public static var parameters: [Field] {
    Field.number("eta", \.eta, in: 0...1e3, "learning rate, {range}; sqrt(ln K / (K t)) by default")
    Field.number("gamma", \.gamma, in: 0...1, "added to probabilities, {range}; eta / 2 by default")
    Field.horizon(\.horizon, "number of decisions T, for eta = sqrt(2 ln K / (K T))")
  }

  /// The loss is 1 − reward.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> Exp3IXState {
    let count = Double(problem.variants)
    let constant = eta ?? horizon.map { (2 * Double.log(count) / (count * $0)).squareRoot() }
    return Exp3IXState(problem.variants, eta: constant, gamma: gamma)
  }
}

/// The state of a run: the estimated losses.
public struct Exp3IXState: AllocatingState {
  private let eta: Double?
  private let gamma: Double?
  /// ln K/K.
  private let scale: Double
  private var losses: [Double]
  private var weights: ExponentialWeights
  private var learned = 0

  init(_ variants: Int, eta: Double?, gamma: Double?) {
    (self.eta, self.gamma) = (eta, gamma)
    scale = Double.log(Double(variants)) / Double(variants)
    losses = [Double](repeating: 0, count: variants)
    weights = ExponentialWeights(variants)
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = weights.draw(&random)
    return Choice(variant, propensity: weights.share(variant))
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let rate = eta ?? (scale / Double(learned + 1)).squareRoot()
    let denominator = choice.propensity + (gamma ?? rate / 2)
    let loss = denominator > 0 ? (1 - reward.inUnitRange) / denominator : 0
    learned += 1
    if let eta { return weights.add(-eta * loss, to: choice.variant) }
    losses[choice.variant] += loss
    let next = (scale / Double(learned + 1)).squareRoot()
    weights.replace { -next * losses[$0] }
  }

  public var allocation: Allocation { allocation(of: losses.count) }

  public func probability(of variant: Int) -> Double { weights.share(variant) }
}
