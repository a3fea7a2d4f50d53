public import Specifications
internal import Statistics

/// `bayes-ucb:alpha=1,beta=1`: the quantile of order 1 − 1/t of the Beta posterior, where t is the number of the next
/// decision, for rewards in 0 ... 1.
///
/// E. Kaufmann, O. Cappé and A. Garivier, "On Bayesian upper confidence bounds for bandit problems" (AISTATS 2012),
/// algorithm 1 with c = 0. The index is on the logit axis ln(x/(1 − x)), which distinguishes quantiles close to 1.
public struct BayesUCB: IndexPolicy {
  /// The prior.
  public var prior = BetaPrior()
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "bayes-ucb", "quantile 1 - 1/t of the Beta posterior, for rewards in 0 to 1",
    source: "Kaufmann, Cappé and Garivier 2012, algorithm 1", example: "bayes-ucb:alpha=1,beta=1")

  public static var parameters: [Field] {
    Field.group(\.prior)
  }

  /// Rewards are Bernoulli, or fractions in 0 ... 1.
  public static let needsUnitRewards = true

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let posterior = prior.posterior(arm)
    let tail = 1 / (now.decisions + 1)
    return SpecialFunctions.inverseBetaLogit(
      lower: 1 - tail, upper: tail, posterior.a, posterior.b)
  }

  /// Returns the tangent: as the density of the logit is log-concave, the index is a concave function of the logarithm
  /// of 1/t. The margin allows for the rounding of quantiles, which grows with the parameters.
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let posterior = prior.posterior(arm)
    let (a, b) = (posterior.a, posterior.b)
    let slope = SpecialFunctions.betaTailSlope(logit: index, tail: 1 / (now.decisions + 1), a, b)
    // ln(1 + t) grows by less than ln t.
    return .line(through: index, at: now.log, slope: slope, margin: margin(arm) * slope)
  }

  /// Returns the tangent at the later t for which the index is the bound: a tail and a density instead of a quantile.
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, below bound: Double
  ) -> IndexTerms<Double>? {
    let (posterior, margin) = (prior.posterior(arm), margin(arm))
    let tail = SpecialFunctions.logBetaUpperTail(logit: bound, posterior.a, posterior.b)
    // By how much the logarithm of 1/t must fall until the index is the bound.
    let distance = -tail.value - Double.log(onePlus: now.decisions)
    guard distance > margin, distance < .infinity else { return nil }
    return .line(
      through: bound - tail.slope * distance, at: now.log, slope: tail.slope,
      margin: margin * tail.slope)
  }

  /// Returns whether the posterior has a probability of more than 1/t above the bound: one tail instead of a quantile.
  @inline(__always)
  public func exceeds(
    _ bound: Double, _ arm: ArmTally, _ now: IndexSituation, _ memory: inout Memory
  ) -> Bool {
    memory.tail(above: bound, arm, prior) * (now.decisions + 1) > 1 + margin(arm)
  }

  /// Returns a bound on the relative rounding of a tail, which grows with the parameters of the posterior.
  @inline(__always)
  private func margin(_ arm: ArmTally) -> Double {
    1e-6 * (1 + SquareRoot.of(prior.alpha + prior.beta + Double(arm.decisions)))
  }

  /// The tail of the last comparison, which has a closed form after one more reward of 0 or 1.
  public struct Memory: IndexMemory {
    private var bound = Double.nan
    private var arm = ArmTally()
    private var known: BetaUpperTail?

    public init() {}

    /// Returns the probability above the bound.
    @inline(__always)
    fileprivate mutating func tail(
      above bound: Double, _ arm: ArmTally, _ prior: BetaPrior
    ) -> Double {
      let isNext = bound == self.bound && arm.decisions == self.arm.decisions &+ 1
      let reward = arm.sum - self.arm.sum
      self.arm = arm
      if isNext, var tail = known, reward == 0 || reward == 1 {
        if reward == 1 { tail.incrementA() } else { tail.incrementB() }
        known = tail
        if tail.isAccurate { return tail.value }
      }
      return compute(above: bound, arm, prior)
    }

    @inline(never)
    private mutating func compute(
      above bound: Double, _ arm: ArmTally, _ prior: BetaPrior
    ) -> Double {
      let posterior = prior.posterior(arm)
      let tail = BetaUpperTail(logit: bound, posterior.a, posterior.b)
      self.bound = bound
      known = tail
      return tail.value
    }
  }
}
