internal import Replay
internal import Statistics

/// Compares variants according to a plan.
struct PairTest {
  let plan: ComparisonPlan

  /// Compares a treatment with a control in one metric.
  func compare(_ treatment: MetricSample, _ control: MetricSample) -> Comparison {
    var result = Comparison(
      method: plan.methodText(treatment.metric), direction: treatment.metric.direction)
    guard treatment.units > 1, control.units > 1 else {
      result.status = "too few units"
      return result
    }
    if plan.method.isOfProportions && treatment.proportion == nil {
      result.status = "the method is for metrics of 0 or 1"
      return result
    }
    if plan.method == .mannWhitney, treatment.tally.values == nil {
      result.status = "the method is not for ratios"
      return result
    }
    guard let (t, c) = means(treatment, control, &result) else { return result }
    if let few = fewEvents(treatment, control) {
      compare(few, &result)
    } else if plan.method.isSequential, isTooEarly(treatment, control) {
      waitForUnits(t, c, &result)
    } else if plan.method.isOfProportions, let p = treatment.proportion, let q = control.proportion {
      compare(p, q, &result)
    } else if plan.method == .mannWhitney {
      compareRanks(treatment, control, &result)
    } else if plan.method == .bootstrap {
      compareReplicates(treatment, control, &result)
    } else {
      compare(t, c, &result)
    }
    addLift(t, c, treatment, control, &result)
    // The posterior is normal, as the tests are that exact ones replace.
    if fewEvents(treatment, control) == nil { addChances(t, c, &result) }
    addFindings(treatment, control, &result)
    return result
  }

  /// Returns the means to compare, adjusted by the covariate if there is one, and with one variance where values are
  /// few; nil, with the reason, if there are none.
  private func means(
    _ treatment: MetricSample, _ control: MetricSample, _ result: inout Comparison
  ) -> (SampleMean, SampleMean)? {
    guard var t = treatment.mean, var c = control.mean else {
      result.status = "the denominators add up to zero"
      return nil
    }
    if let covariate = plan.covariate(of: treatment.metric) {
      guard let adjusted = adjusted(treatment, control, covariate.theta) else {
        result.status = "the covariate does not vary"
        return nil
      }
      (t, c) = adjusted
    }
    if sharesVariance(treatment, control) {
      let shared = MeanTest.sharedVariance(t, c)
      (t.variance, c.variance) = (max(t.variance, shared), max(c.variance, shared))
      result.method += ", at least the variance of both variants for few values"
    }
    guard [t.mean, t.variance, c.mean, c.variance].allSatisfy(\.isFinite) else {
      result.status = "values too large"
      return nil
    }
    guard plan.method == .mannWhitney || ![t, c].contains(where: Self.isTiny) else {
      result.status = "values too small: their variance cannot be computed; multiply them"
      return nil
    }
    return (t, c)
  }

  /// Returns whether a variance, or its square, underflows.
  private static func isTiny(_ mean: SampleMean) -> Bool {
    mean.variance > 0
      ? mean.variance < leastVariance
      : mean.mean != 0 && abs(mean.mean) < leastVariance.squareRoot()
  }

  /// The least variance above 0 whose square errors and their reciprocals are normal numbers.
  private static let leastVariance = 1e-280

  /// Returns the means, or ratios, adjusted by the covariate; nil if it does not vary.
  private func adjusted(
    _ treatment: MetricSample, _ control: MetricSample, _ theta: CupedTheta
  ) -> (SampleMean, SampleMean)? {
    if let t = treatment.tally.cupedRatio, let c = control.tally.cupedRatio {
      return Cuped.adjusted(treatment: t, control: c, theta: theta)
    }
    guard let t = treatment.tally.cuped, let c = control.tally.cuped else { return nil }
    return Cuped.adjusted(treatment: t, control: c, theta: theta)
  }

  // MARK: Ranks

  private func compareRanks(
    _ treatment: MetricSample, _ control: MetricSample, _ result: inout Comparison
  ) {
    guard let t = treatment.tally.values, let c = control.tally.values else { return }
    let mean = (treatment.point ?? .nan) - (control.point ?? .nan)
    result.difference = Difference(estimate: mean)
    guard
      let test = MannWhitney.test(treatment: t, control: c, alternative: plan.alternative)
    else {
      result.status = "no variance"
      return
    }
    result.difference?.statistic = test.z
    result.difference?.pValue = test.pValue
    result.signed = test.z
  }

  /// Adds the chances under a flat prior, for methods without chances of their own.
  private func addChances(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    guard !plan.method.isBayesian, t.variance > 0, c.variance > 0,
      let posterior = NormalPosterior(
        estimate: t.mean - c.mean,
        standardError: (t.squaredError + c.squaredError).squareRoot())
    else { return }
    result.chanceAbove = posterior.chanceToWin
    result.losses = (posterior.lossOfTreatment, posterior.lossOfControl)
  }
}
