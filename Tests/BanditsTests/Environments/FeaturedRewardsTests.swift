import OffPolicy
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Logged rewards with features as an environment")
struct FeaturedRewardsTests {
  /// A map with the columns intercept and x.
  private static func map() throws -> FeatureMap {
    try NamedRows("number(x)", [["x": .number(1)]]).map()
  }

  private static func vector(_ x: Double) throws -> FeatureVector {
    NamedRows.vector(["x": .number(x)], try map())
  }

  private static func environment(
    _ rewards: [(x: Double, variant: Int, rewards: [Double])], model: String
  ) throws -> EmpiricalEnvironment {
    var logged = LoggedFeatures(try map(), variants: 2)
    for row in rewards {
      logged.add([try vector(row.x)], variant: row.variant, rewards: row.rewards)
    }
    return try EmpiricalEnvironment(
      Specification("log"), variantNames: ["a", "b"], features: logged,
      model: RewardModelCatalog.standard.named(model))
  }

  /// The rewards of each variant by the context in which they were drawn.
  private static func draws(
    _ environment: EmpiricalEnvironment, steps: Int
  ) -> (rewards: [[Double]: [[Double]]], means: [[Double]: [Double]]) {
    var run = environment.makeRun(StreamKey(seed: 1), horizon: steps).stepwise
    var rewards: [[Double]: [[Double]]] = [:]
    var means: [[Double]: [Double]] = [:]
    for step in 0..<steps {
      run.begin(step)
      let context = run.context.shared
      means[context] = [run.mean(0), run.mean(1)]
      #expect(run.optimum == max(run.mean(0), run.mean(1)))
      for variant in 0...1 {
        rewards[context, default: [[], []]][variant].append(run.reward(variant))
      }
    }
    return (rewards, means)
  }

  @Test("rewards of 0 and 1 are logged ones, or drawn with the probability that the model predicts")
  func binary() throws {
    let environment = try Self.environment(
      [(0, 0, [0, 0]), (0, 0, [1, 0]), (5, 1, [1, 1, 0])],
      model: "tabular:prior-count=0,prior-sum=0")
    #expect(environment.arms == nil && environment.features?.columnCount == 2)
    let problem = environment.problem(horizon: 9)
    #expect(problem.sharedFeatures == 2 && problem.variantFeatures == 0)
    #expect(problem.rewards == 0...1)
    let (rewards, means) = Self.draws(environment, steps: 6_000)
    // The only column of x is 0 in the first context; 4 of 7 decisions have it.
    #expect(means == [[1, 0]: [0.25, 2 / 3.0], [1, 5]: [0.25, 2 / 3.0]])
    #expect(
      hasMean(
        (rewards[[1, 0]]?[0] ?? []).map { _ in 1 } + (rewards[[1, 5]]?[0] ?? []).map { _ in 0 },
        4 / 7.0))
    for (context, means) in means {
      for variant in 0...1 {
        let own = rewards[context]?[variant] ?? []
        #expect(Set(own) == [0, 1] && hasMean(own, means[variant]), "\(context), \(variant)")
      }
    }
  }

  @Test("predictions beyond 0 and 1 are clamped for rewards of 0 and 1")
  func clamped() throws {
    let environment = try Self.environment(
      [(1, 0, [1]), (2, 0, [1]), (1, 1, [0])], model: "tabular:prior-sum=9,prior-count=1")
    let (rewards, means) = Self.draws(environment, steps: 100)
    #expect(means[[1, 2]] == [1, 1])
    #expect(Set(rewards[[1, 2]]?[1] ?? []) == [1])
    #expect(means[[1, 1]] == [1, 0])
  }

  @Test("other rewards are logged ones, or the prediction plus a residual")
  func residuals() throws {
    // The model predicts 19/4 for the first variant, whose residuals less their mean are -2, 0 and 2.
    let environment = try Self.environment(
      [(0, 0, [1, 3]), (1, 0, [5]), (2, 1, [0.5])], model: "tabular:prior-sum=10,prior-count=1")
    let (rewards, means) = Self.draws(environment, steps: 6_000)
    #expect(means[[1, 0]]?[0] == 2 && means[[1, 1]]?[0] == 5 && means[[1, 2]]?[0] == 4.75)
    #expect(Set(rewards[[1, 0]]?[0] ?? []) == [1, 3] && Set(rewards[[1, 1]]?[0] ?? []) == [5])
    let drawn = rewards[[1, 2]]?[0] ?? []
    #expect(Set(drawn) == [2.75, 4.75, 6.75] && hasMean(drawn, 4.75))
    for value in [2.75, 6.75] { #expect(hasMean(drawn.map { $0 == value ? 1 : 0 }, 1 / 3.0)) }
    #expect(environment.problem(horizon: 1).rewards == 0.5...6.75)
  }

  @Test(
    "means are those of a model fitted row by row; the order of rows has no effect",
    arguments: 0..<40)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rows = (0..<3 + random.index(40)).map { number in
      (
        x: Double(random.index(4)), variant: number < 2 ? number : random.index(2),
        reward: Double(random.index(4)) / (seed % 2 == 0 ? 1 : 3)
      )
    }
    let model = ["linear", "(linear:lambda=3)", "stumps:min-weight=1", "tabular"][Int(seed / 2) % 4]
    let name = model.hasPrefix("(") ? String(model.dropFirst().dropLast()) : model
    let environment = try Self.environment(
      rows.map { ($0.x, $0.variant, [$0.reward]) }, model: name)
    var fit = try RewardModelCatalog.standard.named(name).makeFit(
      RewardProblem(slots: 1, variants: 2, columns: 2))
    repeat {
      for row in rows {
        fit.add(
          RewardRow(slot: 0, variant: row.variant, reward: row.reward), try Self.vector(row.x))
      }
    } while try fit.finishPass()
    let fitted = try fit.fitted()
    let isBinary = rows.allSatisfy { $0.reward == 0 || $0.reward == 1 }
    let (drawn, means) = Self.draws(environment, steps: 200)
    for (context, means) in means {
      for variant in 0...1 {
        let own = rows.filter { $0.x == context[1] && $0.variant == variant }.map(\.reward)
        let predicted = fitted.reward(of: variant, in: 0, try Self.vector(context[1]))
        let model = isBinary ? min(max(predicted, 0), 1) : predicted
        let mean = own.isEmpty ? model : ObservedRewards(own).mean
        #expect(means[variant] == mean, "seed \(seed), \(context), \(variant)")
        let others = Set(drawn[context]?[variant] ?? []).subtracting(own)
        #expect(own.isEmpty || others.isEmpty, "seed \(seed), \(context), \(variant)")
      }
    }
    let range = try #require(environment.problem(horizon: 1).rewards)
    #expect(drawn.values.joined().joined().allSatisfy { range.contains($0) }, "seed \(seed)")
    rows.reverse()
    let other = Self.draws(
      try Self.environment(rows.map { ($0.x, $0.variant, [$0.reward]) }, model: name), steps: 200)
    #expect(other.rewards == drawn && other.means == means, "seed \(seed)")
  }

  @Test("contextual policies learn from features, also in a warm start")
  func policies() throws {
    // The first variant is best below 2, the second one above.
    let environment = try Self.environment(
      (0..<8).map { number in
        let (x, variant) = (number % 4, number / 4)
        return (Double(x), variant, (variant == 0) == (x < 2) ? [1] : [0])
      }, model: "linear")
    let linucb = try Policies.named("linucb", variants: environment.variantNames)
    let problem = environment.problem(horizon: 400)
    var contexts = FeatureContexts(try Self.map(), variants: 2)
    let rewards = try (0..<400).map { number in
      let (x, variant) = (number % 4, number / 4 % 2)
      return WarmStart.Reward(
        variant: variant, reward: (variant == 0) == (x < 2) ? 1 : 0, propensity: 0.5,
        context: contexts.index(of: [try Self.vector(Double(x))]))
    }
    #expect(contexts.count == 4)
    let warm = WarmStart(rewards, features: contexts)
    for (policy, regret) in [(linucb, 60.0), (try linucb.warmed(by: warm, for: problem), 2)] {
      let outcome = try Simulation(environment, policy, RunRules(horizon: 400), seed: 3).run(0)
      let last = try #require(outcome.points.last)
      #expect(last.regret <= regret, "\(last.regret)")
    }
    var wrong = FeatureContexts(columns: 3)
    let index = wrong.index(of: [FeatureVector([(2, 1)])])
    for warm in [
      WarmStart([.init(variant: 0, reward: 1, context: index)], features: wrong),
      WarmStart([.init(variant: 0, reward: 1, context: 4)], features: contexts),
    ] {
      #expect(throws: SpecificationError.self) { try linucb.warmed(by: warm, for: problem) }
    }
  }

  @Test("a prediction beyond the range of rewards is refused")
  func refused() throws {
    #expect(throws: SpecificationError.self) {
      try Self.environment([(1, 0, [1])], model: "linear")
    }
    let steep: [(x: Double, variant: Int, rewards: [Double])] = (0..<200).map {
      (Double($0 % 2), 0, [$0 % 2 == 0 ? 0 : 1e100])
    }
    let error = #expect(throws: SpecificationError.self) {
      try Self.environment(steep + [(3, 1, [0])], model: "linear")
    }
    #expect(error?.description.contains("standardized") == true, "\(error?.description ?? "none")")
  }
}

@Suite("Contexts of features")
struct FeatureContextsTests {
  @Test("equal contexts are stored once, and read back as numbers", arguments: 0..<60)
  func twin(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let variants: Int? = seed % 3 == 0 ? nil : 1 + Int(seed % 3)
    var contexts = FeatureContexts(columns: 3, variants: variants)
    var twin: [[Double]] = []
    for _ in 0..<200 {
      let vectors = (0..<(variants ?? 1)).map { _ in
        FeatureVector((0..<4).map { ($0, Double(random.index(3) - 1) / 2) })
      }
      let numbers = vectors.flatMap { $0.dense(3) }
      let index = contexts.index(of: vectors)
      #expect(index == twin.firstIndex(of: numbers) ?? twin.count, "seed \(seed)")
      if index == twin.count { twin.append(numbers) }
      let context = contexts.context(index)
      #expect((variants == nil ? context.shared : context.variants) == numbers, "seed \(seed)")
      #expect((variants == nil ? context.variants : context.shared).isEmpty)
    }
    #expect(contexts.count == twin.count)
    let sorted = contexts.sortedIndices()
    #expect(Set(sorted) == Set(twin.indices))
  }
}
