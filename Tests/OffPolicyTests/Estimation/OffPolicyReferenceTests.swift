import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Reference numbers: off-policy estimators")
struct OffPolicyReferenceTests {
  private let chosen = [0, 1, 2, 0, 1, 0, 2, 1]
  private let rewards: [Double] = [1, 0, 1, 0, 1, 1, 0, 0]
  private let propensities = [0.5, 0.3, 0.2, 0.6, 0.3, 0.4, 0.3, 0.5]

  private func decisions(target: [Double], model: [Double]) -> [LoggedDecision] {
    let expected = zip(target, model).reduce(0.0) { $0 + $1.0 * $1.1 }
    return chosen.indices.compactMap { index in
      LoggedDecision(
        reward: rewards[index], propensity: propensities[index], target: target[chosen[index]],
        modelled: model[chosen[index]], expected: expected)
    }
  }

  private func sums(_ estimator: String, _ decisions: [LoggedDecision]) throws -> OffPolicySums {
    let estimator = try EstimatorCatalog.standard.named(estimator)
    return decisions.reduce(into: OffPolicySums(estimator)) { $0.add($1) }
  }

  @Test("R32: every estimator")
  func estimators() throws {
    let all = decisions(target: [0.7, 0.2, 0.1], model: [0.6, 0.4, 0.5])
    let ips = try sums("ips", all)
    expectClose(ips.value, 0.539583333333, 1e-11)
    expectClose(ips.standardError, 0.245958150, 1e-8)
    expectClose(try sums("snips", all).value, 0.627118644068, 1e-12)
    expectClose(try sums("dm", all).value, 0.55)
    expectClose(try sums("dr", all).value, 0.627083333333, 1e-12)
    expectClose(try sums("sndr", all).value, 0.639588377724, 1e-12)
    expectClose(
      try sums("clipped-ips:lambda=1.5", all).value, 0.508333333333, 1e-12)
    let weights = all.reduce(into: WeightDiagnostics()) { $0.add($1) }
    expectClose(weights.effectiveSampleSize, 6.07937413123, 1e-12)
    expectClose(weights.mean, 6.883333333333333 / 8, 1e-12)
    #expect(weights.greatest == 0.7 / 0.4)
    #expect(weights.matched == 8 && weights.count == 8)
  }

  @Test("R32: the replay of 'always 0'")
  func replay() {
    var replayed = ReplayedDecisions()
    for (variant, reward) in zip(chosen, rewards) { replayed.add(reward, matches: variant == 0) }
    #expect(replayed.matched == 3 && replayed.count == 8)
    expectClose(replayed.value, 0.666666666667, 1e-12)
    expectClose(replayed.standardError, (1.0 / 9).squareRoot())
    let always = decisions(target: [1, 0, 0], model: [0, 0, 0])
    let weights = always.reduce(into: WeightDiagnostics()) { $0.add($1) }
    #expect(weights.matched == 3 && weights.greatest == 2.5)
  }
}
