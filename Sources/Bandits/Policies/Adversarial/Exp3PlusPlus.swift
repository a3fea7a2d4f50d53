public import Specifications
internal import Statistics

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

  public func makeState(_ problem: Problem) -> Exp3PlusPlusState { Exp3PlusPlusState(self, problem) }
}

/// The state of a run: the estimated losses.
public struct Exp3PlusPlusState: WeightedState {
  private let policy: Exp3PlusPlus
  /// ln K.
  private let log: Double
  /// The importance-weighted losses.
  private var losses: [Double]
  private var means: [Double]
  private var counts: [Double]
  private var exponentials: ExponentialWeights
  /// The probabilities.
  private(set) var weights: [Double]
  private var learned = 0.0

  init(_ policy: Exp3PlusPlus, _ problem: Problem) {
    self.policy = policy
    let variants = problem.variants
    log = Double.log(Double(variants))
    losses = [Double](repeating: 0, count: variants)
    (means, counts) = (losses, losses)
    exponentials = ExponentialWeights(variants)
    weights = [Double](repeating: 1 / Double(variants), count: variants)
  }

  var total: Double { 1 }

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
    let (t, count) = (learned + 1, Double(weights.count))
    let eta = 0.5 * (log / (t * count)).squareRoot()
    exponentials.replace { -eta * losses[$0] }
    let logTime = Double.log(t)
    let width = ((policy.alpha * logTime + log) / 2).squareRoot()
    var least = 1.0
    for variant in means.indices where counts[variant] > 0 {
      least = min(least, means[variant] + width / counts[variant].squareRoot())
    }
    let cap = min(0.5 / count, eta)
    var explored = 0.0
    for variant in weights.indices {
      var gap = 0.0
      if counts[variant] > 0 {
        gap = max(0, means[variant] - width / counts[variant].squareRoot() - least)
      }
      weights[variant] = gap > 0 ? min(cap, policy.beta * logTime / (t * gap * gap)) : cap
      explored += weights[variant]
    }
    for variant in weights.indices { weights[variant] += (1 - explored) * exponentials.share(variant) }
  }

  public func probability(of variant: Int) -> Double { weights[variant] }
}
