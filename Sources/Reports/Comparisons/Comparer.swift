internal import Replay
internal import Statistics

/// Compares variants as a plan says.
struct Comparer {
  let plan: ComparisonPlan

  /// Compares a treatment with a control in one metric.
  func compare(_ treatment: ComparedGroup, _ control: ComparedGroup) -> Comparison {
    var result = Comparison(method: plan.methodText(treatment.metric))
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
    if plan.method.isOfProportions, let p = treatment.proportion, let q = control.proportion {
      compare(p, q, &result)
    } else if plan.method == .mannWhitney {
      compareRanks(treatment, control, &result)
    } else if plan.method == .bootstrap {
      compareReplicates(treatment, control, &result)
    } else {
      compare(t, c, &result)
    }
    addLift(t, c, treatment, control, &result)
    addChances(t, c, &result)
    return result
  }

  /// The means to compare, adjusted by the covariate if there is one; nil, with the reason, when they cannot be.
  private func means(
    _ treatment: ComparedGroup, _ control: ComparedGroup, _ result: inout Comparison
  ) -> (SampleMean, SampleMean)? {
    guard var t = treatment.mean, var c = control.mean else {
      result.status = "the denominators add up to zero"
      return nil
    }
    if let covariate = plan.covariate, let a = treatment.tally.cuped, let b = control.tally.cuped {
      guard let theta = Cuped.theta(treatment: a, control: b, covariate.theta),
        let center = Cuped.center(a, b), theta.isFinite, center.isFinite,
        let adjustedT = a.adjusted(theta: theta, center: center),
        let adjustedC = b.adjusted(theta: theta, center: center)
      else {
        result.status = "the covariate does not vary"
        return nil
      }
      (t, c) = (adjustedT, adjustedC)
    }
    guard [t.mean, t.variance, c.mean, c.variance].allSatisfy(\.isFinite) else {
      result.status = "values too large"
      return nil
    }
    return (t, c)
  }

  // MARK: Means

  private func compare(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    let (alternative, level) = (plan.alternative, plan.level)
    switch plan.method {
    case .welch:
      result.difference =
        plan.margin.map {
          Guardrail.nonInferiority(treatment: t, control: c, margin: $0, level: level)
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
      // Lift and chances follow: what is believed needs no test.
      result.difference?.statistic = nil
      result.difference?.pValue = nil
      if plan.method == .bayes { believe(error, &result) }
    case .msprt, .scaledMsprt, .asymptoticCS, .groupSequential:
      applySequential(error, t.count + c.count, &result)
    default: break
    }
  }

  private func believe(_ error: Double, _ result: inout Comparison) {
    guard let difference = result.difference,
      let posterior = posterior(difference.estimate, error)
    else { return }
    result.difference?.estimate = posterior.mean
    result.difference?.standardError = posterior.standardDeviation
    result.difference?.interval = posterior.credibleInterval(level: plan.level)
    result.chanceToWin = posterior.chanceToWin
    result.expectedLoss = posterior.lossOfTreatment
  }

  private func posterior(_ estimate: Double, _ error: Double) -> NormalPosterior? {
    NormalPosterior(
      estimate: estimate, standardError: error,
      prior: plan.prior.map { ($0.mean, $0.standardDeviation * $0.standardDeviation) })
  }

  private func applySequential(_ error: Double, _ count: Double, _ result: inout Comparison) {
    guard let estimate = result.difference?.estimate, error * error > 0 else { return }
    let variance = error * error
    result.difference?.degreesOfFreedom = nil
    switch plan.method {
    case .msprt:
      let test = MixtureTest(priorVariance: plan.mixingVariance)
      result.difference?.statistic = test.likelihoodRatio(estimate: estimate, variance: variance)
      result.difference?.pValue = test.pValue(estimate: estimate, variance: variance)
      result.difference?.interval = test.interval(
        estimate: estimate, variance: variance, alpha: plan.alpha)
    case .scaledMsprt:
      let rule = ScaledMixtureRule(alpha: plan.alpha)
      result.difference?.pValue = rule.pValue(estimate: estimate, variance: variance)
      result.difference?.interval = rule.interval(estimate: estimate, variance: variance)
    case .asymptoticCS:
      let sequence = AsymptoticSequence(tightestAt: plan.tightestAt, alpha: plan.alpha)
      result.difference?.pValue = sequence.pValue(
        estimate: estimate, standardError: error, count: count)
      result.difference?.interval = sequence.interval(
        estimate: estimate, standardError: error, count: count)
    default: applyLooks(estimate, error, &result)
    }
  }

  /// The interval at a look is as wide as its boundary; a p-value of this look alone would not hold over all of them.
  private func applyLooks(_ estimate: Double, _ error: Double, _ result: inout Comparison) {
    let looks = plan.looks
    let information = (1...max(1, looks.count)).map { Double($0) / Double(max(1, looks.count)) }
    let boundaries = GroupSequential.boundaries(
      information: information, spending: looks.spending, alpha: plan.alpha)
    let boundary = boundaries[min(max(1, looks.look), boundaries.count) - 1]
    result.boundary = boundary
    result.difference?.pValue = nil
    result.difference?.interval = Interval(estimate - boundary * error, estimate + boundary * error)
    result.status = "boundary \(boundary)"
  }

  // MARK: Proportions

  private func compare(_ p: Proportion, _ q: Proportion, _ result: inout Comparison) {
    let level = plan.level
    guard
      var wald = ProportionTest.unpooledZ(
        treatment: p, control: q, alternative: plan.alternative, level: level)
    else { return }
    var bare = Difference(estimate: wald.estimate)
    switch plan.method {
    case .pooledZ:
      result.difference = ProportionTest.pooledZ(
        treatment: p, control: q, alternative: plan.alternative, level: level)
    case .chiSquared, .yates:
      let test = ProportionTest.chiSquared(
        treatment: p, control: q, yates: plan.method == .yates)
      (wald.statistic, wald.pValue) = (test?.statistic, test?.pValue)
      wald.degreesOfFreedom = test.map { _ in 1 }
      result.difference = wald
    case .fisher:
      bare.pValue = ProportionTest.fisher(treatment: p, control: q, alternative: plan.alternative)
      result.difference = bare
    case .newcombe:
      bare.interval = ProportionDifference.newcombe(treatment: p, control: q, level: level)
      result.difference = bare
    case .agrestiCaffo:
      bare.interval = ProportionDifference.agrestiCaffo(treatment: p, control: q, level: level)
      result.difference = bare
    case .miettinenNurminen:
      bare.interval = ProportionDifference.miettinenNurminen(treatment: p, control: q, level: level)
      result.difference = bare
    case .betaBinomial: compareBeta(p, q, &result)
    default: result.difference = wald
    }
    if result.difference?.pValue == nil, result.difference?.interval?.width == 0 {
      result.status = "no variance"
    }
  }

  private func compareBeta(_ p: Proportion, _ q: Proportion, _ result: inout Comparison) {
    let (treatment, control) = (BetaPosterior(p), BetaPosterior(q))
    result.difference = Difference(estimate: treatment.mean - control.mean)
    result.chanceToWin = treatment.chanceToBeat(control)
    result.expectedLoss = control.expectedGain(over: treatment)
  }

  // MARK: Ranks

  private func compareRanks(
    _ treatment: ComparedGroup, _ control: ComparedGroup, _ result: inout Comparison
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
    result.direction = test.z
  }

  // MARK: Replicates

  private func compareReplicates(
    _ treatment: ComparedGroup, _ control: ComparedGroup, _ result: inout Comparison
  ) {
    guard let t = treatment.tally.bootstrap, let c = control.tally.bootstrap,
      let distribution = t.difference(from: c)
    else {
      result.status = "no replicates"
      return
    }
    let interval = distribution.percentileInterval(level: plan.level)
    result.difference = Difference(
      estimate: distribution.estimate, standardError: distribution.standardError,
      interval: interval)
    result.lift = t.lift(over: c).map {
      Difference(
        estimate: $0.estimate, standardError: $0.standardError,
        interval: $0.percentileInterval(level: plan.level))
    }
    let refused = t.refused + c.refused
    if refused > 0 {
      result.status = "\(refused) values too large"
    } else if interval?.width == 0 {
      result.status = "no variance"
    }
  }

  // MARK: What every method has

  private func addLift(
    _ t: SampleMean, _ c: SampleMean, _ treatment: ComparedGroup, _ control: ComparedGroup,
    _ result: inout Comparison
  ) {
    guard c.mean != 0 else {
      if result.status == nil { result.status = "the baseline's mean is zero: no lift" }
      return
    }
    // The bootstrap has brought its own.
    if plan.method == .bootstrap { return }
    if plan.method == .bayesLift {
      let lift = RelativeLift.deltaZ(treatment: t, control: c, level: plan.level)
      guard let lift, let error = lift.standardError,
        let posterior = posterior(lift.estimate, error)
      else { return }
      result.lift = Difference(
        estimate: posterior.mean, interval: posterior.credibleInterval(level: plan.level))
      result.chanceToWin = posterior.chanceToWin
      result.expectedLoss = posterior.lossOfTreatment
      return
    }
    if let p = treatment.proportion, let q = control.proportion,
      let lift = plan.lift.lift(p, q, plan.level)
    {
      result.lift = lift
      return
    }
    result.lift =
      plan.lift.lift(t, c, plan.alternative, plan.level)
      ?? Difference(estimate: t.mean / c.mean - 1)
  }

  /// The chances under a flat prior, where the method has none of its own.
  private func addChances(_ t: SampleMean, _ c: SampleMean, _ result: inout Comparison) {
    guard !plan.method.isBayesian,
      let posterior = NormalPosterior(
        estimate: t.mean - c.mean,
        standardError: (t.squaredError + c.squaredError).squareRoot())
    else { return }
    result.chanceToWin = posterior.chanceToWin
    result.expectedLoss = posterior.lossOfTreatment
  }

  // MARK: Strata

  /// Compares within strata and puts the differences together by the strata's shares of all units. Strata in which a
  /// group has fewer than two units are taken together as one.
  func compare(_ strata: [(treatment: ComparedGroup, control: ComparedGroup)], _ metric: Metric)
    -> Comparison
  {
    var result = Comparison(method: plan.methodText(metric))
    guard metric.denominator == nil else {
      result.status = "post-stratification is not for ratios"
      return result
    }
    var large: [(treatment: ComparedGroup, control: ComparedGroup)] = []
    var rest: (treatment: ComparedGroup, control: ComparedGroup)?
    for stratum in strata {
      if min(stratum.treatment.units, stratum.control.units) > 1 {
        large.append(stratum)
      } else if var merged = rest {
        merged.treatment.merge(stratum.treatment)
        merged.control.merge(stratum.control)
        rest = merged
      } else {
        rest = stratum
      }
    }
    if let rest {
      if min(rest.treatment.units, rest.control.units) > 1 {
        large.append(rest)
      } else {
        let units = rest.treatment.units + rest.control.units
        result.status = "\(units) units of strata that lack a group are left out"
      }
    }
    let compared = large.compactMap { stratum -> PostStratification.Stratum? in
      guard let t = stratum.treatment.mean, let c = stratum.control.mean,
        t.variance.isFinite, c.variance.isFinite
      else { return nil }
      return .init(
        share: Double(stratum.treatment.units + stratum.control.units), treatment: t, control: c)
    }
    result.difference = PostStratification.compare(
      compared, alternative: plan.alternative, level: plan.level)
    if result.difference == nil { result.status = "too few units in every stratum" }
    return result
  }
}

extension ComparedGroup {
  mutating func merge(_ other: ComparedGroup) {
    units += other.units
    tally.merge(other.tally)
  }
}
