internal import Replay
internal import Statistics

/// Tests of rates with so few events that their standard errors are 0 or unreliable: exact ones replace those of means.
extension PairTest {
  /// The minimum number of units with, and without, a conversion in a variant for a standard error of its own.
  static let leastEvents = SequentialRule.leastEvents

  /// Two proportions, at least one of which has too few successes or failures.
  struct FewEvents {
    let treatment: Proportion
    let control: Proportion
  }

  /// Returns the proportions of a binary metric that an exact test has to compare; nil if there are enough events, or
  /// for methods and plans without an exact replacement.
  func fewEvents(_ treatment: MetricSample, _ control: MetricSample) -> FewEvents? {
    guard replacement != nil, plan.margin == nil, plan.covariate(of: treatment.metric) == nil,
      let p = treatment.proportion, let q = control.proportion
    else { return nil }
    let isShort =
      plan.method.isSequential
      ? isTooEarly(treatment, control)
      : [p, q].contains { min($0.successes, $0.trials - $0.successes) < Self.leastEvents }
    return isShort ? FewEvents(treatment: p, control: q) : nil
  }

  /// What replaces the method where events are few; nil where nothing does.
  var replacement: String? {
    switch plan.method {
    case .welch, .pooled, .z, .unpooledZ, .groupSequential: "an exact test (mid-p)"
    case .asymptoticCS: "an exact confidence sequence"
    default: nil
    }
  }

  /// Compares two proportions exactly.
  func compare(_ few: FewEvents, _ result: inout Comparison) {
    let reason = "for few events (\(result.method))"
    if plan.method == .asymptoticCS {
      compareAtEveryLook(few, &result)
      result.method = "exact confidence sequence of two proportions, \(reason)"
      result.liftMethod = "exact-sequence"
    } else {
      compareAtOneLook(few, &result)
      result.method = "mid-p exact test with score intervals, \(reason)"
      result.liftMethod = "score"
    }
  }

  /// Half of the units at which the asymptotic sequence is tightest are those of each variant.
  private func compareAtEveryLook(_ few: FewEvents, _ result: inout Comparison) {
    let sequence = BernoulliPairSequence(
      treatment: few.treatment, control: few.control, tightestAt: plan.tightestUnits / 2,
      alpha: plan.alpha)
    guard let sequence, let p = few.treatment.value, let q = few.control.value else { return }
    result.difference = Difference(
      estimate: p - q, pValue: sequence.pValue, interval: sequence.difference)
    result.ratioInterval = sequence.ratio
  }

  /// Tests by mid-p, against the boundary of the look if there is one. The score intervals leave 0 out exactly where it
  /// rejects: where their own test disagrees, they are widened or narrowed until they just do.
  private func compareAtOneLook(_ few: FewEvents, _ result: inout Comparison) {
    guard
      let intervals = ScoreIntervals(
        treatment: few.treatment, control: few.control, .miettinenNurminen),
      var tested = ProportionTest.midP(
        treatment: few.treatment, control: few.control, alternative: plan.alternative)
    else { return }
    result.boundary = plan.method == .groupSequential ? boundaryOfLook : nil
    result.status = result.boundary.map { "boundary \($0)" }
    // Early boundaries may be infinite; no statistic reaches 40.
    let limit = result.boundary.map { min(40, $0) } ?? plan.alternative.criticalValue(level: plan.level)
    var critical = limit
    if let score = intervals.statistic, let statistic = tested.statistic {
      let isBeyond =
        result.boundary.map { abs(statistic) >= $0 } ?? (tested.pValue.map { $0 < plan.alpha } ?? false)
      let reached =
        switch plan.alternative {
        case .twoSided: abs(score)
        case .greater: score
        case .less: -score
        }
      critical = isBeyond ? min(limit, reached * (1 - 1e-6)) : max(limit, reached * (1 + 1e-6))
    } else {
      (tested.statistic, tested.pValue) = (nil, nil)
    }
    if result.boundary != nil { tested.pValue = nil }
    tested.interval = plan.alternative.interval(intervals.difference(criticalValue: critical))
    result.difference = tested
    result.ratioInterval = intervals.ratio(criticalValue: critical)
  }
}
