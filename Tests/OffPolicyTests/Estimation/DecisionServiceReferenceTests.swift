import Testing

@testable import OffPolicy
@testable import Statistics

/// The 23 decisions of Vowpal Wabbit's test file `dsjson_cb.json`, and what vw-estimators 0.2.2 makes of them.
@Suite("Reference numbers: Vowpal Wabbit's decision service log")
struct DecisionServiceReferenceTests {
  /// Whether the first variant was chosen, its propensity, the reward, and how often.
  private let groups: [(isFirst: Bool, propensity: Double, reward: Double, times: Int)] = [
    (true, 0.8500000238418579, 0, 3), (true, 0.8500000238418579, 1, 6),
    (false, 0.8500000238418579, 0, 5), (false, 0.8500000238418579, 1, 6),
    (false, 0.05000000074505806, 0, 3),
  ]

  private func estimate(_ name: String, isUniform: Bool) throws -> OffPolicyEstimate {
    var estimate = try IntervalMethodTests.estimate(
      name, ["normal", "clopper-pearson", "cressie-read"])
    for (key, group) in groups.enumerated() {
      let decision = LoggedDecision(
        reward: group.reward, propensity: group.propensity,
        target: isUniform ? 0.25 : group.isFirst ? 1 : 0)
      estimate.add(try #require(decision), times: group.times, key: UInt64(key))
    }
    return estimate
  }

  private func check(isUniform: Bool, values: [Double], ends: [Double]) throws {
    for (name, value) in zip(["ips", "snips", "cressie-read"], values) {
      let found = try estimate(name, isUniform: isUniform).sums.value ?? .nan
      #expect(abs(found - value) < 0.51e-10, "\(name): \(found)")
    }
    let intervals = try estimate("ips", isUniform: isUniform).intervals()
    let found = intervals.flatMap { [$0?.low ?? .nan, $0?.high ?? .nan] }
    for (end, expected) in zip(found, ends) {
      #expect(abs(end - expected) < 0.51e-6, "\(found)")
    }
  }

  @Test("the policy that always takes the first variant")
  func first() throws {
    try check(
      isUniform: false, values: [0.3069053622, 0.6666666667, 0.5884576874],
      ends: [0.091036, 0.522774, 0.12191, 0.552792, 0.093358, 1])
  }

  @Test("the uniform policy")
  func uniform() throws {
    try check(
      isUniform: true, values: [0.1534526811, 0.1690140829, 0.2014900523],
      ends: [0.09206, 0.214845, 0.000992, 0.700177, 0.079185, 0.927491])
  }
}
