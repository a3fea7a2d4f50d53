public import Specifications
public import Statistics

/// `thompson-gamma-poisson:shape=1,rate=1`: Thompson sampling for Poisson rewards, with a Gamma prior.
///
/// The posterior of the mean of a variant with n decisions whose rewards add up to s is Gamma(shape + s, rate + n),
/// conjugate to the Poisson distribution: A. Gelman and others, *Bayesian Data Analysis* (3rd edition, 2013), section
/// 2.6. Negative rewards, which counts never are, add nothing to the sum.
public struct PoissonThompson: AllocationPolicy {
  /// The prior shape, a sum of rewards.
  public var shape = 1.0
  /// The prior rate, a number of decisions.
  public var rate = 1.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "thompson-gamma-poisson", "Thompson sampling with Gamma posteriors, for Poisson rewards",
    source: "Gelman and others 2013, section 2.6", example: "thompson-gamma-poisson:shape=1,rate=1")

  public static var parameters: [Field] {
    Field.number("shape", \.shape, in: 1e-3...1e9, "prior shape, a sum of rewards, 1e-3 to 1e9")
    Field.number("rate", \.rate, in: 1e-9...1e9, "prior rate, a number of decisions, {range}")
  }

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> PoissonThompsonState { PoissonThompsonState(self, problem) }

  /// Returns the probabilities, computed by quadrature. Only the sum of the rewards matters; a negative one counts as
  /// 0.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let posteriors = arms.map {
      LogGamma.Source(
        shape: min(shape + max(0, $0.sum), 1e300), rate: rate + Double($0.decisions))
    }
    return .best(posteriors, as: LogGamma.self)
  }
}

/// The state of a run: the posteriors.
public struct PoissonThompsonState: PolicyState {
  private var shapes: [Double]
  private var rates: [Double]
  private var gammas: [GammaShape]
  private var available: [Bool]?

  init(_ policy: PoissonThompson, _ problem: Problem) {
    shapes = [Double](repeating: policy.shape, count: problem.variants)
    rates = [Double](repeating: policy.rate, count: problem.variants)
    gammas = [GammaShape](repeating: GammaShape(policy.shape), count: problem.variants)
  }

  /// Chooses the variant with the largest posterior draw; its propensity is unknown.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let winner = gammas.indices.largest(available) { gammas[$0].draw(using: &random) / rates[$0] }
    return Choice(winner, propensity: gammas.count == 1 ? 1 : .nan)
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let variant = choice.variant
    shapes[variant] = min(shapes[variant] + max(0, reward), 1e300)
    rates[variant] += 1
    gammas[variant] = GammaShape(shapes[variant])
  }

  public mutating func offer(_ available: [Bool]) { self.available = available }
}
