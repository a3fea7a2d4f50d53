internal import Replay
internal import Statistics

extension PairTest {
  func compare(_ p: Proportion, _ q: Proportion, _ result: inout Comparison) {
    let level = plan.level
    guard
      var wald = ProportionTest.unpooledZ(
        treatment: p, control: q, alternative: plan.alternative, level: level)
    else { return }
    let bare = Difference(estimate: wald.estimate)
    result.difference = bare
    switch plan.method {
    case .pooledZ:
      result.difference = ProportionTest.pooledZ(
        treatment: p, control: q, alternative: plan.alternative, level: level)
      invert(.pearson, p, q, &result)
    case .chiSquared, .yates:
      let test = ProportionTest.chiSquared(
        treatment: p, control: q, yates: plan.method == .yates)
      (wald.statistic, wald.pValue) = (test?.statistic, test?.pValue)
      wald.degreesOfFreedom = test.map { _ in 1 }
      result.difference = wald
      invert(plan.method == .yates ? .yates : .pearson, p, q, &result)
    case .fisher:
      result.difference?.pValue = ProportionTest.fisher(
        treatment: p, control: q, alternative: plan.alternative)
    case .newcombe:
      result.difference?.interval = ProportionDifference.newcombe(
        treatment: p, control: q, level: level)
      result.ratioInterval = ProportionRatio.recovered(treatment: p, control: q, level: level)
      result.liftMethod = "wilson-recovered"
    case .agrestiCaffo:
      result.difference?.interval = ProportionDifference.agrestiCaffo(
        treatment: p, control: q, level: level)
    case .miettinenNurminen: invert(.miettinenNurminen, p, q, &result)
    case .betaBinomial: compareBeta(p, q, &result)
    default: result.difference = wald
    }
    if result.difference?.pValue == nil, result.difference?.interval?.width == 0 {
      result.status = "no variance"
    }
  }

  /// Returns the intervals that exclude a difference exactly where the test rejects it.
  private func invert(
    _ variant: ScoreVariant, _ p: Proportion, _ q: Proportion, _ result: inout Comparison
  ) {
    let intervals = ScoreIntervals(treatment: p, control: q, variant)
    let z = plan.alternative.criticalValue(level: plan.level)
    result.difference?.interval = (intervals?.difference(criticalValue: z)).map {
      plan.alternative.interval($0)
    }
    result.ratioInterval = intervals?.ratio(criticalValue: z)
    result.liftMethod = "score"
  }

  private func compareBeta(_ p: Proportion, _ q: Proportion, _ result: inout Comparison) {
    let (treatment, control) = (BetaPosterior(p), BetaPosterior(q))
    result.difference = Difference(
      estimate: treatment.mean - control.mean,
      interval: treatment.differenceInterval(over: control, level: plan.level))
    result.ratioInterval = treatment.ratioInterval(over: control, level: plan.level)
    result.liftMethod = "beta-posterior"
    result.chanceAbove = treatment.chanceToBeat(control)
    result.losses = (control.expectedGain(over: treatment), treatment.expectedGain(over: control))
  }
}
