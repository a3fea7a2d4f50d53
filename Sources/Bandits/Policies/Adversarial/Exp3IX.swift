public import Specifications
public import Statistics

/// `exp3-ix`: probabilities proportional to exp(−η L), where L grows by (1 − r)/(p + γ) with each reward r.
///
/// G. Neu, "Explore no more: improved high-probability regret bounds for non-stochastic bandits" (NIPS 2015), algorithm
/// 1: the bias γ replaces mixing. Without parameters η changes with the number t of the decision as in theorem 1, η =
/// √(ln K/(K t)), applied to all losses so far; with `horizon` it is the constant √(2 ln K/(K T)). γ defaults to η/2,
/// with the η at the time a reward is learned.
public struct Exp3IX: Policy {
  private static let eta = Parameter.optionalNumber(
    "eta", in: 0...1e3, "learning rate, {range}; sqrt(ln K / (K t)) by default")
  private static let gamma = Parameter.optionalNumber(
    "gamma", in: 0...1, "added to probabilities, {range}; eta / 2 by default")
  private static let horizon = Parameter.horizon(
    "number of decisions T, for eta = sqrt(2 ln K / (K T))")

  public static let info = SpecificationInfo(
    "exp3-ix", "exponential weights of losses, estimated with a bias instead of mixing",
    [
      eta,
      gamma,
      horizon,
    ],
    source: "Neu 2015, algorithm 1 and theorem 1")

  /// The loss is 1 − reward.
  public static let needsUnitRewards = true

  public let specification: Specification
  private let eta: Double?
  private let gamma: Double?
  private let horizon: Double?

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(eta: Double? = nil, gamma: Double? = nil, horizon: Int? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.info.specification(
        Self.eta.written(eta), Self.gamma.written(gamma), Self.horizon.written(horizon)),
      variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    eta = try Self.eta.value(in: specification)
    gamma = try Self.gamma.value(in: specification)
    horizon = try Self.horizon.value(in: specification).map(Double.init)
  }

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
