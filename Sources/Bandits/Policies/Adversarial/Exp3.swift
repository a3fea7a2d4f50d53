public import Statistics

/// `exp3:gamma=0.05`: probabilities (1 − γ) w/Σw + γ/K, where w grows by exp(γ r/(p K)) with each reward r.
///
/// P. Auer, N. Cesa-Bianchi, Y. Freund and R. E. Schapire, "The nonstochastic multiarmed bandit problem" (SIAM J. Comput.
/// 32, 2002), section 3. It is the form with gains and mixing; the one with losses and without mixing, which other tools
/// call by the same name, is ``Hedge``. p is the probability at the decision, also when its reward comes late.
public struct Exp3: Policy {
  private static let gamma = Parameter.number(
    "gamma", default: 0.05, in: 0...1,
    "part of the equal shares, and rate of learning, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "exp3", "exponential weights of estimated gains, mixed with equal shares",
    [gamma],
    source: "Auer, Cesa-Bianchi, Freund and Schapire 2002, section 3")

  /// Gains are parts of 1.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let gamma: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(gamma: Double? = nil) throws(SpecificationError) {
    try self.init(Self.guide.specification(Self.gamma.written(gamma)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: gamma is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    gamma = try Self.gamma.value(in: specification)
  }

  /// Equal weights.
  public func makeState(_ problem: Problem) -> Exp3State {
    Exp3State(problem.variants, gamma: gamma)
  }
}

/// The weights of a run.
public struct Exp3State: SharingState, AllocatingState {
  private let gamma: Double
  private let rate: Double
  private var weights: ExponentialWeights

  init(_ variants: Int, gamma: Double) {
    self.gamma = gamma
    rate = gamma / Double(variants)
    weights = ExponentialWeights(variants)
  }

  /// A variant by its probability.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let isMixed = Draw.unit(using: &random) < gamma
    let variant =
      isMixed
      ? Draw.index(below: weights.values.count, using: &random) : weights.draw(&random)
    return Choice(variant, propensity: probability(of: variant))
  }

  /// The weight of the variant grows.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    weights.add(rate * choice.weighted(reward.inUnitRange), to: choice.variant)
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation { sharing(weights.values.count) }

  @inline(__always)
  func probability(of variant: Int) -> Double { (1 - gamma) * weights.share(variant) + rate }
}
