internal import RealModule
internal import Statistics

/// A policy that makes the choice with the largest index: each choice once first, and ties broken at random.
///
/// The probability is shared equally among those never chosen while there are some, then among those whose index is
/// the largest.
struct IndexAllocation: AllocationPolicy {
  /// What an index may depend on besides the tally of its choice.
  struct Situation {
    /// Decisions so far, of all choices.
    var decisions: Double
    /// The number of choices.
    var choices: Double
    /// The best mean reward of a choice so far.
    var bestMean: Double
  }

  let specification: Specification
  /// Whether only rewards in 0 ... 1 have a meaning for it.
  let needsUnitRewards: Bool
  let index: @Sendable (ArmTally, Situation) -> Double

  func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = needsUnitRewards ? arms.unitFlaw : arms.flaw {
      return .equal(arms.count, refusal: flaw)
    }
    if let first = arms.unpulledFirst { return first }
    let situation = Situation(
      decisions: arms.totalDecisions, choices: Double(arms.count),
      bestMean: arms.reduce(-Double.infinity) { max($0, $1.mean) })
    return .shared(amongLargest: arms.map { index($0, situation) })
  }
}

extension ArmTally {
  /// The variance of the rewards with divisor n, never negative.
  var variance: Double {
    guard decisions > 0 else { return 0 }
    let spread = squares / Double(decisions) - mean * mean
    return spread > 0 && spread.isFinite ? spread : 0
  }
}

/// The indices of the policies, as functions of a tally with at least one decision.
enum ArmIndex {
  /// UCB1: m + √(2 ln t / n). P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit
  /// problem" (Machine Learning 47, 2002), figure 1; t counts the decisions so far.
  static func ucb1(_ arm: ArmTally, _ now: IndexAllocation.Situation) -> Double {
    ucb(arm, now, alpha: 4)
  }

  /// UCB(α): m + √(α ln t / (2n)). S. Bubeck and N. Cesa-Bianchi, "Regret analysis of stochastic and nonstochastic
  /// multi-armed bandit problems" (2012), section 2.2.
  static func ucb(_ arm: ArmTally, _ now: IndexAllocation.Situation, alpha: Double) -> Double {
    arm.mean + (alpha * Double.log(now.decisions) / (2 * Double(arm.decisions))).squareRoot()
  }

  /// UCB1-tuned: m + √(ln t / n · min(¼, V + √(2 ln t / n))) with the variance V of the rewards. Auer and others
  /// (2002), section 4.
  static func ucb1Tuned(_ arm: ArmTally, _ now: IndexAllocation.Situation) -> Double {
    let ratio = Double.log(now.decisions) / Double(arm.decisions)
    return arm.mean + (ratio * min(0.25, arm.variance + (2 * ratio).squareRoot())).squareRoot()
  }

  /// UCB-V: m + √(2 V E / n) + 3 c b E / n with E = ζ ln t. J.-Y. Audibert, R. Munos and C. Szepesvári,
  /// "Exploration–exploitation tradeoff using variance estimates in multi-armed bandits" (TCS 410, 2009), equation 1
  /// and section 3, with rewards in 0 ... b, b = 1.
  static func ucbV(
    _ arm: ArmTally, _ now: IndexAllocation.Situation, zeta: Double, c: Double
  ) -> Double {
    let ratio = zeta * Double.log(now.decisions) / Double(arm.decisions)
    return arm.mean + (2 * arm.variance * ratio).squareRoot() + 3 * c * ratio
  }

  /// MOSS: m + √(max(0, ln(T / (K n))) / n), where T is the horizon or, without one, the decisions so far.
  /// J.-Y. Audibert and S. Bubeck, "Minimax policies for adversarial and stochastic bandits" (COLT 2009), section 2;
  /// anytime: R. Degenne and V. Perchet (ICML 2016).
  static func moss(
    _ arm: ArmTally, _ now: IndexAllocation.Situation, horizon: Double?
  ) -> Double {
    let n = Double(arm.decisions)
    let excess = Double.log((horizon ?? now.decisions) / (now.choices * n))
    return arm.mean + (max(0, excess) / n).squareRoot()
  }

  /// KL-UCB: the largest q with n·kl(m, q) ≤ ln t + c ln ln t. A. Garivier and O. Cappé, "The KL-UCB algorithm for
  /// bounded stochastic bandits and beyond" (COLT 2011), algorithm 1.
  static func klUCB(_ arm: ArmTally, _ now: IndexAllocation.Situation, c: Double) -> Double {
    let log = Double.log(now.decisions)
    // ln ln t only from t = e on, where it is positive.
    let level = log + (log > 1 ? c * Double.log(log) : 0)
    return BernoulliDivergence.upperBound(arm.mean, level: level / Double(arm.decisions))
  }

  /// Bayes-UCB: the quantile of order 1 − 1/t of the Beta posterior, t being the number of the next decision, on the
  /// axis ln(x/(1 − x)). E. Kaufmann, O. Cappé and A. Garivier, "On Bayesian upper confidence bounds for bandit
  /// problems" (AISTATS 2012), algorithm 1 with c = 0.
  static func bayesUCB(
    _ arm: ArmTally, _ now: IndexAllocation.Situation, prior: BetaPrior
  ) -> Double {
    let posterior = prior.posterior(arm)
    let tail = 1 / (now.decisions + 1)
    return SpecialFunctions.inverseBetaLogit(
      lower: 1 - tail, upper: tail, posterior.a, posterior.b)
  }

  /// IMED, to be least: n·kl(m, m*) + ln n. J. Honda and A. Takemura, "Non-asymptotic analysis of a new bandit
  /// algorithm for semi-bounded rewards" (JMLR 16, 2015), algorithm 1, for rewards that are 0 or 1. Negated here.
  static func imed(_ arm: ArmTally, _ now: IndexAllocation.Situation) -> Double {
    let n = Double(arm.decisions)
    return -(n * BernoulliDivergence.divergence(arm.mean, now.bestMean) + Double.log(n))
  }
}
