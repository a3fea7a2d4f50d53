public import Statistics

/// `thompson:alpha=1,beta=1`: the probability that a variant has the highest mean, under independent Beta posteriors.
///
/// The posterior of a variant with n decisions and rewards in 0 ... 1 that add up to s is Beta(α + s, β + n − s):
/// E. Kaufmann, N. Korda and R. Munos, "Thompson sampling: an asymptotically optimal finite-time analysis" (ALT
/// 2012), for rewards that are 0 or 1. Rewards between them count as parts of a success, without the extra coin toss
/// of Agrawal and Goyal (2012), so that the same tallies always give the same probabilities.
/// Rewards outside 0 ... 1 are refused. The integral: `BestChances`.
public struct Thompson: Policy, AllocationPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "thompson", "probability to have the best mean, by Beta posteriors, for rewards in 0 to 1",
    BetaPrior.parameters, source: "Thompson 1933; Kaufmann, Korda and Munos 2012")

  /// The best of those that are there.
  public static let takesAbsence = true
  /// Rewards are successes, or parts of them.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let prior: BetaPrior

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(alpha: Double? = nil, beta: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(BetaPrior.alpha.written(alpha), BetaPrior.beta.written(beta)),
      variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    prior = try BetaPrior(specification)
  }

  /// Nothing is known but the prior.
  public func makeState(_ problem: Problem) -> ThompsonState { ThompsonState(prior, problem) }

  /// The probabilities by quadrature.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.unitFlaw { return .equal(arms.count, refusal: flaw) }
    return .best(arms.map(prior.posterior), before: { ($0.a, $0.b) < ($1.a, $1.b) }, LogitBeta.init)
  }
}

/// The posteriors of a run.
public struct ThompsonState: PolicyState {
  private var posteriors: [BetaShape]
  private var available: [Bool]?

  init(_ prior: BetaPrior, _ problem: Problem) {
    posteriors = [BetaShape](
      repeating: BetaShape(prior.alpha, prior.beta), count: problem.variants)
  }

  /// The variant whose draw from its posterior is the largest: it has its probability without an integral, which is why
  /// the choice does not say it.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    var best = -Double.infinity
    var winner = 0
    for variant in posteriors.indices where available?[variant] ?? true {
      let draw = posteriors[variant].draw(using: &random)
      if draw > best { (best, winner) = (draw, variant) }
    }
    return Choice(winner, propensity: .nan)
  }

  /// A reward is a part of a success, and the rest to 1 of a failure.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let posterior = posteriors[choice.variant]
    posteriors[choice.variant] = BetaShape(posterior.a + reward, posterior.b + (1 - reward))
  }

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { self.available = available }
}
