public import Statistics

/// `bayes-ucb:alpha=1,beta=1`: the quantile of order 1 − 1/t of the Beta posterior, t being the number of the next
/// decision, for rewards in 0 ... 1.
///
/// E. Kaufmann, O. Cappé and A. Garivier, "On Bayesian upper confidence bounds for bandit problems" (AISTATS 2012),
/// algorithm 1 with c = 0. The index is on the axis ln(x/(1 − x)), where quantiles close to 1 are told apart.
public struct BayesUCB: IndexPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "bayes-ucb", "quantile 1 - 1/t of the Beta posterior, for rewards in 0 to 1",
    BetaPrior.parameters, source: "Kaufmann, Cappé and Garivier 2012, algorithm 1")

  /// Rewards are those of Bernoulli variants, or parts of them.
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

  /// The index of a variant.
  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let posterior = prior.posterior(arm)
    let tail = 1 / (now.decisions + 1)
    return SpecialFunctions.inverseBetaLogit(
      lower: 1 - tail, upper: tail, posterior.a, posterior.b)
  }
  /// Whether the posterior has at least 1/t above the best index.
  ///
  /// Chernoff's bound first: above x > m = a/(a + b) lies at most exp(−(a + b)·kl(m, x)), as a Beta variable is the share
  /// of two Gamma variables, whose moments are known; then the tail itself. The margin is for the rounding of quantiles,
  /// which grows with the parameters.
  public func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool {
    let posterior = prior.posterior(arm)
    let (a, b) = (posterior.a, posterior.b)
    let (x, y) = (1 / (1 + Double.exp(-best)), 1 / (1 + Double.exp(best)))
    let margin = 1e-6 * (1 + (a + b).squareRoot())
    if a * y < b * x {
      let exponent = a * Double.log(a / (a + b) / x) + b * Double.log(b / (a + b) / y)
      if exponent > Double.log(now.decisions + 1) + margin { return false }
    }
    let tail = SpecialFunctions.betaUpperTail(logit: best, a, b)
    return !(tail * (now.decisions + 1) < 1 - min(0.5, margin))
  }
}
