import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// The piecewise stationary problem of BANDITS 2.3.
private struct Piecewise: Environment {
  static var info: SpecificationInfo {
    SpecificationInfo("piecewise-of-tests", "means that change", source: "tests")
  }
  var specification = Specification("piecewise-of-tests")

  func problem(horizon: Int) -> Problem { Problem(variants: 3, horizon: horizon, rewards: 0...1) }

  func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(Run(words: RewardStream(key), part: horizon / 5))
  }

  struct Run: ChangingRun {
    static let rows = [
      [0.3, 0.5, 0.9], [0.3, 0.2, 0.9], [0.3, 0.2, 0.1], [0.7, 0.2, 0.1], [0.7, 0.5, 0.1],
    ]
    let words: RewardStream
    let part: Int
    var step = 0

    var variantCount: Int { 3 }
    private var row: [Double] { Self.rows[min(4, step / part)] }
    mutating func begin(_ step: Int) { self.step = step }
    func mean(_ variant: Int) -> Double { row[variant] }
    var optimum: Double { row.max() ?? 0 }
    mutating func reward(_ variant: Int) -> Double {
      Double(words.word(UInt64(step * 3 + variant)) >> 11) * 0x1p-53 < row[variant] ? 1 : 0
    }
  }
}

private func regret(_ policy: String, runs: Int) throws -> Double {
  let simulation = Simulation(
    Piecewise(), try Policies.named(policy, variants: ["1", "2", "3"]), RunRules(horizon: 5000),
    seed: 1)
  return try mean((0..<runs).map { try simulation.run(UInt64($0)) }) {
    $0.points.last?.regret ?? .nan
  }.mean
}

private let names = [
  "discounted-ucb", "discounted-ucb:gamma=0.9", "discounted-thompson", "sliding-window-ucb",
  "sliding-window-ucb:window=20", "sliding-window-kl-ucb", "cusum-ucb",
  "cusum-ucb:samples=10,threshold=1", "m-ucb", "m-ucb:window=10,threshold=2", "glr-kl-ucb",
  "glr-kl-ucb:restart=global,exploration=0", "fewa", "raw-ucb",
]

@Suite("Policies for non-stationary rewards, in runs")
struct ChangingRunTests {
  /// SMPyBandits, 40 runs: 70.5, 99.5, 150.8, 175.4 and 210.7, with kl-ucb at 262.9 and an oracle at 34.3.
  @Test(
    "regret on the piecewise problem is of the published order",
    arguments: [
      ("glr-kl-ucb:exploration=0.004", 70.505),
      ("glr-kl-ucb:restart=global,exploration=0.004", 99.49),
      ("cusum-ucb:changes=4", 150.8), ("sliding-window-kl-ucb:window=206", 175.42),
      ("discounted-thompson:gamma=0.95", 210.65), ("raw-ucb", 99), ("fewa", 99),
    ])
  func piecewise(policy: String, published: Double) throws {
    let found = try regret(policy, runs: areLongRunsWanted ? 200 : 2)
    #expect(found > published / 3 && found < published * 3, "\(policy): \(found)")
  }

  @Test("a change costs more without forgetting", .enabled(if: areLongRunsWanted))
  func forgetting() throws {
    let plain = try regret("kl-ucb", runs: 200)
    for policy in [
      "glr-kl-ucb", "sliding-window-kl-ucb:window=206", "cusum-ucb:changes=4", "raw-ucb",
    ] {
      #expect(try regret(policy, runs: 200) < plain, "\(policy)")
    }
  }

  @Test("without changes, regret is sublinear", arguments: names)
  func sublinear(name: String) throws {
    let found = try outcomes(name, Problems.b6, horizon: 1500, runs: 2)
    // Uniform choices cost 225.
    #expect(mean(found) { $0.points.last?.regret ?? 0 }.mean < 190, "\(name)")
  }

  @Test("nothing traps, and every propensity is a probability or unknown", arguments: names)
  func robust(name: String) throws {
    for (variants, horizon) in [(1, 1), (1, 60), (2, 200), (6, 200)] {
      for size in [1.0, 1e300, -1e300, 1.7e308] {
        let start = try freshState(name, variants: variants, horizon: horizon)
        let choices = wander(start, steps: horizon + 5, seed: 2, late: 0.5) { step, variant in
          size * mixedReward(2)(step, variant)
        }
        #expect(
          choices.allSatisfy {
            $0.variant < variants
              && ($0.propensity > 0 && $0.propensity <= 1 + 1e-12 || $0.propensity.isNaN)
          }, "\(name), \(variants) variants, rewards of \(size)")
      }
    }
  }

  @Test("the same seed gives the same outcome, batches or not", arguments: names)
  func deterministic(name: String) throws {
    for batch in [1, 7] {
      let once = try outcomes(name, Problems.b2, horizon: 150, runs: 2, batch: batch)
      #expect(try once == outcomes(name, Problems.b2, horizon: 150, runs: 2, batch: batch))
      #expect(once[0] != once[1])
    }
  }

  @Test("unavailable variants are not chosen", arguments: names.filter { $0 != "fewa" })
  func absence(name: String) throws {
    var state = try freshState(name, variants: 4)
    var random = Xoshiro256(seed: 6)
    var fate = SeededGenerator(seed: 6)
    var there = [true, true, true, true]
    for step in 0..<300 {
      if step % 20 == 0 {
        there = there.map { _ in fate.chance(0.6) }
        there[fate.index(4)] = true
        state.offer(there)
      }
      let choice = state.choose(.none, &random)
      #expect(there[choice.variant], "\(name) at \(step)")
      state.learn(choice, mixedReward(6)(step, choice.variant), .none)
    }
  }

  @Test(
    "invalid parameters are rejected with a reason",
    arguments: [
      ("m-ucb:window=7", "must be even"), ("discounted-ucb:gamma=0", "from 0.001 to 1"),
      ("sliding-window-ucb:window=0", "from 1 to 10000000"),
      ("glr-kl-ucb:restart=x", "must be local or global"),
      ("cusum-ucb:changes=0", "from 1.0"), ("raw-ucb:grid=1", "from 1.01"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: SpecificationError.self) { try Policies.named(text) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
