import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Probabilities that are known before the draw")
struct AllocatingStateTests {
  /// Every policy that learns from decisions in their order, so that each of its parts has its turn.
  static let learned = [
    "exp3", "exp3:gamma=0.3", "exp3-s:alpha=0.01", "exp3-ix", "exp3-ix:eta=0.1", "exp3++",
    "exp3++:beta=5", "exp4", "hedge:information=bandit,eta=0.05", "tsallis-inf",
    "tsallis-inf:estimator=iw",
    "gradient", "gradient:baseline=no", "ucb2", "ucb2:alpha=0.2", "dmed",
    "successive-elimination:delta=0.9,c=1", "gittins:discount=0.6", "discounted-ucb:gamma=0.95",
    "discounted-thompson:gamma=0.9", "sliding-window-ucb:window=30",
    "sliding-window-kl-ucb:window=25", "cusum-ucb:samples=10,threshold=2,exploration=0.1",
    "m-ucb:window=20,threshold=4,exploration=0.2",
    "glr-kl-ucb:delta=0.1,exploration=0.1,every=2,stride=2",
    "glr-kl-ucb:restart=global,horizon=500", "fewa", "fewa:alpha=4", "raw-ucb", "lucb",
    "lucb:epsilon=0.3,delta=0.4", "lil-ucb", "track-and-stop", "track-and-stop:delta=0.4",
  ]

  private func policy(_ text: String) throws -> AgentPolicy {
    let policy = try AgentPolicy.named(text)
    try #require(policy.allocationPolicy == nil, "\(text) learns from counts")
    return policy
  }

  @Test("the stated probabilities are those of the policy's draws", arguments: learned)
  func itself(text: String) throws {
    let policy = try Policies.named(text)
    let problem = Problem(variants: 3, horizon: 300, rewards: 0...1)
    // Those whose probabilities a wrapping policy can ask for after the decision.
    let isKnownAfter = ["exp3", "hedge", "tsallis-inf"].contains { text.hasPrefix($0) }
    for seed in 0..<4 as Range<UInt64> {
      var own = try policy.makeState(problem)
      var told = try #require(try policy.makeAllocatingState(problem))
      var random = Xoshiro256(seed: seed)
      var rewards = SeededGenerator(seed: seed)
      let means = [0.4, 0.5, seed < 2 ? 0.6 : 1]
      for step in 0..<(text.contains("thompson") ? 15 : 300) {
        let shares = told.allocation.probabilities
        let choice = own.choose(.none, &random)
        #expect(abs(shares.reduce(0, +) - 1) < 1e-12, "\(text), seed \(seed), step \(step)")
        #expect(shares[choice.variant] > 0, "\(text), seed \(seed), step \(step)")
        let after = shares.indices.map { (own as? any AllocatingState)?.probability(of: $0) ?? 0 }
        if isKnownAfter {
          #expect(zip(after, shares).allSatisfy { abs($0 - $1) < 1e-12 }, "\(text), step \(step)")
        } else {
          #expect(after.allSatisfy { $0.isNaN }, "\(text), step \(step)")
        }
        if !choice.propensity.isNaN {
          #expect(
            abs(shares[choice.variant] - choice.propensity) < 1e-12,
            "\(text), seed \(seed), step \(step)")
        }
        told.note(choice.variant)
        let reward = rewards.chance(means[choice.variant]) ? 1.0 : 0
        own.learn(choice, reward, .none)
        told.learn(choice, reward, .none)
      }
      #expect(own.hasStopped == told.hasStopped && own.recommendation == told.recommendation)
    }
  }

  @Test(
    "any choices and rewards of others leave valid probabilities",
    arguments: learned)
  func wild(text: String) throws {
    let rewards: [Double] = [0, 1, 0.5, -0.0, 1e-300, 1e300, -1e300, 7]
    let propensities: [Double] = [1, 0.5, 1e-3, 1e-300, .nan]
    for seed in 0..<6 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = 1 + random.index(4)
      var learner = try policy(text).learner(choices: count)
      for step in 0..<(text.contains("thompson") ? 6 : 120) {
        let allocation = learner.allocation
        let sum = allocation.probabilities.reduce(0, +)
        #expect(abs(sum - 1) < 1e-9, "\(text), seed \(seed), step \(step)")
        let isSound = allocation.probabilities.allSatisfy { $0 >= 0 && $0 <= 1 + 1e-12 }
        #expect(isSound, "\(text), seed \(seed), step \(step)")
        #expect(allocation.probabilities.count == count)
        let limit = seed < 3 ? 2 : step < 100 ? 4 : rewards.count
        learner.learn(
          random.index(count + 1),
          propensity: random.pick(propensities, or: 1),
          reward: rewards[random.index(limit)])
      }
    }
  }

  @Test("an unusable reward makes probabilities equal, and is reported")
  func refusals() throws {
    for (text, reward) in [("exp3", 1.5), ("dmed", -0.1), ("gittins", 0.5)] {
      var learner = try policy(text).learner(choices: 4)
      learner.learn(1, propensity: 0.25, reward: 1)
      #expect(learner.allocation.refusal == nil)
      learner.learn(1, propensity: 0.25, reward: reward)
      learner.learn(1, propensity: 0.25, reward: 1)
      #expect(learner.allocation.probabilities == [0.25, 0.25, 0.25, 0.25])
      #expect(learner.allocation.refusal?.contains("a decision earned \(reward)") == true)
    }
  }

  @Test("agents accept every policy with known probabilities, and give a reason for others")
  func catalog() throws {
    let refused = [
      "besa": "random samples", "conservative": "made of policies", "corral": "made of policies",
      "floor": "explorationFloor", "sequential-halving": "at random",
      "successive-rejects": "at random", "thompson-bootstrap": "at random",
      "thompson-gaussian-unknown": "use thompson-gaussian",
    ]
    let names = Set(AgentPolicy.all.map(\.name))
    for entry in Policies.catalog.entries where !names.contains(entry.info.name) {
      let name = entry.info.name
      let reason = entry.needsContext ? "chooses by a context" : try #require(refused[name])
      let error = #expect(throws: SpecificationError.self) { try AgentPolicy.named(name) }
      let text = "\(try #require(error))"
      #expect(text.contains("\(name) cannot serve an agent: ") && text.contains(reason), "\(text)")
    }
    #expect(names.isDisjoint(with: refused.keys))
    #expect(names.isSuperset(of: AllocationPolicies.all.map(\.name)))
    let written: Set<String> = Set(Self.learned.map { text in String(text.prefix { $0 != ":" }) })
    let learning: Set<String> = names.subtracting(AllocationPolicies.all.map(\.name))
    #expect(written == learning)
  }

  @Test(
    "policies that need a horizon or wrap others are rejected",
    arguments: [
      ("exp3-s", "add horizon=N"), ("hedge:information=bandit", "add horizon=N"),
      ("discounted-ucb", "add horizon=N"),
      ("sliding-window-ucb", "add horizon=N"), ("cusum-ucb:threshold=3", "add horizon=N"),
      ("m-ucb", "add horizon=N"), ("glr-kl-ucb:delta=0.1", "add horizon=N"),
      ("exp4:experts=(ucb1);(thompson)", "without other policies"), ("exp5", "unknown policy"),
      ("hedge", "add information=bandit"), ("hedge:horizon=9,eta=0.1", "add information=bandit"),
      ("exp3:gamma=2", "gamma"),
    ])
  func needs(text: String, reason: String) throws {
    let error = #expect(throws: SpecificationError.self) { try AgentPolicy.named(text) }
    #expect("\(try #require(error))".contains(reason))
    if reason == "add horizon=N" {
      let longer = text + (text.contains(":") ? "," : ":") + "horizon=1000"
      _ = try AgentPolicy.named(longer)
    }
  }
}
