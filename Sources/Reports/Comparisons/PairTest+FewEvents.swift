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
      ? [treatment, control].contains {
        $0.units < SequentialRule.leastUnits || $0.outcomes < Self.leastEvents
      } : haveFewEvents(treatment, control)
    return isShort ? FewEvents(treatment: p, control: q) : nil
  }

  /// Returns whether the variance of both means is at least that of all units together, which is theirs under no
  /// difference: that of a variant with few values says nothing of its own, and only the exact tests do without.
  ///
  /// Of A/A comparisons of revenue at shares of 1 to 9 with 20 buyers in the smaller variant, Welch's test finds a
  /// difference in 10 %, over 20 looks with 10 more buyers each a confidence sequence in 9 %; with this bound it is 1 %
  /// and less than 2 % (lognormal values, sigma 1, simulated). That of all units alone would keep the level under no
  /// difference, and neither under another null, as of a margin, nor the coverage of intervals.
  func sharesVariance(_ treatment: MetricSample, _ control: MetricSample) -> Bool {
    guard plan.method.takesCovariate, plan.method != .pooled, fewEvents(treatment, control) == nil else {
      return false
    }
    let isTested = plan.method.isSequential ? !isTooEarly(treatment, control) : !areShort(treatment, control)
    return isTested && haveFewEvents(treatment, control)
  }

  /// Returns whether a variant has too few units with a value for a variance of its own.
  private func haveFewEvents(_ treatment: MetricSample, _ control: MetricSample) -> Bool {
    let (t, c) = (Double(treatment.units), Double(control.units))
    let outcomes = [treatment, control].map { Double($0.outcomes) }
    // The skewness of rare or skewed values cancels between variants of the same size only.
    let areRare = treatment.proportion == nil || outcomes[0] + outcomes[1] < (t + c) / 4
    let imbalance = areRare ? max(t / c, c / t) : 1
    return min(outcomes[0], outcomes[1]) < min(50, Double(Self.leastEvents) * imbalance)
  }

  /// Returns whether too few units have a value, or are 0 or 1, for any test of means: under no difference, fewer than
  /// ``leastEvents`` are expected of the smaller variant.
  func areShort(_ treatment: MetricSample, _ control: MetricSample) -> Bool {
    // The variance of a ratio rests on the units with a value of its denominator.
    guard plan.method != .bootstrap, treatment.tally.ratio == nil else {
      return min(treatment.outcomes, control.outcomes) < Self.leastEvents
    }
    let units = treatment.units + control.units
    let smaller = Double(min(treatment.units, control.units)) / Double(max(1, units))
    let values = treatment.valued + control.valued
    let areBinary = treatment.hasBinaryValues && control.hasBinaryValues
    let few = areBinary ? min(values, units - values) : values
    return Double(few) * smaller < Double(Self.leastEvents)
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
    defer { result.difference?.standardError = error(few) }
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

  /// The standard error of the difference under no difference; nil if no unit, or every unit, converted.
  private func error(_ few: FewEvents) -> Double? {
    guard let p = SampleMean(few.treatment), let q = SampleMean(few.control) else { return nil }
    let error = (MeanTest.sharedVariance(p, q) * (1 / p.count + 1 / q.count)).squareRoot()
    return error > 0 ? error : nil
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
