public import Statistics

/// `thompson-gamma-poisson:shape=1,rate=1`: Thompson sampling for rewards that are counts, with a Gamma prior.
///
/// The posterior of the mean of a variant with n decisions whose rewards add up to s is Gamma(shape + s, rate + n), the
/// conjugate one of Poisson rewards: A. Gelman and others, *Bayesian Data Analysis* (3rd edition, 2013), section 2.6. A
/// reward below 0, which no count is, adds nothing to the sum.
public struct PoissonThompson: Policy, AllocationPolicy {
  private static let shape = Parameter.number(
    "shape", default: 1, in: 1e-3...1e9,
    "sum of rewards assumed beforehand, 1e-3 to 1e9")
  private static let rate = Parameter.number(
    "rate", default: 1, in: 1e-9...1e9,
    "decisions assumed beforehand, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "thompson-gamma-poisson", "a draw from the Gamma posterior of the mean of counts",
    [
      shape,
      rate,
    ],
    source: "Gelman and others 2013, section 2.6")

  /// The best of those that are there.
  public static let takesAbsence = true

  /// How it is written.
  public let specification: Specification
  private let shape: Double
  private let rate: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(shape: Double? = nil, rate: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(Self.shape.written(shape), Self.rate.written(rate)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    shape = try Self.shape.value(in: specification)
    rate = try Self.rate.value(in: specification)
  }

  /// Nothing is known but the prior.
  public func makeState(_ problem: Problem) -> PoissonThompsonState {
    PoissonThompsonState(problem.variants, shape: shape, rate: rate)
  }

  /// The probabilities by quadrature. Only the sum of the rewards counts here, and 0 if it is below.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let posteriors = arms.map {
      LogGamma.Source(
        shape: min(shape + max(0, $0.sum), 1e300), rate: rate + Double($0.decisions))
    }
    return .best(
      posteriors, before: { ($0.shape, $0.rate) < ($1.shape, $1.rate) }, LogGamma.init)
  }
}

/// The posteriors of a run.
public struct PoissonThompsonState: PolicyState {
  private var shapes: [Double]
  private var rates: [Double]
  private var gammas: [GammaShape]
  private var available: [Bool]?

  init(_ variants: Int, shape: Double, rate: Double) {
    shapes = [Double](repeating: shape, count: variants)
    rates = [Double](repeating: rate, count: variants)
    gammas = [GammaShape](repeating: GammaShape(shape), count: variants)
  }

  /// The variant whose draw from its posterior is the largest, its probability unknown.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    var best = -Double.infinity
    var winner = 0
    for variant in gammas.indices where available?[variant] ?? true {
      let draw = gammas[variant].draw(using: &random) / rates[variant]
      if draw > best { (best, winner) = (draw, variant) }
    }
    return Choice(winner, propensity: gammas.count == 1 ? 1 : .nan)
  }

  /// Adds the reward to the posterior of its variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    shapes[variant] = min(shapes[variant] + max(0, reward), 1e300)
    rates[variant] += 1
    gammas[variant] = GammaShape(shapes[variant])
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { self.available = available }
}
