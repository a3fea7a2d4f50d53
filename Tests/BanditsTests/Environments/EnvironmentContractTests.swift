import Specifications
import TestSupport
import Testing

@testable import Bandits

@Suite("The contract of every environment")
struct EnvironmentContractTests {
  @Test("each in the catalog has an example, a summary and a source")
  func catalog() throws {
    let names = Set(EnvironmentExamples.texts.map { String($0.prefix { $0 != ":" }) })
    #expect(names == Set(Environments.all.map(\.name)))
    #expect(Environments.all.map(\.name) == Environments.all.map(\.name).sorted())
    for info in Environments.all {
      #expect(!info.summary.isEmpty && !info.source.isEmpty && !info.parameters.isEmpty)
      #expect(Set(info.parameters.map(\.key)).count == info.parameters.count)
      #expect(info.parameters.allSatisfy { !$0.meaning.isEmpty })
    }
  }

  @Test(
    "specifications are preserved, and variants have names", arguments: EnvironmentExamples.texts)
  func description(text: String) throws {
    let environment = try EnvironmentExamples.make(text)
    #expect(environment.specification.description == text)
    let problem = environment.problem(horizon: 77)
    #expect(problem.horizon == 77)
    #expect(environment.variantNames.count == problem.variants)
    #expect(Set(environment.variantNames).count == problem.variants)
    if let arms = environment.arms { #expect(arms.count == problem.variants) }
  }

  @Test(
    "rewards have the stated means and range", arguments: EnvironmentExamples.texts
  )
  func means(text: String) throws {
    let problem = try EnvironmentExamples.make(text).problem(horizon: 1000)
    for variant in 0..<problem.variants {
      var run = try steps(text)
      var differences: [Double] = []
      for step in 0..<1000 {
        run.begin(step)
        #expect(run.variantCount == problem.variants)
        let mean = run.mean(variant)
        let reward = run.reward(variant)
        differences.append(reward - mean)
        if let range = problem.rewards { #expect(range.contains(reward)) }
      }
      #expect(hasMean(differences, 0), "variant \(variant)")
    }
  }

  @Test(
    "rewards, means, contexts and delays do not depend on what is chosen",
    arguments: EnvironmentExamples.texts.filter { !$0.hasPrefix("rotting") })
  func paired(text: String) throws {
    let problem = try EnvironmentExamples.make(text).problem(horizon: 1000)
    var random = SeededGenerator(seed: 3)
    var (first, second) = (try steps(text), try steps(text))
    for step in 0..<300 {
      first.begin(step)
      second.begin(step)
      var (one, other) = (first, second)
      for variant in 0..<problem.variants {
        #expect(one.mean(variant) == other.mean(variant))
        #expect(one.reward(variant) == other.reward(variant))
      }
      #expect(one.delay() == other.delay())
      #expect(first.optimum == second.optimum)
      #expect(first.context.shared == second.context.shared)
      #expect(first.context.variants == second.context.variants)
      #expect(first.context.shared.count == problem.sharedFeatures)
      #expect(first.context.variants.count == problem.variantFeatures * problem.variants)
      #expect(first.available == second.available)
      #expect((first.available != nil) == problem.hasUnavailableVariants)
      let there = (0..<problem.variants).filter { first.available?[$0] ?? true }
      #expect(first.optimum == there.map { first.mean($0) }.max())
      _ = first.reward(0)
      _ = first.delay()
      _ = second.reward(random.index(problem.variants))
      if random.chance(0.5) { _ = second.delay() }
    }
  }

  @Test(
    "different keys give different runs",
    arguments: EnvironmentExamples.texts.filter {
      !$0.hasPrefix("constant") && !$0.hasPrefix("adversarial")
    })
  func keys(text: String) throws {
    func trace(_ seed: UInt64) throws -> [Double] {
      var run = try steps(text, seed: seed)
      return (0..<200).flatMap { step in
        run.begin(step)
        return [run.reward(1)] + run.context.shared
      }
    }
    #expect(try trace(1) == trace(1))
    #expect(try trace(1) != trace(2))
  }

  @Test("the simulator runs each of them", arguments: EnvironmentExamples.texts)
  func simulated(text: String) throws {
    let environment = try EnvironmentExamples.make(text)
    let policy = try Policies.named("ucb1", variants: environment.variantNames)
    for batch in [1, 7] {
      let simulation = Simulation(
        environment, policy, RunRules(horizon: 200, batch: batch), seed: 1)
      let outcome = try simulation.run(0)
      #expect(outcome.choices.reduce(0, +) == 200)
      #expect(try simulation.run(0) == outcome)
      let end = try #require(outcome.points.last)
      #expect(end.regret.isFinite && end.reward.isFinite && end.regret >= -1e-9)
    }
  }
}
