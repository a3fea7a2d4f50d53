internal import Replay
internal import Statistics

extension PairTest {
  private static let unbounded =
    "the baseline's mean is too close to zero: no lift (its interval is unbounded)"

  /// Adds the lift, with an interval that agrees with the test of the difference, or of the method that was
  /// requested. A baseline that is not above zero has no relative lift: its sign would contradict the difference.
  func addLift(
    _ t: SampleMean, _ c: SampleMean, _ treatment: MetricSample, _ control: MetricSample,
    _ result: inout Comparison
  ) {
    guard c.mean > 0 else {
      withhold("the baseline's mean is \(c.mean == 0 ? "zero" : "negative"): no lift", &result)
      return
    }
    switch plan.method {
    case .bootstrap: return  // It has brought its own.
    case _ where plan.lift == .auto: addMatchingLift(t, c, treatment, control, &result)
    default: addRequestedLift(t, c, treatment, control, &result)
    }
    // A share loses at most all of itself.
    if control.metric.isBinary, let interval = result.lift?.interval, interval.low.isFinite {
      result.lift?.interval = Interval(max(-1, interval.low), max(-1, interval.high))
    }
  }

  /// Leaves the lift out, for a reason.
  private func withhold(_ reason: String, _ result: inout Comparison) {
    result.lift = nil
    guard let status = result.status else { return result.status = reason }
    // A boundary is no reason.
    if result.boundary != nil { result.status = "\(status); \(reason)" }
  }

  /// Adds the lift with the interval of another tool, with the critical value of the method and on the side that is
  /// tested.
  private func addRequestedLift(
    _ t: SampleMean, _ c: SampleMean, _ treatment: MetricSample, _ control: MetricSample,
    _ result: inout Comparison
  ) {
    result.lift = Difference(estimate: t.mean / c.mean - 1)
    let twoSided = isOneSided ? 1 - 2 * plan.alpha : plan.level
    let value =
      plan.method.isSequential
      ? result.difference?.criticalValue : plan.lift.criticalValue(t, c, level: twoSided)
    guard let value else { return }
    if !control.metric.isBinary,
      FiellerLift(treatment: t, control: c).interval(criticalValue: value) == nil
    {
      return withhold(Self.unbounded, &result)
    }
    guard
      let interval = plan.lift.interval(
        t, c, treatment.proportion, control.proportion, criticalValue: value)
    else {
      if result.status == nil { result.status = plan.lift.absence }
      return
    }
    let own = side(interval, result)
    result.lift?.interval = own
    result.liftMethod = plan.lift.rawValue
  }

  private func addMatchingLift(
    _ t: SampleMean, _ c: SampleMean, _ treatment: MetricSample, _ control: MetricSample,
    _ result: inout Comparison
  ) {
    result.lift = Difference(estimate: t.mean / c.mean - 1)
    if let ratio = result.ratioInterval {
      if plan.method == .betaBinomial, let q = control.proportion,
        let difference = result.difference
      {
        result.lift?.estimate = difference.estimate / BetaPosterior(q).mean
      }
      let own = side(Interval(ratio.low - 1, ratio.high - 1), result)
      result.lift?.interval = own
      return
    }
    if plan.method == .mannWhitney, !control.metric.isBinary {
      let z = StandardNormal.quantile(1 - plan.alpha / 2)
      if c.mean <= z * c.squaredError.squareRoot() { withhold(Self.unbounded, &result) }
    }
    guard let (lift, criticalValue, name) = fieller(t, c, treatment, control, result) else {
      return
    }
    guard let interval = lift.interval(criticalValue: criticalValue),
      let estimate = lift.estimate, lift.control > 0
    else { return withhold(Self.unbounded, &result) }
    if plan.method.hasNormalPosterior { result.lift?.estimate = estimate }
    let own = side(interval, result)
    result.lift?.interval = own
    result.liftMethod = name
    if plan.method == .bayesLift {
      result.losses = result.losses.map {
        ($0.treatment / lift.control, $0.control / lift.control)
      }
    }
  }

  /// Whether the interval has one end only.
  private var isOneSided: Bool { plan.alternative != .twoSided || plan.margin != nil }

  /// Restricts an interval to the side that is tested.
  private func side(_ interval: Interval, _ result: Comparison) -> Interval {
    let kept: Alternative = result.direction == .lower ? .less : .greater
    return (plan.margin == nil ? plan.alternative : kept).interval(interval)
  }

  /// Fieller's interval with the standard errors and critical value of the difference; nil if the difference has
  /// none.
  private func fieller(
    _ t: SampleMean, _ c: SampleMean, _ treatment: MetricSample, _ control: MetricSample,
    _ result: Comparison
  ) -> (FiellerLift, criticalValue: Double, name: String)? {
    let z = -StandardNormal.quantile((1 - plan.level) / 2)
    switch plan.method {
    case .agrestiCaffo:
      guard let p = treatment.proportion, let q = control.proportion else { return nil }
      return (
        FiellerLift(treatment: adjusted(p), control: adjusted(q)), z,
        "fieller-agresti-caffo"
      )
    case .bayes, .bayesLift:
      guard let error = result.difference?.standardError, error > 0,
        let posterior = posterior(t, c)
      else { return nil }
      return (
        FiellerLift(treatment: t, control: c, posterior: posterior), z, "fieller-posterior"
      )
    case .pooled:
      let (t, c) = MeanTest.pooling(t, c)
      return result.difference?.criticalValue.map {
        (FiellerLift(treatment: t, control: c), $0, "fieller-t")
      }
    default:
      let name =
        plan.method.isSequential
        ? "boundary" : result.difference?.degreesOfFreedom == nil ? "z" : "t"
      return result.difference?.criticalValue.map {
        (FiellerLift(treatment: t, control: c), $0, "fieller-\(name)")
      }
    }
  }

  private func adjusted(_ proportion: Proportion) -> SampleMean {
    let count = Double(proportion.trials + 2)
    let p = Double(proportion.successes + 1) / count
    return SampleMean(count: count, mean: p, variance: p * (1 - p))
  }

  // MARK: Replicates

  func compareReplicates(
    _ treatment: MetricSample, _ control: MetricSample, _ result: inout Comparison
  ) {
    guard let t = treatment.tally.bootstrap, let c = control.tally.bootstrap,
      let distribution = t.difference(from: c)
    else {
      result.status = "no replicates"
      return
    }
    // The ends lie between replicates, so that difference and lift exclude 0 together.
    let interval = distribution.outerPercentileInterval(level: plan.level)
    result.difference = Difference(
      estimate: distribution.estimate, standardError: distribution.standardError,
      interval: interval)
    let isSigned = c.distribution.map {
      $0.missing == 0 && ($0.replicates.first ?? 0) * ($0.replicates.last ?? 0) > 0
    }
    let lift = t.lift(over: c)
    if isSigned == true {
      result.lift = lift.map {
        Difference(
          estimate: $0.estimate, standardError: $0.standardError,
          interval: $0.outerPercentileInterval(level: plan.level))
      }
      result.liftMethod = result.method
    }
    let refused = t.refused + c.refused
    if refused > 0 {
      result.status = "\(refused) values too large"
    } else if interval?.width == 0 {
      result.status = "no variance"
    } else if lift != nil, isSigned != true {
      result.status = Self.unbounded
    }
  }
}
