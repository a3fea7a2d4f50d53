internal import Statistics

/// The difference of the mean rewards of a variant and the baseline, and the lift, with intervals that agree.
struct SeriesContrast {
  private(set) var difference: Double?
  private(set) var interval: Interval?
  private(set) var lift: Double?
  private(set) var liftInterval: Interval?

  /// The decisions of both variants at which the confidence sequences are tightest, as in the report compare.
  static let tightestAt = ComparisonPlan().tightestUnits

  /// The least decisions of a variant for an interval that holds at every look.
  static let leastDecisions = SequentialRule.leastUnits

  /// Creates no contrast.
  init() {}

  /// Creates a contrast.
  ///
  /// - Parameters:
  ///   - treatment: The rewards of the decisions of the variant.
  ///   - control: Those of the baseline.
  ///   - level: The confidence level.
  ///   - isRepeated: Whether the interval holds at every look, and not at one.
  init(_ treatment: Moments, _ control: Moments, level: Double, isRepeated: Bool) {
    guard let mean = treatment.mean, let other = control.mean else { return }
    difference = mean - other
    lift = other > 0 ? mean / other - 1 : nil
    // With a variance of one variant alone, the standard error would rest on it.
    guard let t = SampleMean(treatment), let c = SampleMean(control), t.variance > 0, c.variance > 0 else { return }
    let error = (t.squaredError + c.squaredError).squareRoot()
    guard error > 0, error.isFinite else { return }
    if isRepeated {
      guard min(t.count, c.count) >= Double(Self.leastDecisions) else { return }
      interval = AsymptoticSequence(tightestAt: Self.tightestAt, alpha: 1 - level)
        .interval(estimate: t.mean - c.mean, standardError: error, count: t.count + c.count)
    } else {
      interval = MeanTest.welch(treatment: t, control: c, level: level).interval
    }
    guard lift != nil, let interval else { return }
    let ratio = FiellerLift(treatment: t, control: c).interval(criticalValue: interval.width / 2 / error)
    if let ratio { liftInterval = ratio } else { lift = nil }
  }
}
