import Statistics
import Testing

@testable import Bandits

@Suite("Rewards of a log as an environment")
struct EmpiricalEnvironmentTests {
  private let log = Specification("log")

  @Test("rewards are drawn evenly from those that were seen")
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
        .init(context: [1, 0], weight: 3, rewards: [[0, 1], [0.25]]),
        .init(context: [0, 1], weight: 1, rewards: [[1], []]),
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

  @Test("what has nothing to draw from is refused")
  func refused() {
    let cases: [([String], [[Double]], String)] = [
      ([], [], "at least one variant"), (["a"], [[1], [2]], "rewards of 2"),
      (["a", "a"], [[1], [2]], "a name of its own"), (["a", "b"], [[1], []], "\"b\""),
      (["a"], [[.nan]], "no number"), (["a"], [[.infinity]], "no number"),
    ]
    for (names, rewards, reason) in cases {
      let error = #expect(throws: SpecificationError.self) {
        try EmpiricalEnvironment(log, variantNames: names, rewards: rewards)
      }
      #expect(error?.description.contains(reason) == true)
    }
    for (weight, context) in [(0.0, [1.0]), (.infinity, [1]), (1, [.nan]), (1, [1, 2])] {
      #expect(throws: SpecificationError.self) {
        try EmpiricalEnvironment(
          log, variantNames: ["a"],
          segments: [
            .init(context: [1], weight: 1, rewards: [[1]]),
            .init(context: context, weight: weight, rewards: [[1]]),
          ])
      }
    }
    #expect(throws: SpecificationError.self) {
      try EmpiricalEnvironment(log, variantNames: ["a"], segments: [])
    }
  }
}
