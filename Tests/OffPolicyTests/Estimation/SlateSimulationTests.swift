import Testing

@testable import OffPolicy
@testable import Statistics

/// A page of three slots with three variants each, chosen independently by both policies.
private struct SimulatedPage {
  /// By slot and variant.
  let logged = [[0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [1.0 / 3, 1.0 / 3, 1.0 / 3]]
  let target = [[0.2, 0.2, 0.6], [0.4, 0.4, 0.2], [0.1, 0.8, 0.1]]
  /// The model's prediction by slot and variant, far off.
  let model = [[0.9, 0.1, 0.3], [0.5, 0.5, 0], [0.2, 0.4, 0.9]]
  /// The mean rewards of the slots, given their variants.
  let means: @Sendable ([Int]) -> [Double]

  /// The value of the target policy: the sum over all pages.
  var truth: Double {
    var sum = 0.0
    for page in 0..<27 {
      let variants = [page / 9, page / 3 % 3, page % 3]
      let probability = (0..<3).reduce(1) { $0 * target[$1][variants[$1]] }
      sum += probability * means(variants).reduce(0, +)
    }
    return sum
  }

  func slate(using random: inout Xoshiro256) -> [LoggedDecision] {
    let variants = logged.map { Draw.index(weights: $0, using: &random) }
    let means = means(variants)
    return (0..<3).compactMap { slot in
      let variant = variants[slot]
      var decision = LoggedDecision(
        reward: Draw.bernoulli(means[slot], using: &random) ? 1 : 0,
        propensity: logged[slot][variant], target: target[slot][variant],
        modelled: model[slot][variant],
        expected: zip(target[slot], model[slot]).reduce(0) { $0 + $1.0 * $1.1 })
      decision?.isContinuation = slot > 0
      return decision
    }
  }

  /// Returns how many standard errors each estimate is off, from 40,000 pages.
  func deviations(_ names: [String], seed: UInt64) throws -> [Double] {
    var random = Xoshiro256(seed: seed)
    var sums = try names.map { OffPolicySums(try EstimatorCatalog.standard.named($0)) }
    for _ in 0..<40_000 {
      let slate = slate(using: &random)
      for index in sums.indices { sums[index].add(unit: slate.span) }
    }
    return sums.map { (($0.value ?? .nan) - truth) / ($0.standardError ?? .nan) }
  }
}

@Suite("Estimators of whole decisions on simulated pages")
struct SlateSimulationTests {
  private static let independent: @Sendable ([Int]) -> [Double] = { variants in
    let means = [[0.05, 0.5, 0.95], [0.4, 0.2, 0.6], [0.7, 0.2, 0.1]]
    return (0..<3).map { means[$0][variants[$0]] }
  }

  /// Whoever likes one slot stops looking.
  private static let cascade: @Sendable ([Int]) -> [Double] = { variants in
    var attention = 1.0
    return independent(variants).map { mean in
      defer { attention *= 1 - mean }
      return attention * mean
    }
  }

  /// All slots with the same variant are worth more.
  private static let interacting: @Sendable ([Int]) -> [Double] = { variants in
    let bonus = Set(variants).count == 1 ? 0.2 : 0
    return cascade(variants).map { $0 + bonus * (1 - $0) }
  }

  private func expectUnbiased(
    _ names: [String], _ means: @escaping @Sendable ([Int]) -> [Double], seed: UInt64
  ) throws {
    let deviations = try SimulatedPage(means: means).deviations(names, seed: seed)
    for (name, deviation) in zip(names, deviations) {
      #expect(abs(deviation) < 4.5, "\(name): \(deviation), seed \(seed)")
    }
  }

  @Test("all are unbiased if no slot depends on another one")
  func independent() throws {
    try expectUnbiased(WholeDecisionTests.names, Self.independent, seed: 1)
  }

  @Test("slate-ips, cascade-ips and cascade-dr are unbiased if slots depend on those before them")
  func cascade() throws {
    let names = ["slate-ips", "slate-snips", "cascade-ips", "cascade-snips", "cascade-dr"]
    try expectUnbiased(names, Self.cascade, seed: 2)
    let deviations = try SimulatedPage(means: Self.cascade).deviations(
      ["independent-ips"], seed: 2)
    #expect(abs(deviations[0]) > 4.5, "independent-ips is biased: \(deviations)")
  }

  @Test("slate-ips is unbiased if slots depend on all others")
  func interacting() throws {
    try expectUnbiased(["slate-ips", "slate-snips"], Self.interacting, seed: 3)
  }

  @Test("the fewer interactions are assumed, the greater the variance")
  func variance() throws {
    let page = SimulatedPage(means: Self.independent)
    var random = Xoshiro256(seed: 4)
    var sums = try ["independent-ips", "cascade-ips", "slate-ips"].map {
      OffPolicySums(try EstimatorCatalog.standard.named($0))
    }
    for _ in 0..<20_000 {
      let slate = page.slate(using: &random)
      for index in sums.indices { sums[index].add(unit: slate.span) }
    }
    let errors = sums.compactMap(\.standardError)
    #expect(errors.count == 3 && errors == errors.sorted(), "\(errors)")
  }
}
