public import Specifications
public import Statistics

/// `exp3++:alpha=3,beta=256`: exponential weights of losses, mixed with an exploration rate per variant that shrinks
/// once the variant is known to be worse.
///
/// Y. Seldin and A. Slivkins, "One practical algorithm for both stochastic and adversarial bandits" (ICML 2014), with
/// the exploration of Y. Seldin and G. Lugosi, "An improved parametrization and analysis of the EXP3++ algorithm for
/// stochastic and adversarial bandits" (COLT 2017): p = (1 − Σε) exp(−η L)/Σ exp(−η L) + ε with η = ½ √(ln K/(t K)) and
/// ε = min(1/(2K), η, β ln t/(t Δ²)). Δ is a lower bound of the gap between the mean loss of the variant and the least
/// one, from the bounds mean ± √((α ln t + ln K)/(2n)) truncated to 0 and 1. Before the first reward of a variant its
/// bounds are 0 and 1, so no initial round is needed.
public struct Exp3PlusPlus: Policy {
  /// The width of the confidence bounds.
  public var alpha = 3.0
  /// The exploration of inferior variants.
  public var beta = 256.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "exp3++", "exponential weights with exploration by estimated gaps",
    source: "Seldin and Slivkins 2014; Seldin and Lugosi 2017", example: "exp3++:alpha=3,beta=256")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 0.01...1e6, "width of the confidence bounds, {range}")
    Field.number("beta", \.beta, in: 0...1e9, "exploration of inferior variants, {range}")
  }

  /// The loss is 1 − reward.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> Exp3PlusPlusState {
    Exp3PlusPlusState(problem.variants, alpha: alpha, beta: beta)
  }
}

/// The state of a run: the estimated losses.
public struct Exp3PlusPlusState: AllocatingState {
  private let alpha: Double
  private let beta: Double
  /// ln K.
  private let log: Double
  /// The importance-weighted losses.
  private var losses: [Double]
  private var means: [Double]
  private var counts: [Double]
  private var weights: ExponentialWeights
  private var shares: [Double]
  private var learned = 0.0

  init(_ variants: Int, alpha: Double, beta: Double) {
    (self.alpha, self.beta) = (alpha, beta)
    log = Double.log(Double(variants))
    losses = [Double](repeating: 0, count: variants)
    (means, counts) = (losses, losses)
    weights = ExponentialWeights(variants)
    shares = [Double](repeating: 1 / Double(variants), count: variants)
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = shares.place(of: Draw.unit(using: &random))
    return Choice(variant, propensity: shares[variant])
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let (variant, loss) = (choice.variant, 1 - reward.inUnitRange)
    let estimate = losses[variant] + choice.weighted(loss)
    if estimate.isFinite { losses[variant] = estimate }
    counts[variant] += 1
    means[variant] += (loss - means[variant]) / counts[variant]
    learned += 1
    share()
  }

  private mutating func share() {
    let (t, count) = (learned + 1, Double(shares.count))
    let eta = 0.5 * (log / (t * count)).squareRoot()
    weights.replace { -eta * losses[$0] }
    let logTime = Double.log(t)
    let width = ((alpha * logTime + log) / 2).squareRoot()
    var least = 1.0
    for variant in means.indices where counts[variant] > 0 {
      least = min(least, means[variant] + width / counts[variant].squareRoot())
    }
    let cap = min(0.5 / count, eta)
    var explored = 0.0
    for variant in shares.indices {
      var gap = 0.0
      if counts[variant] > 0 {
        gap = max(0, means[variant] - width / counts[variant].squareRoot() - least)
      }
      shares[variant] = gap > 0 ? min(cap, beta * logTime / (t * gap * gap)) : cap
      explored += shares[variant]
    }
    for variant in shares.indices { shares[variant] += (1 - explored) * weights.share(variant) }
  }

  public var allocation: Allocation { Allocation(probabilities: shares) }

  public func probability(of variant: Int) -> Double { shares[variant] }
}
