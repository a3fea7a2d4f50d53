import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// A digest of what a policy said and drew.
private struct Digest {
  private(set) var value: UInt64 = 0

  mutating func add(_ word: UInt64) { value = FeatureHash.combine(value, word) }

  /// Adds the bits of a number; all NaN are the same.
  mutating func add(_ number: Double) { add(number.isNaN ? 1 : number.bitPattern) }

  mutating func add(_ choice: Choice) {
    add(UInt64(choice.variant))
    add(choice.propensity)
    add(UInt64(bitPattern: Int64(choice.memo)))
  }
}

/// A policy's decisions about a number of variants, with rewards that are late now and then, and variants that are
/// missing now and then where the policy allows it.
private struct Trial {
  let policy: PreparedPolicy
  let variants: Int
  let seed: UInt64
  let steps: Int
  private var data: SeededGenerator
  private var words: Xoshiro256
  private var late: [(Choice, Context)] = []
  private var told = 0

  init(_ policy: PreparedPolicy, variants: Int, seed: UInt64, steps: Int) {
    (self.policy, self.variants, self.seed, self.steps) = (policy, variants, seed, steps)
    data = SeededGenerator(seed: seed)
    words = Xoshiro256(seed: seed)
  }

  private var problem: Problem {
    let specification = policy.specification
    let own = specification.name == "linucb-hybrid" || specification["models"] == "one" || seed % 4 == 1
    return Problem(
      variants: variants, horizon: steps, sharedFeatures: policy.needsContext ? 3 : 0,
      variantFeatures: policy.needsContext && own ? 2 : 0, rewards: 0...1)
  }

  private mutating func context() -> Context {
    func numbers(_ count: Int) -> [Double] {
      (0..<count).map { _ in Double.random(in: -1..<1, using: &data) }
    }
    return Context(shared: numbers(problem.sharedFeatures), variants: numbers(problem.variantFeatures * variants))
  }

  /// The reward of a choice: 0 or 1, or anything between with every other seed. Means change halfway.
  private mutating func reward(_ choice: Choice) -> Double {
    told += 1
    let mean = [0.4, 0.5, 0.45, 0.9, 0.1][(choice.variant + Int(seed) + 2 * told / steps) % 5]
    return seed % 2 == 0 ? (data.chance(mean) ? 1 : 0) : 0.5 * (mean + Double.random(in: 0..<1, using: &data))
  }

  /// Lets the policy draw by itself.
  mutating func own() throws -> UInt64 {
    var (digest, problem) = (Digest(), problem)
    var state = try policy.makeState(problem)
    problem.hasUnavailableVariants = true
    let allowsAbsence = (try? policy.makeState(problem)) != nil
    // Rewards that the policy learns before its first decision.
    for _ in 0..<(seed < 4 ? 0 : 3) { state.learn(Choice(0), reward(Choice(0)), context()) }
    for step in 0..<steps {
      if allowsAbsence, seed >= 2, step % 23 == 22 {
        var available = (0..<variants).map { _ in data.chance(0.7) }
        available[data.index(variants)] = true
        state.offer(available)
      }
      let context = context()
      let choice = state.choose(context, &words)
      digest.add(choice)
      var next = words
      digest.add(next.next())
      late.append((choice, context))
      while late.count > (seed == 3 ? 7 : 0) {
        let (made, seen) = late.removeFirst()
        let reward = reward(made)
        if state.usesFullInformation {
          state.learnFullInformation(made, (0..<variants).map { $0 == made.variant ? reward : 0.5 }, seen)
        } else {
          state.learn(made, reward, seen)
        }
      }
      digest.add(UInt64(bitPattern: Int64(state.recommendation ?? -1)))
      digest.add(state.hasStopped ? 1.0 : 0)
    }
    return digest.value
  }

  /// Draws from the probabilities that the policy states, or something else now and then; nil if it states none.
  mutating func stated() throws -> UInt64? {
    guard var state = try policy.makeAllocatingState(problem) else { return nil }
    var digest = Digest()
    for _ in 0..<(seed < 4 ? 0 : 3) { state.learn(Choice(0), reward(Choice(0)), .none) }
    for step in 0..<steps {
      let allocation = state.allocation
      for share in allocation.probabilities { digest.add(share) }
      digest.add(allocation.error)
      for variant in 0..<variants { digest.add(state.probability(of: variant)) }
      let drawn = Draw.index(weights: allocation.probabilities, using: &words)
      let variant = seed > 1 && step % 5 == 0 ? data.index(variants) : drawn
      state.note(variant)
      let choice = Choice(variant, propensity: allocation.probabilities[drawn])
      late.append((choice, .none))
      while late.count > (seed == 3 ? 7 : 0) {
        let made = late.removeFirst().0
        state.learn(made, reward(made), .none)
      }
      digest.add(UInt64(bitPattern: Int64(state.recommendation ?? -1)))
      digest.add(state.hasStopped ? 1.0 : 0)
    }
    return digest.value
  }
}

/// Every decision, propensity and random word of each policy is what it was when `decision-digests.txt` was written. Who
/// changes what a policy does copies the new lines from the messages of this test.
@Suite("The decisions of each policy")
struct DecisionDigestTests {
  static let policies: [String] =
    (Policies.all.map(\.example) + AllocatingStateTests.learned + [
      "ucb:alpha=0.1", "moss:horizon=100", "oc-ucb:horizon=60", "kl-ucb:c=3", "kl-ucb-poisson:c=2",
      "kl-ucb-exponential:c=2", "kl-ucb++:horizon=500", "softmax:temperature=1", "etc:pulls=7",
      "epsilon-decreasing:c=2,d=0.7", "hedge", "top-two:beta=0.2", "thompson-bootstrap:replicates=7,weights=poisson",
      "successive-elimination:delta=0.3", "sequential-halving:reuse=yes", "lil-ucb:lambda=0.1,epsilon=0.5",
      "track-and-stop:threshold=proven", "sliding-window-ucb", "m-ucb:window=2", "raw-ucb:grid=1.3,alpha=3",
      "corral:policies=(exp3);(thompson);(ucb1),feedback=agreeing", "exp4", "floor:policy=(exp3),probability=0.1",
      "floor:policy=(gittins),probability=0.1", "floor:policy=(hedge:information=bandit),probability=0.05",
      "floor:policy=(lucb),probability=0.1", "corral:policies=(lucb);(dmed);(cusum-ucb)",
      "conservative:policy=(exp3),baseline=2,alpha=0.3,delta=0.5", "linear-epsilon-greedy:models=one,epsilon=0.3",
      "linucb:models=one,intercept=yes", "lints:models=each", "logistic-thompson:covariance=full", "cover:estimate=ips",
      "regcb:mode=elimination", "squarecb:scale=3,exponent=0.3", "tree:size=20", "k-nearest:k=9,capacity=50",
      "linucb-hybrid:interactions=yes,intercept=yes",
    ]).filter { !$0.hasPrefix("learned:") && !$0.hasPrefix("weights") }

  @Test("and the random words that it takes stay what they were", arguments: 0..<3)
  func same(part: Int) throws {
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("decision-digests.txt")
    let known = Set(try String(contentsOf: golden, encoding: .utf8).split(separator: "\n").map(String.init))
    for (index, text) in Self.policies.enumerated() where index % 3 == part {
      let line = try line(text)
      #expect(known.contains(line), "\(line)")
    }
  }

  private func line(_ text: String) throws -> String {
    var (own, told) = (Digest(), Digest())
    for seed in 0..<6 as Range<UInt64> {
      let variants = text.contains("baseline") ? 3 : [3, 5, 4, 3, 1, 2][Int(seed)]
      let policy = try Policies.named(text, variants: (1...variants).map { "\($0)" })
      let needsQuadrature = text.contains("thompson") || text.hasPrefix("top-two")
      var trial = Trial(policy, variants: variants, seed: seed, steps: 150)
      own.add(try trial.own())
      if policy.needsContext { continue }
      var second = Trial(policy, variants: variants, seed: seed, steps: needsQuadrature ? 12 : 150)
      if let digest = try second.stated() { told.add(digest) }
    }
    return "\(text) \(String(own.value, radix: 16)) \(String(told.value, radix: 16))"
  }
}
