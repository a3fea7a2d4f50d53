internal import Replay
internal import Specifications
internal import Statistics

extension PairTest {
  /// Compares within strata and combines the differences, weighted by each stratum's share of all units. Strata in
  /// which a group has fewer than two units are merged into one.
  func compare(_ strata: [(treatment: MetricSample, control: MetricSample)], _ metric: Metric)
    -> Comparison
  {
    var result = Comparison(method: plan.methodText(metric), direction: metric.direction)
    guard metric.denominator == nil else {
      result.status = "post-stratification is not for ratios"
      return result
    }
    var large: [(treatment: MetricSample, control: MetricSample)] = []
    var rest: (treatment: MetricSample, control: MetricSample)?
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

extension MetricSample {
  mutating func merge(_ other: MetricSample) {
    units += other.units
    tally.merge(other.tally)
  }
}
