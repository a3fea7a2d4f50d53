import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Fixed-budget best-arm identification")
struct FixedBudgetTests {
  /// Figure 3 of Audibert, Bubeck and Munos, word by word.
  private func naiveRejects(_ table: RewardTable, _ n: Int) -> (pulls: [Int], best: Int) {
    let k = table.rewards.count
    // log̅(K) in parts of 5040, exact for K up to 10.
    let log = 2520 + (2...k).reduce(0) { $0 + 5040 / $1 }
    var alive = Array(0..<k)
    var pulls = [Int](repeating: 0, count: k)
    for phase in 1..<k {
      let parts = log * (k + 1 - phase)
      let target = ((n - k) * 5040 + parts - 1) / parts
      for arm in alive { pulls[arm] = target }
      let means = alive.map { table.rewards[$0].prefix(pulls[$0]).map { $0 }.plainMean }
      let worst = means.indices.min { means[$0] < means[$1] } ?? 0
      alive.remove(at: worst)
    }
    return (pulls, alive[0])
  }

  /// Algorithm 1 of Karnin, Koren and Somekh, with or without the rewards of earlier rounds.
  private func naiveHalving(
    _ table: RewardTable, _ n: Int, reuses: Bool
  ) -> (pulls: [Int], best: Int) {
    let k = table.rewards.count
    var rounds = 0
    while 1 << rounds < k { rounds += 1 }
    var alive = Array(0..<k)
    var pulls = [Int](repeating: 0, count: k)
    for _ in 0..<rounds {
      let each = n / (alive.count * rounds)
      var means: [Int: Double] = [:]
      for arm in alive {
        let first = reuses ? 0 : pulls[arm]
        pulls[arm] += each
        means[arm] = Array(table.rewards[arm][first..<pulls[arm]]).plainMean
      }
      alive.sort { (means[$0] ?? 0) > (means[$1] ?? 0) }
      alive = Array(alive.prefix((alive.count + 1) / 2))
    }
    return (pulls, alive[0])
  }

  @Test("successive rejects makes the paper's pulls and recommendation")
  func rejects() throws {
    for seed in 0..<150 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 2 + random.index(8)
      let n = k * 5 + random.index(200)
      let table = RewardTable(variants: k, steps: n + 1, &random)
      let naive = naiveRejects(table, n)
      var state = try state(
        SuccessiveRejects.self, "successive-rejects", Problem(variants: k, horizon: n))
      var pulls = [Int](repeating: 0, count: k)
      let needed = naive.pulls.reduce(0, +)
      #expect(needed <= n, "seed \(seed)")
      for played in play(&state, table, steps: needed, seed: seed) {
        pulls[played.choice.variant] += 1
        #expect(played.choice.propensity > 0 && played.choice.propensity <= 1)
      }
      #expect(pulls == naive.pulls, "seed \(seed)")
      #expect(state.recommendation == naive.best, "seed \(seed)")
      var words = Xoshiro256(seed: seed)
      #expect(state.choose(.none, &words) == Choice(naive.best, memo: k - 1), "seed \(seed)")
      #expect(state.hasStopped)
    }
  }

  @Test("sequential halving makes the paper's pulls and recommendation")
  func halving() throws {
    for seed in 0..<150 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 2 + random.index(8)
      let n = k * 5 + random.index(200)
      let reuses = random.chance(0.5)
      let table = RewardTable(variants: k, steps: n + 1, &random)
      let naive = naiveHalving(table, n, reuses: reuses)
      var state = try state(
        SequentialHalving.self, "sequential-halving:reuse=\(reuses ? "yes" : "no")",
        Problem(variants: k, horizon: n))
      var pulls = [Int](repeating: 0, count: k)
      for played in play(&state, table, steps: naive.pulls.reduce(0, +), seed: seed) {
        pulls[played.choice.variant] += 1
      }
      #expect(pulls == naive.pulls, "seed \(seed)")
      #expect(state.recommendation == naive.best, "seed \(seed)")
    }
  }

  @Test("a phase's decisions come in turn, in uniformly random order")
  func turns() throws {
    var counts = [0, 0, 0]
    for seed in 0..<300 as Range<UInt64> {
      var state = try state(
        SuccessiveRejects.self, "successive-rejects", Problem(variants: 3, horizon: 100))
      var random = Xoshiro256(seed: seed)
      let first = (0..<3).map { _ in state.choose(.none, &random) }
      #expect(Set(first.map(\.variant)) == [0, 1, 2])
      #expect(first.map(\.propensity) == [1.0 / 3, 0.5, 1])
      counts[first[0].variant] += 1
    }
    // 4 standard deviations of a binomial count around 100.
    #expect(counts.allSatisfy { abs($0 - 100) < 33 })
  }

  @Test(
    "budgets that are smaller than the number of variants, and no rewards at all, leave one variant"
  )
  func tiny() throws {
    for policy in ["successive-rejects", "sequential-halving", "sequential-halving:reuse=yes"] {
      for (k, n) in [(1, 1), (5, 1), (9, 3), (2, 2), (7, 7)] {
        let means = (0..<k).map { "0.\($0 + 1)" }.joined(separator: ";")
        let outcome = try outcomes(policy, "bernoulli:means=\(means)", horizon: n, runs: 3)
        #expect(outcome.allSatisfy { $0.choices.reduce(0, +) == n }, "\(policy) \(k) \(n)")
      }
      var state = try Policies.named(policy).makeState(Problem(variants: 4, horizon: 50))
      var random = Xoshiro256(seed: 3)
      for _ in 0..<200 { _ = state.choose(.none, &random) }
      #expect(state.hasStopped)
      #expect((0..<4).contains(state.recommendation ?? -1))
    }
  }

  @Test("batched and huge rewards are harmless")
  func batches() throws {
    for policy in ["successive-rejects", "sequential-halving"] {
      let runs = try outcomes(policy, Problems.b6, horizon: 400, runs: 60, batch: 7)
      #expect(runs.count { $0.recommendation == 0 } >= 58, "\(policy)")
      var state = try Policies.named(policy).makeState(Problem(variants: 3, horizon: 90))
      var random = Xoshiro256(seed: 3)
      for step in 0..<90 {
        let choice = state.choose(.none, &random)
        state.learn(choice, step % 2 == 0 ? 1e300 : -1e300, .none)
      }
      #expect((0..<3).contains(state.recommendation ?? -1))
    }
  }

  @Test("recommendations with a budget beat those of uniform decisions")
  func better() throws {
    let world = "bernoulli:means=0.5;0.45;0.4;0.4;0.35;0.3;0.3;0.3;0.3;0.3"
    func loss(_ policy: String) throws -> (mean: Double, error: Double) {
      mean(try outcomes(policy, world, horizon: 800, runs: 300)) {
        $0.points.last?.simpleRegret ?? .nan
      }
    }
    let uniform = try loss("uniform")
    for policy in ["successive-rejects", "sequential-halving:reuse=yes"] {
      let smart = try loss(policy)
      #expect(smart.mean < uniform.mean, "\(policy) \(smart) \(uniform)")
    }
  }

  @Test("malformed specifications are rejected")
  func refused() {
    for text in [
      "successive-rejects:horizon=0", "sequential-halving:reuse=maybe", "lucb:delta=2",
      "lil-ucb:epsilon=0", "track-and-stop:threshold=x",
    ] {
      #expect(throws: SpecificationError.self) { try Policies.named(text) }
    }
  }
}
