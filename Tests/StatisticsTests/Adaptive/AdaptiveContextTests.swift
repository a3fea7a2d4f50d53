import Testing

@testable import Statistics

/// Logs of two arms of which neither is better.
@Suite("Adaptive means where probabilities depend on rewards or contexts")
struct AdaptiveContextTests {
  enum Policy: CaseIterable { case thompson, greedy, context, segments }

  /// The contrast of a log of decisions; rewards are 0 or 1 with the same probability for both arms over all contexts.
  private func contrast(
    _ count: Int, _ policy: Policy, _ weighting: AdaptiveWeighting = .constantAllocation,
    isNormal: Bool = false, using random: inout Xoshiro256
  ) -> AdaptivelyWeightedContrast {
    var contrast = AdaptivelyWeightedContrast(weighting)
    // By context: sums and counts of both arms.
    var (sums, counts) = ([[0.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 1.0]])
    for _ in 0..<count {
      let context = Draw.bernoulli(0.5, using: &random) ? 1 : 0
      let state = policy == .segments ? context : 0
      let lead =
        sums[state][0] / counts[state][0] - sums[state][1] / counts[state][1]
      let spread = 0.5 * (1 / counts[state][0] + 1 / counts[state][1]).squareRoot()
      let first: Double
      switch policy {
      case .greedy: first = lead > 0 ? 0.95 : lead < 0 ? 0.05 : 0.5
      case .context: first = context == 0 ? 0.9 : 0.1
      default: first = min(max(StandardNormal.cdf(lead / spread), 0.05), 0.95)
      }
      let arm = Draw.bernoulli(first, using: &random) ? 0 : 1
      let usesContext = policy == .context || policy == .segments
      let mean = usesContext ? (arm == context ? 0.4 : 0.1) : 0.25
      let reward =
        isNormal
        ? Draw.normal(mean: mean, using: &random)
        : Draw.bernoulli(mean, using: &random) ? 1.0 : 0
      sums[state][arm] += reward
      counts[state][arm] += 1
      contrast.add(
        reward, choice: arm == 0 ? .treatment : .control, treatmentProbability: first,
        controlProbability: 1 - first)
    }
    return contrast
  }

  @Test(
    "means and differences are those of all contexts, whichever the policy and the weights",
    arguments: Policy.allCases,
    [AdaptiveWeighting.uniform, .constantAllocation, .twoPoint(horizon: 600)])
  func unbiased(policy: Policy, weighting: AdaptiveWeighting) {
    var random = Xoshiro256(seed: 11)
    let runs = (0..<250).map { _ in contrast(600, policy, weighting, using: &random) }
    let means = Moments(runs.map { ($0.treatment.estimate ?? .nan) - 0.25 })
    #expect(abs(means.mean ?? 1) < 4 * (means.standardError ?? 0) + 0.003, "\(means.mean ?? 1)")
    let differences = Moments(runs.compactMap { $0.difference()?.estimate })
    #expect(abs(differences.mean ?? 1) < 4 * (differences.standardError ?? 0))
    // 95 % of 250 is 238, with a standard deviation of 3.4.
    let tested = runs.filter(\.isEnough)
    let missed = tested.count { ($0.difference()?.pValue ?? 1) < 0.05 }
    #expect(tested.count > 150 && missed <= 24, "\(missed) of \(tested.count)")
  }

  @Test("the weight of a decision does not depend on its own probability")
  func predictable() {
    for weighting in [AdaptiveWeighting.constantAllocation, .twoPoint(horizon: 9)] {
      var (a, b) = (AdaptivelyWeightedMean(weighting), AdaptivelyWeightedMean(weighting))
      for probability in [0.5, 0.3] {
        a.add(1, isChosen: true, probability: probability)
        b.add(1, isChosen: true, probability: probability)
      }
      let first = a.addScored(0, isChosen: false, probability: 0.9)
      let second = b.addScored(0, isChosen: false, probability: 0.1)
      #expect(first?.weight == second?.weight && (first?.weight ?? 0) > 0)
    }
  }

  @Test(
    "two equal arms differ significantly no more often than the level says, however few decisions there are",
    arguments: [20, 50, 100, 200, 500], [Policy.thompson, .greedy, .segments])
  func level(count: Int, policy: Policy) {
    for isNormal in [false, true] {
      var random = Xoshiro256(seed: UInt64(count))
      let wrong = (0..<300).count { _ in
        let contrast = contrast(count, policy, isNormal: isNormal, using: &random)
        return (contrast.difference()?.pValue ?? 1) < 0.05
      }
      // 5 % of 300 is 15, with a standard deviation of 3.8.
      #expect(wrong <= 27, "\(wrong), normal: \(isNormal)")
    }
  }

  @Test("an arm without variance has no interval, and no difference is tested")
  func constant() {
    var contrast = AdaptivelyWeightedContrast()
    for index in 0..<400 {
      contrast.add(
        index % 4 == 0 ? 1 : 0, choice: index % 2 == 0 ? .treatment : .control,
        treatmentProbability: 0.5, controlProbability: 0.5)
    }
    #expect(contrast.treatment.interval() != nil && contrast.control.interval() == nil)
    #expect(contrast.control.support.isConstant && !contrast.isEnough)
    let difference = contrast.difference()
    #expect(difference?.pValue == nil && difference?.interval == nil)
  }

  @Test("decisions that cannot choose an arm say nothing of it, and are counted")
  func unavailable() {
    var contrast = AdaptivelyWeightedContrast(.uniform)
    contrast.add(2, choice: .treatment, treatmentProbability: 0.5, controlProbability: 0.5)
    contrast.add(4, choice: .control, treatmentProbability: 0.5, controlProbability: 0.5)
    let before = contrast
    contrast.add(9, choice: .control, treatmentProbability: 0, controlProbability: 1)
    #expect(contrast.unavailable == 1 && contrast.treatment == before.treatment)
    var mean = AdaptivelyWeightedMean(.uniform)
    mean.add(2, isChosen: true, probability: 0.5)
    mean.add(0, isChosen: false, probability: 0)
    #expect(mean.unavailable == 1 && mean.estimate == 4)
  }
}
