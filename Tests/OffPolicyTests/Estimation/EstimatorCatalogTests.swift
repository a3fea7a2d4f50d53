import Testing

@testable import OffPolicy
@testable import Specifications
@testable import Statistics

/// An estimator of a program's own.
private struct HalfWeights: TermEstimator {
  static let info = SpecificationInfo("half-ips", "IPS with halved weights", source: "none")
  static let form = TermForm.mean
  var specification = Self.info.specification()

  func terms(of decision: LoggedDecision) -> DecisionTerms {
    DecisionTerms(mean: decision.weight / 2 * decision.reward)
  }
}

@Suite("Catalog of off-policy estimators")
struct EstimatorCatalogTests {
  @Test("every estimator is found by its name, with its defaults")
  func named() throws {
    for info in EstimatorCatalog.standard.all {
      let estimator = try EstimatorCatalog.standard.named(info.name)
      #expect(estimator.specification.description == info.name)
      #expect(!info.summary.isEmpty && !info.source.isEmpty && info.summary.count < 90)
    }
    let names = EstimatorCatalog.standard.all.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
  }

  @Test("the example of every estimator runs, and names it")
  func examples() throws {
    for info in EstimatorCatalog.standard.all {
      let estimator = try EstimatorCatalog.standard.named(info.example)
      #expect(estimator.specification.name == info.name)
      #expect(estimator.specification.description == info.example)
      var sums = OffPolicySums(estimator)
      sums.add(try #require(LoggedDecision(reward: 1, weight: 1)))
      #expect(sums.count == 1)
    }
  }

  @Test("parameters that are set in Swift are in the specification")
  func typed() throws {
    let clipped = try ClippedInversePropensity { $0.lambda = 3 }
    #expect(clipped.specification.description == "clipped-ips:lambda=3")
    #expect(
      try SwitchDoublyRobust { $0.tau = 3.5 }.specification.description == "switch-dr:tau=3.5")
    #expect(InversePropensity().specification.description == "ips")
    #expect(throws: SpecificationError.self) { try SubGaussianDoublyRobust { $0.lambda = 1.5 } }
    let slope = try Slope { $0.choice.values = [1, 5] }
    #expect(slope.specification.description == "slope:values=1;5")
    #expect(
      slope.candidates.map(\.specification.description) == [
        "clipped-ips:lambda=5", "clipped-ips:lambda=1",
      ])
    #expect(Slope().candidates.count == ClippedInversePropensity.tuning.candidates.count)
  }

  @Test(
    "errors name what is wrong and the nearest name",
    arguments: [
      ("snip", "unknown estimator \"snip\"; did you mean \"snips\"?"),
      ("clipped-ips:lamda=2", "clipped-ips has no parameter \"lamda\"; did you mean \"lambda\"?"),
      (
        "sub-gaussian-ips:lambda=2",
        "lambda=2 of sub-gaussian-ips must be a number from 0.0 to 1.0"
      ),
    ])
  func errors(text: String, message: String) {
    #expect(throws: SpecificationError(message)) { try EstimatorCatalog.standard.named(text) }
  }

  @Test("a program's own estimator has value, standard error and merging from its terms")
  func own() throws {
    let catalog = EstimatorCatalog.standard.adding(HalfWeights.self)
    #expect(catalog != .standard && catalog == catalog.adding(HalfWeights.self))
    var random = Xoshiro256(seed: 3)
    let decisions = randomDecisions(20, using: &random)
    let own = decisions.reduce(into: OffPolicySums(try catalog.named("half-ips"))) { $0.add($1) }
    let whole = try TermEstimatorTests.sums("ips", decisions)
    expectClose(own.value, (whole.value ?? .nan) / 2)
    expectClose(own.standardError, (whole.standardError ?? .nan) / 2)
  }

  @Test("what the estimators need")
  func needs() throws {
    let standard = EstimatorCatalog.standard
    for name in ["dm", "dr", "sndr", "switch-dr", "dros", "sub-gaussian-dr"] {
      #expect(try standard.named(name).rewardModel == .unweighted, "\(name)")
    }
    #expect(try standard.named("mrdr").rewardModel == .varianceMinimizing)
    #expect(try standard.named("ips").rewardModel == .none)
    #expect(try standard.named("mips").weights == .marginal)
    #expect(try standard.named("balanced-ips").weights == .balanced)
    #expect(try standard.named("dr").weights == .logged)
    for name in ["multi-balanced-ips", "multi-balanced-dr"] {
      #expect(try standard.named(name).weights == .mixture, "\(name)")
    }
    let whole = try standard.all.filter { try standard.named($0.name).judgesWholeDecisions }
    #expect(
      whole.map(\.name) == [
        "cascade-dr", "cascade-ips", "cascade-snips", "independent-ips", "independent-snips",
        "pseudo-inverse", "pseudo-inverse-sn", "slate-ips", "slate-snips",
      ])
    #expect(RewardModelUse.varianceMinimizing.fitWeight(target: 1, propensity: 0.5) == 2)
    #expect(RewardModelUse.unweighted.fitWeight(target: 1, propensity: 0.5) == 1)
  }

  @Test("invalid decisions are rejected")
  func refused() {
    for propensity in [0, -0.1, 1.1, .nan, .infinity] {
      #expect(LoggedDecision(reward: 1, propensity: propensity, target: 0.5) == nil)
    }
    for target in [-0.1, 1.1, .nan] {
      #expect(LoggedDecision(reward: 1, propensity: 0.5, target: target) == nil)
    }
    #expect(LoggedDecision(reward: .nan, propensity: 0.5, target: 0.5) == nil)
    #expect(LoggedDecision(reward: 1, propensity: .leastNonzeroMagnitude, target: 1) == nil)
    for weight in [-1, .nan, .infinity] as [Double] {
      #expect(LoggedDecision(reward: 1, weight: weight) == nil)
    }
    #expect(LoggedDecision(reward: 1, weight: 2, modelled: .nan) == nil)
    #expect(LoggedDecision(reward: 1, weight: 2, expected: .infinity) == nil)
  }
}
