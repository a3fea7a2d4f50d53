public import Specifications
public import Statistics

/// `thompson:alpha=1,beta=1`: Thompson sampling with independent Beta posteriors: the probability that a variant has
/// the largest mean.
///
/// The posterior of a variant with n decisions and rewards in 0 ... 1 that add up to s is Beta(α + s, β + n − s): E.
/// Kaufmann, N. Korda and R. Munos, "Thompson sampling: an asymptotically optimal finite-time analysis" (ALT 2012), for
/// rewards that are 0 or 1. Rewards between them count as fractions of a success, without the extra coin toss of
/// Agrawal and Goyal (2012), so that equal tallies always give equal probabilities. Rewards outside 0 ... 1 are
/// rejected. `BestArmProbabilities` computes the integral.
public struct Thompson: AllocationPolicy {
  /// The prior.
  public var prior = BetaPrior()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "thompson", "Thompson sampling with Beta posteriors, for rewards in 0 to 1",
    source: "Thompson 1933; Kaufmann, Korda and Munos 2012", example: "thompson:alpha=1,beta=1")

  public static var parameters: [Field] {
    Field.group(\.prior)
  }

  public static let supportsUnavailableVariants = true
  /// A reward is a success, or a fraction of one.
  public static let needsUnitRewards = true

  public func makeState(_ problem: Problem) -> ThompsonState { ThompsonState(prior, problem) }

  /// Returns the probabilities, computed by quadrature.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.unitFlaw { return .equal(arms.count, refusal: flaw) }
    return .best(arms.map(prior.posterior), as: LogitBeta.self)
  }
}

/// The state of a run: the posteriors.
public struct ThompsonState: PolicyState {
  private var posteriors: [BetaShape]
  private var available: [Bool]?

  init(_ prior: BetaPrior, _ problem: Problem) {
    posteriors = [BetaShape](
      repeating: BetaShape(prior.alpha, prior.beta), count: problem.variants)
  }

  /// Chooses the variant with the largest posterior draw; its propensity, an integral, is not computed.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    var best = -Double.infinity
    var winner = 0
    for variant in posteriors.indices where available?[variant] ?? true {
      let draw = posteriors[variant].draw(using: &random)
      if draw > best { (best, winner) = (draw, variant) }
    }
    return Choice(winner, propensity: .nan)
  }

  /// Counts the reward as a fraction of a success, and 1 − reward as a fraction of a failure.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let posterior = posteriors[choice.variant]
    posteriors[choice.variant] = BetaShape(posterior.a + reward, posterior.b + (1 - reward))
  }

  public mutating func offer(_ available: [Bool]) { self.available = available }
}
