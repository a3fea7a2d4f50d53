public import Specifications
internal import Statistics

/// `tsallis-inf:estimator=rv`: follow the regularized leader with Tsallis entropy of power ½, optimal for both
/// stochastic and adversarial rewards.
///
/// J. Zimmert and Y. Seldin, "Tsallis-INF: an optimal algorithm for stochastic and adversarial bandits" (JMLR 22,
/// 2021), algorithms 1 and 2: the probabilities are 4/(η (L − x))² with the x that makes them add up to 1.
/// `estimator=iw` adds the loss divided by its probability to the L of the chosen variant, and has η = 2/√t; `rv`,
/// which has a smaller variance and which the authors recommend, has η = 4/√t and adds to each L a baseline, ½ if the
/// probability is at least η², otherwise 0, and to that of the chosen variant the loss less the baseline, divided by
/// its probability.
public struct TsallisINF: Policy {
  /// The estimator of the losses.
  public enum Estimator: String, CaseIterable, Sendable {
    /// Importance weighting.
    case importanceWeights = "iw"
    /// Importance weighting with reduced variance.
    case reducedVariance = "rv"
  }

  /// The estimator: iw (importance weights) or rv (reduced variance).
  public var estimator = Estimator.reducedVariance
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "tsallis-inf",
    "follow the regularized leader with Tsallis entropy, for stochastic and adversarial rewards",
    source: "Zimmert and Seldin 2021, algorithms 1 and 2", example: "tsallis-inf:estimator=rv")

  public static var parameters: [Field] {
    Field.word(
      "estimator", \.estimator, "iw (importance weights) or rv (reduced variance)",
      alternatives: "iw or rv")
  }

  /// The loss is 1 − reward.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> TsallisINFState { TsallisINFState(self, problem.variants) }
}

/// The state of a run: the estimated losses.
public struct TsallisINFState: WeightedState {
  private let isReduced: Bool
  private var losses: [Double]
  private(set) var weights: [Double]
  private(set) var total: Double
  /// The x of the previous update.
  private var normalizer = -Double.infinity
  private var eta: Double
  private var learned = 0.0

  init(_ policy: TsallisINF, _ variants: Int) {
    isReduced = policy.estimator == .reducedVariance
    losses = [Double](repeating: 0, count: variants)
    weights = [Double](repeating: 1, count: variants)
    total = Double(variants)
    eta = isReduced ? 4 : 2
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let loss = 1 - reward.inUnitRange
    var baseline = 0.0
    if isReduced {
      let limit = eta * eta * total
      baseline = weights[choice.variant] >= limit ? 0.5 : 0
      for variant in losses.indices where weights[variant] >= limit { losses[variant] += 0.5 }
    }
    let estimate = losses[choice.variant] + choice.weighted(loss - baseline)
    if estimate.isFinite { losses[choice.variant] = estimate }
    learned += 1
    eta = (isReduced ? 4 : 2) / (learned + 1).squareRoot()
    share()
  }

  /// Newton's method for x: the sum of the probabilities is convex and increasing in x, so iterates from the right
  /// descend to the solution without passing it. No step exceeds the x at which the least loss alone has probability 1.
  private mutating func share() {
    var least = losses.reduce(Double.infinity) { min($0, $1) }
    if abs(least) > 1e9 {
      // Only differences matter, and x would lose all precision beside numbers so large.
      for variant in losses.indices { losses[variant] -= least }
      normalizer -= least
      least = 0
    }
    let limit = least - 2 / eta
    var x = normalizer.isFinite ? min(normalizer, limit) : limit
    for _ in 0..<100 {
      var (sum, slope) = (0.0, 0.0)
      for variant in losses.indices {
        let root = 2 / (eta * (losses[variant] - x))
        let share = root * root
        weights[variant] = share
        sum += share
        slope += share * root
      }
      total = sum
      let next = min(limit, x - (sum - 1) / (eta * slope))
      if abs(sum - 1) < 1e-12 || next == x { break }
      x = next
    }
    normalizer = x
  }

  @inline(__always)
  public func probability(of variant: Int) -> Double { weights[variant] / total }
}
