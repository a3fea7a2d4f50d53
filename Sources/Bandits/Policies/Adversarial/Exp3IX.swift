public import Specifications
internal import Statistics

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

  public func makeState(_ problem: Problem) -> Exp3IXState { Exp3IXState(self, problem) }
}

/// The state of a run: the estimated losses.
public struct Exp3IXState: WeightedState {
  private let eta: Double?
  private let gamma: Double?
  /// ln K/K.
  private let scale: Double
  private var losses: [Double]
  private var shares: ExponentialWeights
  private var learned = 0

  init(_ policy: Exp3IX, _ problem: Problem) {
    let count = Double(problem.variants)
    eta = policy.eta ?? policy.horizon.map { (2 * Double.log(count) / (count * $0)).squareRoot() }
    gamma = policy.gamma
    scale = Double.log(count) / count
    losses = [Double](repeating: 0, count: problem.variants)
    shares = ExponentialWeights(problem.variants)
  }

  var weights: [Double] { shares.values }

  var total: Double { shares.total }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let rate = eta ?? (scale / Double(learned + 1)).squareRoot()
    let denominator = choice.propensity + (gamma ?? rate / 2)
    let loss = denominator > 0 ? (1 - reward.inUnitRange) / denominator : 0
    learned += 1
    if let eta { return shares.add(-eta * loss, to: choice.variant) }
    losses[choice.variant] += loss
    let next = (scale / Double(learned + 1)).squareRoot()
    shares.replace { -next * losses[$0] }
  }

  public func probability(of variant: Int) -> Double { shares.share(variant) }
}
