import Testing

@testable import Statistics

@Suite("Off-policy estimators")
struct OffPolicyTests {
  private static let estimators: [OffPolicyEstimator] = [
    .directMethod, .inversePropensity, .clippedInversePropensity(lambda: 1.25), .selfNormalized,
    .doublyRobust, .selfNormalizedDoublyRobust,
  ]

  private func decisions(_ count: Int, using random: inout Xoshiro256) -> [LoggedDecision] {
    (0..<count).compactMap { _ in
      LoggedDecision(
        reward: Draw.normal(mean: 1, using: &random), propensity: Draw.openUnit(using: &random),
        target: Draw.bernoulli(0.3, using: &random) ? 0 : Draw.unit(using: &random),
        modelled: Draw.normal(using: &random), expected: Draw.normal(using: &random))
    }
  }

  /// The influence of each decision on the estimate, whose spread is the standard error.
  private func naive(_ estimator: OffPolicyEstimator, _ all: [LoggedDecision])
    -> (value: Double, error: Double)
  {
    let n = Double(all.count)
    let sum = { (term: (LoggedDecision) -> Double) in all.reduce(0.0) { $0 + term($1) } }
    let weight = sum(\.weight)
    let (snips, residual) = (
      sum { $0.weight * $0.reward } / weight,
      sum { $0.weight * ($0.reward - $0.modelled) } / weight
    )
    let influence: (LoggedDecision) -> Double = { d in
      switch estimator {
      case .directMethod: d.expected
      case .inversePropensity: d.weight * d.reward
      case .clippedInversePropensity(let lambda): min(d.weight, lambda) * d.reward
      case .selfNormalized: snips + d.weight * (d.reward - snips) / (weight / n)
      case .doublyRobust: d.expected + d.weight * (d.reward - d.modelled)
      case .selfNormalizedDoublyRobust:
        d.expected + residual + d.weight * (d.reward - d.modelled - residual) / (weight / n)
      }
    }
    let value = sum(influence) / n
    let spread = sum { (influence($0) - value) * (influence($0) - value) }
    return (value, (spread / (n - 1) / n).squareRoot())
  }

  @Test("value and standard error are those of the influences", arguments: estimators)
  func twin(estimator: OffPolicyEstimator) {
    for seed in 0..<150 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(3 + Int(seed % 20), using: &random)
      let sums = all.reduce(into: OffPolicySums(estimator)) { $0.add($1) }
      guard all.contains(where: { $0.weight > 0 }) else { continue }
      let expected = naive(estimator, all)
      expectClose(sums.value.map { $0 + 100 }, expected.value + 100, 1e-12)
      expectClose(sums.standardError.map { $0 + 1 }, expected.error + 1, 1e-9)
      guard let interval = sums.interval() else { continue }
      expectClose(interval.width + 1, 1 + 2 * 1.959963984540054 * expected.error, 1e-9)
    }
  }

  @Test("parts merge in any order to the same sums", arguments: estimators)
  func merging(estimator: OffPolicyEstimator) {
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(40, using: &random)
      let whole = all.reduce(into: OffPolicySums(estimator)) { $0.add($1) }
      var parts = [OffPolicySums](repeating: OffPolicySums(estimator), count: 5)
      var weights = [WeightDiagnostics](repeating: WeightDiagnostics(), count: 5)
      for decision in permuted(all, using: &random) {
        let part = Draw.index(below: 5, using: &random)
        parts[part].add(decision)
        weights[part].add(decision)
      }
      let merged = permuted(parts, using: &random).reduce(into: OffPolicySums(estimator)) {
        $0.merge($1)
      }
      #expect(merged == whole, "seed \(seed)")
      #expect(merged.value == whole.value && merged.standardError == whole.standardError)
      let together = weights.reduce(into: WeightDiagnostics()) { $0.merge($1) }
      #expect(together == all.reduce(into: WeightDiagnostics()) { $0.add($1) }, "seed \(seed)")
    }
  }

  @Test("the identities between the estimators hold")
  func identities() {
    for seed in 0..<50 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(30, using: &random)
      let value = { (estimator: OffPolicyEstimator, all: [LoggedDecision]) in
        all.reduce(into: OffPolicySums(estimator)) { $0.add($1) }.value ?? .nan
      }
      let blind = all.compactMap {
        LoggedDecision(reward: $0.reward, propensity: $0.propensity, target: $0.target)
      }
      #expect(value(.doublyRobust, blind) == value(.inversePropensity, all))
      #expect(value(.selfNormalizedDoublyRobust, blind) == value(.selfNormalized, all))
      #expect(
        value(.clippedInversePropensity(lambda: .infinity), all) == value(.inversePropensity, all))
      let perfect = all.compactMap {
        LoggedDecision(
          reward: $0.reward, propensity: $0.propensity, target: $0.target, modelled: $0.reward,
          expected: $0.expected)
      }
      #expect(value(.doublyRobust, perfect) == value(.directMethod, all))
      let same = all.compactMap {
        LoggedDecision(reward: $0.reward, propensity: $0.propensity, target: $0.propensity)
      }
      expectClose(value(.inversePropensity, same), Moments(all.map(\.reward)).mean ?? .nan)
      expectClose(value(.selfNormalized, same), Moments(all.map(\.reward)).mean ?? .nan)
      let rewards = all.map(\.reward)
      let snips = value(.selfNormalized, all)
      #expect(snips >= rewards.min() ?? 0 && snips <= rewards.max() ?? 0)
    }
  }

  @Test("the interval of IPS has about its nominal coverage")
  func coverage() {
    var random = Xoshiro256(seed: 11)
    let (logged, target, means) = ([0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [0.2, 0.5, 0.7])
    let truth = zip(target, means).reduce(0.0) { $0 + $1.0 * $1.1 }
    var covered = 0
    for _ in 0..<400 {
      var sums = OffPolicySums(.inversePropensity)
      for _ in 0..<200 {
        let arm = Draw.index(weights: logged, using: &random)
        let reward = Draw.bernoulli(means[arm], using: &random) ? 1.0 : 0
        if let decision = LoggedDecision(
          reward: reward, propensity: logged[arm], target: target[arm])
        {
          sums.add(decision)
        }
      }
      if sums.interval()?.contains(truth) == true { covered += 1 }
    }
    // 95 % of 400 is 380, with a standard deviation of 4.4.
    #expect(covered > 358 && covered < 400, "\(covered)")
  }

  @Test("invalid decisions are rejected, and without decisions there is no value")
  func refused() {
    for propensity in [0, -0.1, 1.1, .nan, .infinity] {
      #expect(LoggedDecision(reward: 1, propensity: propensity, target: 0.5) == nil)
    }
    for target in [-0.1, 1.1, .nan] {
      #expect(LoggedDecision(reward: 1, propensity: 0.5, target: target) == nil)
    }
    #expect(LoggedDecision(reward: .nan, propensity: 0.5, target: 0.5) == nil)
    #expect(LoggedDecision(reward: 1, propensity: .leastNonzeroMagnitude, target: 1) == nil)
    for estimator in Self.estimators {
      let none = OffPolicySums(estimator)
      #expect(none.value == nil && none.standardError == nil && none.interval() == nil)
    }
    var off = OffPolicySums(.selfNormalized)
    if let decision = LoggedDecision(reward: 1, propensity: 0.5, target: 0) { off.add(decision) }
    #expect(off.count == 1 && off.value == nil)
    #expect(WeightDiagnostics().effectiveSampleSize == nil && WeightDiagnostics().mean == nil)
  }
}
