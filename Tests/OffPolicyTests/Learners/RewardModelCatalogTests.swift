import Specifications
import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("The list of reward models")
struct RewardModelCatalogTests {
  struct Zero: RewardModel {
    static let info = SpecificationInfo("zero", "always zero", source: "this test")
    static let usesFeatures = false
    var specification = Self.info.specification()
    func makeFit(_ problem: RewardProblem) -> any RewardFit { Fit() }

    struct Fit: RewardFit, FittedRewardModel {
      mutating func add(_ row: RewardRow, _ features: FeatureVector) {}
      var emptyPart: Fit { self }
      mutating func merge(_ part: Fit) {}
      mutating func finishPass() -> Bool { false }
      func fitted() -> any FittedRewardModel { self }
      func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double { 0 }
    }
  }

  @Test("the built-in models are listed with what they take")
  func all() {
    let all = RewardModelCatalog.standard.all
    #expect(all.map(\.name) == ["linear", "logistic", "stumps", "tabular"])
    #expect(all.allSatisfy { !$0.summary.isEmpty && !$0.source.isEmpty && !$0.parameters.isEmpty })
  }

  @Test("a model is found by its name, and one of the user's own can be added")
  func named() throws {
    let model = try RewardModelCatalog.standard.named("tabular:prior-sum=2")
    #expect(model.specification.description == "tabular:prior-sum=2")
    #expect(try LogisticRewards { $0.lambda = 2 }.specification.description == "logistic:lambda=2")
    #expect(try RewardModelCatalog.standard.adding(Zero.self).named("zero") is Zero)
    let fitting = try CrossFitting(Zero(), ModelRows.problem, folds: 2)
    #expect(try fitting.models().models.count == 2)
  }

  @Test(
    "what is wrong is said",
    arguments: [
      ("tabluar", "unknown reward model \"tabluar\"; did you mean \"tabular\"?"),
      ("linear:lamda=1", "linear has no parameter \"lamda\"; did you mean \"lambda\"?"),
      ("linear:lambda=-1", "lambda=-1 of linear must be a number from 1e-09 to 1000000000.0"),
      ("stumps:rounds=0", "rounds=0 of stumps must be a whole number from 1 to 100000"),
    ])
  func refused(text: String, reason: String) {
    #expect(throws: SpecificationError(reason)) { try RewardModelCatalog.standard.named(text) }
  }
}
