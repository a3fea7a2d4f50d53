public import Specifications
internal import Statistics

/// `exp3-s:gamma=0.05,alpha=0.0001`: `exp3` in which each weight also grows by the part e α/K of their sum.
///
/// P. Auer, N. Cesa-Bianchi, Y. Freund and R. E. Schapire, "The nonstochastic multiarmed bandit problem" (SIAM J.
/// Comput. 32, 2002), section 8: no weight falls so far behind that it could not catch up after a change. `alpha`
/// defaults to 1/T as in corollary 8.2, where T is the number of decisions or `horizon`.
public struct Exp3S: Policy {
  /// The uniform exploration rate and learning rate.
  public var gamma = 0.05
  /// The sharing rate of the weights.
  public var alpha: Double?
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "exp3-s", "exp3 with weight sharing, for a best variant that changes over time",
    source: "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 8",
    example: "exp3-s:gamma=0.05,alpha=0.0001")

  public static var parameters: [Field] {
    Field.number("gamma", \.gamma, in: 0...1, "uniform exploration rate and learning rate, {range}")
    Field.number(
      "alpha", \.alpha, in: 0...1, "sharing rate of the weights, {range}; 1/horizon by default"
    )
    Field.horizon(\.horizon, "number of decisions; that of the run by default")
  }

  /// Rewards are gains in 0 ... 1.
  public static let needsUnitRewards = true

  public var needsHorizon: Bool { alpha == nil && horizon == nil }

  public func makeState(_ problem: Problem) -> Exp3SState { Exp3SState(self, problem) }
}

/// The state of a run: the weights.
public struct Exp3SState: WeightedState {
  private let gamma: Double
  private let rate: Double
  /// e α/K.
  private let shared: Double
  private(set) var weights: [Double]
  private(set) var total: Double

  init(_ policy: Exp3S, _ problem: Problem) {
    let alpha = policy.alpha ?? 1 / problem.decisions(policy.horizon)
    gamma = policy.gamma
    total = Double(problem.variants)
    rate = gamma / total
    shared = Double.exp(1) * alpha / total
    weights = [Double](repeating: 1, count: problem.variants)
  }

  var exploration: Double? { gamma }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    // At most 1 unless another policy lowered the probability.
    let exponent = min(200, rate * choice.weighted(reward.inUnitRange))
    let growth = Double.exp(exponent)
    let part = shared * total
    var sum = 0.0
    for variant in weights.indices {
      weights[variant] = (variant == choice.variant ? growth : 1) * weights[variant] + part
      sum += weights[variant]
    }
    total = sum
    guard total > 1e100 else { return }
    for variant in weights.indices { weights[variant] /= total }
    total = weights.added
  }

  @inline(__always)
  public func probability(of variant: Int) -> Double {
    (1 - gamma) * weights[variant] / total + rate
  }
}
