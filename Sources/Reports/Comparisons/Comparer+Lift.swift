internal import Replay
internal import Statistics

extension Comparer {
  private static let unbounded =
    "the baseline's mean is too close to zero: the interval of the lift is unbounded"

  /// Adds the lift, with an interval that agrees with the test of the difference, or of the method that was
  /// requested.
  func addLift(
    _ t: SampleMean, _ c: SampleMean, _ treatment: ComparedGroup, _ control: ComparedGroup,
    _ result: inout Comparison
  ) {
    guard c.mean != 0 else {
      if result.status == nil { result.status = "the baseline's mean is zero: no lift" }
      return
    }
    let estimate = t.mean / c.mean - 1
    switch plan.method {
    case .bootstrap: return  // It has brought its own.
    case .bayesLift: believeLift(t, c, &result)
    case _ where plan.lift == .auto: addMatchingLift(estimate, t, c, treatment, control, &result)
    default:
      result.liftMethod = plan.lift.rawValue
      if let p = treatment.proportion, let q = control.proportion,
        let lift = plan.lift.lift(p, q, plan.level)
      {
        result.lift = lift
      } else {
        result.lift =
          plan.lift.lift(t, c, plan.alternative, plan.level) ?? Difference(estimate: estimate)
      }
    }
  }

  private func believeLift(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    let lift = RelativeLift.deltaZ(treatment: t, control: c, level: plan.level)
    guard let lift, let error = lift.standardError,
      let posterior = posterior(lift.estimate, error)
    else {
      if result.status == nil { result.status = "no variance" }
      return
    }
    result.lift = Difference(
      estimate: posterior.mean, interval: posterior.credibleInterval(level: plan.level))
    result.liftMethod = "posterior of the delta method"
    result.chanceToWin = posterior.chanceToWin
    result.expectedLoss = posterior.lossOfTreatment
  }

  private func addMatchingLift(
    _ estimate: Double, _ t: SampleMean, _ c: SampleMean, _ treatment: ComparedGroup,
    _ control: ComparedGroup, _ result: inout Comparison
  ) {
    result.lift = Difference(estimate: estimate)
    if let ratio = result.ratioInterval {
      result.lift?.interval = side(Interval(ratio.low - 1, ratio.high - 1), c)
      return
    }
    guard let (lift, criticalValue, name) = fieller(t, c, treatment, control, result) else {
      return
    }
    if plan.method == .bayes { result.lift?.estimate = lift.estimate ?? estimate }
    if let interval = lift.interval(criticalValue: criticalValue) {
      result.lift?.interval = side(interval, c)
      result.liftMethod = name
    } else if result.status == nil {
      result.status = Self.unbounded
    }
  }

  /// Restricts an interval to the side that is tested. If the control is negative, a higher treatment has a lower
  /// ratio.
  private func side(_ interval: Interval, _ control: SampleMean) -> Interval {
    switch (plan.margin == nil ? plan.alternative : .greater, control.mean < 0) {
    case (.twoSided, _): interval
    case (.greater, false), (.less, true): Alternative.greater.interval(interval)
    default: Alternative.less.interval(interval)
    }
  }

  /// Fieller's interval with the standard errors and critical value of the difference; nil if the difference has
  /// none.
  private func fieller(
    _ t: SampleMean, _ c: SampleMean, _ treatment: ComparedGroup, _ control: ComparedGroup,
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
    case .bayes:
      guard let error = result.difference?.standardError, error > 0,
        let posterior = posterior(
          t.mean - c.mean, (t.squaredError + c.squaredError).squareRoot())
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
    _ treatment: ComparedGroup, _ control: ComparedGroup, _ result: inout Comparison
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
    result.lift = t.lift(over: c).map {
      Difference(
        estimate: $0.estimate, standardError: $0.standardError,
        interval: isSigned == true ? $0.outerPercentileInterval(level: plan.level) : nil)
    }
    result.liftMethod = result.method
    let refused = t.refused + c.refused
    if refused > 0 {
      result.status = "\(refused) values too large"
    } else if interval?.width == 0 {
      result.status = "no variance"
    } else if result.lift != nil, isSigned != true {
      result.status = Self.unbounded
    }
  }
}
