internal import Replay
internal import Statistics

extension PairTest {
  func compare(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    let (alternative, level) = (plan.alternative, plan.level)
    guard plan.method == .pooled || (t.variance > 0) == (c.variance > 0) else {
      // The standard error would rest on the spread of the other variant alone.
      result.difference = Difference(estimate: t.mean - c.mean)
      result.status =
        "no variance in one variant: no test with an error of its own; pooled and mann-whitney have one"
      return
    }
    switch plan.method {
    case .welch:
      result.difference =
        plan.margin.map {
          Guardrail.nonInferiority(
            treatment: t, control: c, margin: $0, isLessBetter: result.direction == .lower,
            level: level)
        } ?? MeanTest.welch(treatment: t, control: c, alternative: alternative, level: level)
    case .pooled:
      result.difference = MeanTest.pooled(
        treatment: t, control: c, alternative: alternative, level: level)
    default:
      result.difference = MeanTest.z(
        treatment: t, control: c, alternative: alternative, level: level)
    }
    guard let error = result.difference?.standardError, error > 0, error.isFinite else {
      result.status = "no variance"
      return
    }
    switch plan.method {
    case .bayes, .bayesLift:
      result.difference?.statistic = nil
      result.difference?.pValue = nil
      believe(t, c, &result)
    case .msprt, .scaledMsprt, .asymptoticCS, .groupSequential:
      applySequential(error, t.count + c.count, &result)
    default: break
    }
  }

  private func believe(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    guard let posterior = posterior(t, c) else {
      result.difference?.interval = nil
      result.status = "a prior of the lift needs means above zero"
      return
    }
    result.difference?.estimate = posterior.mean
    result.difference?.standardError = posterior.standardDeviation
    result.difference?.interval = posterior.credibleInterval(level: plan.level)
    result.chanceAbove = posterior.chanceToWin
    result.losses = (posterior.lossOfTreatment, posterior.lossOfControl)
  }

  /// Returns the posterior of the difference. The prior of ``ComparisonMethod/bayesLift`` is one of the lift, and so of
  /// the difference in shares of the mean over both groups, which favours neither; nil if that is not above zero.
  func posterior(_ t: SampleMean, _ c: SampleMean) -> NormalPosterior? {
    let common = (t.count * t.mean + c.count * c.mean) / (t.count + c.count)
    let scale = plan.method == .bayesLift ? common : 1
    guard plan.prior == nil || scale > 0 else { return nil }
    return NormalPosterior(
      estimate: t.mean - c.mean, standardError: (t.squaredError + c.squaredError).squareRoot(),
      prior: plan.prior.map {
        let deviation = $0.standardDeviation * scale
        return ($0.mean * scale, deviation * deviation)
      })
  }

  // MARK: At every look

  /// Returns whether a variant has too few units, or both together too few with a value, for the normal approximation
  /// behind the sequential methods. At looks this early the approximation errors would add up.
  func isTooEarly(_ treatment: MetricSample, _ control: MetricSample) -> Bool {
    min(treatment.units, control.units) < SequentialRule.leastUnits || areShort(treatment, control)
  }

  /// Sets the result of a test that has not begun: nothing can be concluded yet.
  func waitForUnits(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    result.difference = Difference(
      estimate: t.mean - c.mean, standardError: (t.squaredError + c.squaredError).squareRoot())
    result.isEarly = true
    if plan.method != .groupSequential { result.difference?.pValue = 1 }
    result.status =
      "not valid yet: a variant has fewer than \(SequentialRule.leastUnits) units, or fewer than "
      + "\(SequentialRule.leastEvents) with, or without, a value are expected of it"
  }

  private func applySequential(_ error: Double, _ count: Double, _ result: inout Comparison) {
    guard let estimate = result.difference?.estimate, error * error > 0 else { return }
    let variance = error * error
    result.difference?.degreesOfFreedom = nil
    switch plan.method {
    case .msprt:
      let test = MixtureTest(priorVariance: plan.effectVariance)
      result.difference?.statistic = test.likelihoodRatio(estimate: estimate, variance: variance)
      result.difference?.pValue = test.pValue(estimate: estimate, variance: variance)
      result.difference?.interval = test.interval(
        estimate: estimate, variance: variance, alpha: plan.alpha)
    case .scaledMsprt:
      let rule = ScaledMixtureRule(alpha: plan.alpha)
      result.difference?.pValue = rule.pValue(estimate: estimate, variance: variance)
      result.difference?.interval = rule.interval(estimate: estimate, variance: variance)
    case .asymptoticCS:
      let sequence = AsymptoticSequence(tightestAt: plan.tightestUnits, alpha: plan.alpha)
      result.difference?.pValue = sequence.pValue(
        estimate: estimate, standardError: error, count: count)
      result.difference?.interval = sequence.interval(
        estimate: estimate, standardError: error, count: count)
    default: applyLooks(estimate, error, &result)
    }
    let interval = result.difference?.interval
    result.difference?.criticalValue = interval.map { $0.width / 2 / error }
  }

  /// Widens the interval to the boundary of the look; a p-value of one look would not hold over all of them.
  private func applyLooks(_ estimate: Double, _ error: Double, _ result: inout Comparison) {
    let boundary = boundaryOfLook
    result.boundary = boundary
    result.difference?.pValue = nil
    result.difference?.interval = Interval(estimate - boundary * error, estimate + boundary * error)
    result.status = "boundary \(boundary)"
  }

  /// The boundary of the current look of a group sequential test.
  var boundaryOfLook: Double {
    let looks = plan.plannedLooks
    let information =
      looks.information
      ?? (1...max(1, looks.count)).map { Double($0) / Double(max(1, looks.count)) }
    let boundaries = GroupSequential.boundaries(
      information: information, spending: looks.spending, alpha: plan.alpha)
    return boundaries[min(max(1, looks.information?.count ?? looks.look), boundaries.count) - 1]
  }
}
