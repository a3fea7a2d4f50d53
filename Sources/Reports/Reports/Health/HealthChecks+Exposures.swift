internal import Replay
internal import Statistics
internal import Tables

extension HealthChecks {
  /// Units in several variants of a place. A policy that decides anew at every request makes them on purpose.
  mutating func checkCrossing(_ place: ExposurePlace) {
    let crossed = place.arms.reduce(0) { $0 + $1.tally.crossedUnits }
    let rule = place.isAdaptive ? ShareRule.suspicious : .never
    var check = rule.check(place.check(.crossedUnits), crossed, of: place.units, "units")
    if crossed > 0 { check.detail += "; results over decisions hold, those over units suffer" }
    if place.isAdaptive {
      check.detail += "; propensities are those of an adaptive policy, so it never fails"
    }
    add(check)
  }

  /// What units did before their first exposure should not differ between variants.
  mutating func checkPreExposure(_ place: ExposurePlace) {
    let metrics: [(HealthCheck.Name, any KeyPath<ExposureTally, Moments> & Sendable)] = [
      (.preExposureConversions, \.priorConversions), (.preExposureRevenue, \.priorRevenue),
      (.preExposureGoals, \.priorGoals),
    ]
    for (name, metric) in metrics { add(preExposure(place, name, metric)) }
  }

  /// Variants with fewer units are not compared.
  private static let leastUnits = 10

  private func preExposure(
    _ place: ExposurePlace, _ name: HealthCheck.Name, _ metric: KeyPath<ExposureTally, Moments>
  ) -> HealthCheck {
    var check = place.check(name)
    check.threshold = PValueRule.usual.failure
    let compared = place.arms.filter { $0.tally.first.units >= Self.leastUnits }
    check.total = compared.reduce(0) { $0 + $1.tally.first.units }
    let groups = compared.map { $0.tally[keyPath: metric] }
    guard groups.contains(where: { $0.totalOfSquares.value != 0 }) else {
      return check.saying("nothing of the kind happened before exposure")
    }
    guard !place.isAdaptive else {
      return check.saying(
        "propensities are those of an adaptive policy, so units of variants differ by design")
    }
    guard groups.count > 1 else {
      return check.saying("fewer than two variants have \(Self.leastUnits) units")
    }
    let means = zip(compared, groups).prefix(Self.listed).map {
      "\($0.variant) \(ReadableDecimal.text($1.mean ?? 0))"
    }
    let rest = groups.count > Self.listed ? ", ..." : ""
    guard compare(groups, &check), let pValue = check.pValue else {
      return check.saying("there is no spread to compare with")
    }
    check.verdict = PValueRule.usual.verdict(pValue)
    check.detail += "; means " + means.joined(separator: ", ") + rest
    return check
  }

  /// How many variants a detail lists.
  private static let listed = 5

  /// Welch's test of two groups that both vary; else the spread of their means.
  private func compare(_ groups: [Moments], _ check: inout HealthCheck) -> Bool {
    // Without a variance of its own, the error of one variant would be taken for that of both.
    if groups.count == 2, let first = SampleMean(groups[0]), let second = SampleMean(groups[1]),
      first.variance > 0, second.variance > 0
    {
      let test = MeanTest.welch(treatment: second, control: first)
      check.value = test.statistic
      check.expected = 0
      check.pValue = test.pValue
      check.detail = "Welch's t"
      return test.pValue.map(\.isFinite) ?? false
    }
    guard let test = MeanHomogeneity.chiSquared(groups) else { return false }
    check.value = test.statistic
    check.expected = Double(test.degreesOfFreedom)
    check.pValue = test.pValue
    check.detail = "chi-squared of the means, \(test.degreesOfFreedom) df"
    return test.pValue.isFinite
  }
}
