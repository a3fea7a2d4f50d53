internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension HealthChecks {
  /// Checks for units in several variants of a place.
  mutating func checkCrossing(_ place: ExposurePlace) {
    add(place.allocation.judgingCrossedUnits(place.check(.crossedUnits)))
  }

  /// Checks that units of the variants do not differ before their first exposure.
  mutating func checkPreExposure(_ place: ExposurePlace) {
    let metrics: [(HealthCheck.Name, any KeyPath<ExposureTally, Moments> & Sendable)] = [
      (.preExposureConversions, \.priorConversions), (.preExposureRevenue, \.priorRevenue),
      (.preExposureGoals, \.priorGoals),
    ]
    for (name, metric) in metrics { add(preExposure(place, name, metric)) }
  }

  /// The minimum number of units for a variant to be compared.
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
      "\($0.variant) \(NumberText.readable($1.mean ?? 0))"
    }
    let rest = groups.count > Self.listed ? ", ..." : ""
    guard compare(groups, &check), let pValue = check.pValue else {
      return check.saying("there is no spread to compare with")
    }
    check.verdict = PValueRule.usual.verdict(pValue)
    check.detail += "; means " + means.joined(separator: ", ") + rest
    return check
  }

  /// The maximum number of variants that a detail lists.
  private static let listed = 5

  /// Compares groups by Welch's test if there are two and both vary, else by the spread of their means.
  private func compare(_ groups: [Moments], _ check: inout HealthCheck) -> Bool {
    // If one variant has no variance, the standard error would rest on the other alone.
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
