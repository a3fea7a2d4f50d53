public import Specifications
public import Statistics

/// `discounted-thompson:gamma=0.99,alpha=1,beta=1`: `thompson` with successes and failures discounted by γ at each
/// step.
///
/// V. Raj and S. Kalyani, "Taming non-stationary bandits: a Bayesian approach" (arXiv 1707.09727, 2017), algorithm 1:
/// the counts of all variants are discounted when a reward is learned, the prior is not.
public struct DiscountedThompson: Policy {
  /// The discount.
  public var gamma = 0.99
  /// The prior.
  public var prior = BetaPrior()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "discounted-thompson", "Thompson sampling with discounted rewards",
    source: "Raj and Kalyani 2017, algorithm 1",
    example: "discounted-thompson:gamma=0.99,alpha=1,beta=1")

  public static var parameters: [Field] {
    Field.number("gamma", \.gamma, in: 0.001...1, "discount, {range}")
    Field.group(\.prior)
  }

  public static let supportsUnavailableVariants = true
  /// A reward is a success, or a fraction of one.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> DiscountedThompsonState { DiscountedThompsonState(self, problem) }
}

/// The state of a run. New rewards get increasing weights, which is equivalent to discounting old ones.
public struct DiscountedThompsonState: AllocatingState {
  private let prior: BetaPrior
  private let step: Double
  private var growth = 1.0
  private var successes: [Double]
  private var failures: [Double]
  private var available: [Bool]?

  init(_ policy: DiscountedThompson, _ problem: Problem) {
    prior = policy.prior
    step = 1 / policy.gamma
    successes = [Double](repeating: 0, count: problem.variants)
    failures = successes
  }

  /// Chooses the variant with the largest posterior draw; its propensity, an integral, is not computed.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let discount = 1 / growth
    let winner = successes.indices.largest(available) {
      let posterior = posterior($0, discount)
      return Draw.beta(posterior.a, posterior.b, using: &random)
    }
    return Choice(winner, propensity: .nan)
  }

  /// The probabilities of the next decision, computed by quadrature.
  public var allocation: Allocation {
    let discount = 1 / growth
    return .best(successes.indices.map { posterior($0, discount) }, as: LogitBeta.self)
  }

  @inline(__always)
  private func posterior(_ variant: Int, _ discount: Double) -> LogitBeta.Source {
    LogitBeta.Source(
      a: prior.alpha + successes[variant] * discount, b: prior.beta + failures[variant] * discount)
  }

  /// Counts the reward as a fraction of a success, and 1 − reward as a fraction of a failure.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let success = reward.inUnitRange
    growth *= step
    successes[choice.variant] += success * growth
    failures[choice.variant] += (1 - success) * growth
    guard growth > 1e100 else { return }
    for variant in successes.indices {
      successes[variant] /= growth
      failures[variant] /= growth
    }
    growth = 1
  }

  public mutating func offer(_ available: [Bool]) { self.available = available }
}
