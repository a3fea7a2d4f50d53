import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Rewards of a log as an environment")
struct EmpiricalEnvironmentTests {
  private let log = Specification("log")

  @Test("rewards are drawn uniformly from the observed ones")
  func drawn() throws {
    let values = try sample("log:path=shop,experiment=button", variant: 1, count: 4000)
    #expect(Set(values) == [2, 0.5])
    #expect(hasMean(values.map { $0 == 2 ? 1 : 0 }, 0.5))
    let environment = try EnvironmentExamples.make("log:path=shop,experiment=button")
    #expect(environment.arms?.map(\.mean) == [2 / 3.0, 1.25])
    #expect(environment.problem(horizon: 1).rewards == 0...2)
    #expect(environment.variantNames == ["blue", "green"])
  }

  @Test("segments come with their weights, contexts and rewards")
  func segments() throws {
    let environment = try EmpiricalEnvironment(
      log, variantNames: ["x", "y"],
      segments: [
        .init(context: [1, 0], weight: 3, rewards: [seen(0, 1), seen(0.25)]),
        .init(context: [0, 1], weight: 1, rewards: [seen(1), seen()]),
      ])
    #expect(environment.arms == nil)
    #expect(environment.problem(horizon: 1).sharedFeatures == 2)
    var run = environment.makeRun(StreamKey(seed: 1), horizon: 4000).stepwise
    var isFirst: [Double] = []
    for step in 0..<4000 {
      run.begin(step)
      let first = run.context.shared == [1, 0]
      isFirst.append(first ? 1 : 0)
      // The second variant was never seen in the second segment, and has its rewards of the first.
      #expect([run.mean(0), run.mean(1)] == (first ? [0.5, 0.25] : [1, 0.25]))
      #expect(run.optimum == (first ? 0.5 : 1))
      #expect(run.reward(1) == 0.25)
    }
    #expect(hasMean(isFirst, 0.75))
  }

  @Test("environments without rewards are rejected")
  func refused() {
    let cases: [([String], [[Double]], String)] = [
      ([], [], "at least one variant"), (["a"], [[1], [2]], "rewards of 2"),
      (["a", "a"], [[1], [2]], "a name of its own"), (["a", "b"], [[1], []], "\"b\""),
      (["a"], [[.nan]], "no number"), (["a"], [[.infinity]], "no number"),
    ]
    for (names, rewards, reason) in cases {
      let error = #expect(throws: SpecificationError.self) {
        try EmpiricalEnvironment(
          log, variantNames: names, rewards: rewards.map { ObservedRewards($0) })
      }
      #expect(error?.description.contains(reason) == true)
    }
    for (weight, context) in [(0.0, [1.0]), (.infinity, [1]), (1, [.nan]), (1, [1, 2])] {
      #expect(throws: SpecificationError.self) {
        try EmpiricalEnvironment(
          log, variantNames: ["a"],
          segments: [
            .init(context: [1], weight: 1, rewards: [seen(1)]),
            .init(context: context, weight: weight, rewards: [seen(1)]),
          ])
      }
    }
    #expect(throws: SpecificationError.self) {
      try EmpiricalEnvironment(log, variantNames: ["a"], segments: [])
    }
  }

  @Test(
    "attribute values are one-hot encoded and drawn with their observed frequencies")
  func contextValues() throws {
    let environment = try EmpiricalEnvironment(
      log, variantNames: ["x", "y"],
      rewards: [[seen(0, 0), seen(1)], [seen(2, 2, 2), seen(0, 0, 0, 0, 0, 0)]],
      contextValues: [nil, "phone"])
    #expect(environment.contextValues == [nil, "phone"])
    #expect(environment.problem(horizon: 1).sharedFeatures == 2)
    #expect(environment.problem(horizon: 1).rewards == 0...2)
    var run = environment.makeRun(StreamKey(seed: 2), horizon: 4000).stepwise
    var isPhone: [Double] = []
    for step in 0..<4000 {
      run.begin(step)
      let phone = run.context.shared == [0, 1]
      #expect(phone || run.context.shared == [1, 0])
      #expect([run.mean(0), run.mean(1)] == (phone ? [2, 0] : [0, 1]))
      isPhone.append(phone ? 1 : 0)
    }
    #expect(hasMean(isPhone, 0.75))
  }

  private func seen(_ values: Double...) -> ObservedRewards { ObservedRewards(values) }
}

@Suite("Observed rewards")
struct SeenRewardsTests {
  @Test("counted zeros and the order have no effect", arguments: 0..<200)
  func counted(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<1 + random.index(30)).map { _ in
      random.chance(0.6) ? (random.chance(0.5) ? 0 : -0.0) : Double(random.index(9) - 4) / 8
    }
    let seen = ObservedRewards(values)
    let others = values.filter { $0 != 0 }
    #expect(seen == ObservedRewards(others.reversed(), zeros: values.count - others.count))
    #expect(seen.count == values.count && seen.zeros == values.count - others.count)
    #expect(seen.mean == values.reduce(0, +) / Double(values.count), "seed \(seed)")
    #expect(seen.range?.lowerBound == values.min() && seen.range?.upperBound == values.max())
    let parts = [
      ObservedRewards([]), ObservedRewards(Array(values.prefix(3))),
      ObservedRewards(Array(values.dropFirst(3))),
    ]
    #expect(ObservedRewards(joining: parts) == seen)
  }

  @Test("each reward is drawn with the same probability")
  func drawn() {
    let seen = ObservedRewards([0.5, -2, 0.5], zeros: 5)
    var random = SplitMix64(seed: 3)
    let values = (0..<8000).map { _ in seen.draw(&random) }
    for (value, probability) in [(0.5, 0.25), (-2, 0.125), (0, 0.625)] {
      #expect(hasMean(values.map { $0 == value ? 1 : 0 }, probability))
    }
  }

  @Test("no rewards, and NaN, have no range")
  func empty() {
    #expect(ObservedRewards([]).isEmpty && ObservedRewards([]).range == nil)
    #expect(ObservedRewards([1, .nan]).range == nil)
    #expect(ObservedRewards([], zeros: 2).range == 0...0 && ObservedRewards([], zeros: 2).mean == 0)
    #expect(ObservedRewards([], zeros: -2).isEmpty)
  }
}
