import Foundation
import Statistics
import Synchronization
import TestSupport
import Testing

@testable import Bandits

/// What a policy was told, by the number of the decision.
private final class Told: Sendable {
  let all = Mutex<[Int: [Double]]>([:])
  let own = Mutex<[Int: Double]>([:])
}

/// Chooses variants in turn, from a given one on, and writes down what it is told.
private struct Listener: PolicyState {
  let told: Told
  let variants: Int
  var next: Int
  var step = 0
  let usesFullInformation: Bool

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    defer { (next, step) = ((next + 1) % variants, step + 1) }
    return Choice(next, memo: step)
  }

  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    told.own.withLock { $0[choice.memo] = reward }
  }

  mutating func learnFullInformation(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    told.all.withLock { $0[choice.memo] = rewards }
  }
}

@Suite("Policies that learn the rewards of all variants")
struct FullInformationTests {
  /// What a listener is told in a run, and what became of the run.
  private func run(
    _ environment: String, from first: Int, all: Bool, horizon: Int = 60, batch: Int = 1
  ) throws -> (told: Told, outcome: RunOutcome) {
    let world = try Environments.named(environment)
    let told = Told()
    let listener = Listener(
      told: told, variants: world.problem(horizon: horizon).variants, next: first,
      usesFullInformation: all)
    let loop = SimulationLoop(RunRules(horizon: horizon, batch: batch))
    let outcome = loop.run(
      listener, world.makeRun(StreamKey(seed: 3), horizon: horizon), Xoshiro256(seed: 3))
    return (told, outcome)
  }

  @Test(
    "learn the rewards of every variant, and others only their own",
    arguments: [
      "bernoulli:means=0.2;0.5;0.9", "gaussian:means=0;1;2", "sinusoidal:means=0.2;0.5;0.8",
      "delayed:environment=(bernoulli:means=0.2;0.5;0.9),steps=3",
      "delayed:environment=(bernoulli:means=0.2;0.5;0.9),mean=5",
    ], [1, 7])
  func told(environment: String, batch: Int) throws {
    let (everything, outcome) = try run(environment, from: 0, all: true, batch: batch)
    let all = everything.all.withLock { $0 }
    #expect(everything.own.withLock { $0.isEmpty })
    var checked = 0
    // Whoever chooses a variant earns what the others were told of it, at the same steps.
    for first in 0..<3 {
      let (single, other) = try run(environment, from: first, all: false, batch: batch)
      #expect(single.all.withLock { $0.isEmpty })
      let own = single.own.withLock { $0 }
      #expect(Set(own.keys) == Set(all.keys))
      for (step, reward) in own {
        #expect(all[step]?[(first + step) % 3] == reward, "\(environment), step \(step)")
        checked += 1
      }
      if first == 0 { #expect(other == outcome) }
    }
    #expect(checked > 100)
  }

  @Test("a counterfactual reward does not count as a choice")
  func rotting() throws {
    let text = "rotting:means=0.9;0.8;0.7,rates=0.3"
    let (everything, outcome) = try run(text, from: 0, all: true)
    let (single, other) = try run(text, from: 0, all: false)
    #expect(outcome == other)
    let own = single.own.withLock { $0 }
    let all = everything.all.withLock { $0 }
    #expect(own.count == 60 && all.count == 60)
    let variants = try #require(all[0]).count
    for (step, reward) in own { #expect(all[step]?[step % variants] == reward) }
  }

  @Test("hedge follows Freund and Schapire", arguments: ["hedge", "hedge:eta=0.7"])
  func hedge(name: String) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let count = Int(seed % 6) + 1
      var state = try freshState(name, variants: count, horizon: 200)
      #expect(state.usesFullInformation)
      var random = Xoshiro256(seed: seed)
      var data = SeededGenerator(seed: seed)
      let eta = name == "hedge" ? (8 * log(Double(count)) / 200).squareRoot() : 0.7
      var w = [Double](repeating: 1, count: count)
      for step in 0..<200 {
        let choice = state.choose(.none, &random)
        let sharing = try #require(state as? any AllocatingState)
        for variant in 0..<count {
          let expected = w[variant] / w.reduce(0, +)
          #expect(abs(sharing.probability(of: variant) - expected) < 1e-10, "\(seed), \(step)")
        }
        #expect(choice.propensity == sharing.probability(of: choice.variant))
        let rewards = (0..<count).map { mixedReward(seed)(step, $0) }
        // One in ten is never told.
        if data.chance(0.1) { continue }
        state.learnFullInformation(choice, rewards, .none)
        for variant in 0..<count { w[variant] *= exp(-eta * (1 - rewards[variant])) }
      }
    }
  }

  @Test("the expected regret of hedge is at most √(T ln K/2), for any rewards")
  func bound() throws {
    let horizon = 400
    for seed in 0..<40 as Range<UInt64> {
      var data = SeededGenerator(seed: seed)
      let count = 2 + data.index(8)
      var state = try freshState("hedge", variants: count, horizon: horizon)
      var random = Xoshiro256(seed: seed)
      var totals = [Double](repeating: 0, count: count)
      var expected = 0.0
      for step in 0..<horizon {
        let choice = state.choose(.none, &random)
        let sharing = try #require(state as? any AllocatingState)
        let p = (0..<count).map { sharing.probability(of: $0) }
        let likeliest = p.indices.max { p[$0] < p[$1] }
        let rewards = (0..<count).map { variant -> Double in
          switch seed % 4 {
          // Against the policy: what it relies on earns nothing.
          case 0: return variant == likeliest ? 0 : 1
          case 1: return (step + variant) % 2 == 0 ? 1 : 0
          case 2: return mixedReward(seed)(step, variant)
          default: return variant == (step < horizon / 2 ? 0 : 1) ? 1 : 0
          }
        }
        for variant in 0..<count {
          totals[variant] += rewards[variant]
          expected += p[variant] * rewards[variant]
        }
        state.learnFullInformation(choice, rewards, .none)
      }
      let limit = (Double(horizon) * log(Double(count)) / 2).squareRoot()
      let regret = (totals.max() ?? 0) - expected
      #expect(regret <= limit + 1e-9, "seed \(seed), \(count): \(regret), \(limit)")
    }
  }

  @Test("in a run hedge does better with full information than with its own rewards")
  func worth() throws {
    let full = mean(try outcomes("hedge", Problems.b1, horizon: 2000, runs: 8)) {
      $0.points.last?.regret ?? .nan
    }
    let own = mean(
      try outcomes("hedge:information=bandit", Problems.b1, horizon: 2000, runs: 8)
    ) { $0.points.last?.regret ?? .nan }
    #expect(full.mean < (2000 * log(9) / 2).squareRoot())
    #expect(full.mean + 4 * (full.error + own.error) < own.mean, "\(full), \(own)")
  }

  @Test("a recorded run learns all rewards too, and reports its probabilities")
  func recording() throws {
    let (events, outcome) = try recorded("hedge", Problems.b4, horizon: 150, batch: 4)
    let world = try Environments.named(Problems.b4)
    let simulation = Simulation(
      world, try Policies.named("hedge"), RunRules(horizon: 150, batch: 4), seed: 5)
    let run = simulation.makeEnvironmentRun(0).stepwise
    var twin = try freshState("hedge", variants: 3, horizon: 150)
    var choices: [Int: Choice] = [:]
    var decisions = 0
    for event in events {
      switch event {
      case .decision(let step, let choice, let probabilities, _):
        let sharing = try #require(twin as? any AllocatingState)
        #expect(probabilities == (0..<3).map { sharing.probability(of: $0) })
        choices[step] = choice
        decisions += 1
      case .reward(let step, let reward, _):
        var steps = run
        steps.begin(step)
        let choice = try #require(choices[step])
        #expect(steps.allRewards[choice.variant] == reward)
        twin.learnFullInformation(choice, steps.allRewards, .none)
      }
    }
    #expect(decisions == 150 && outcome.choices.reduce(0, +) == 150)
  }

  @Test("within another policy, and after a warm start, hedge learns its own rewards")
  func within() throws {
    let floor = try freshState("floor:policy=(hedge),probability=0.05", variants: 3)
    #expect(!floor.usesFullInformation)
    let problem = Problem(variants: 2, horizon: 100, rewards: 0...1)
    let warm = try Policies.named("hedge").warmed(
      by: WarmStart([WarmStart.Reward(variant: 0, reward: 0, propensity: 0.5)]), for: problem)
    let start = try #require(warm.start as? any AllocatingState)
    let weight = exp(-2 * (2 * log(2.0) / 200).squareRoot())
    #expect(abs(start.probability(of: 0) - weight / (weight + 1)) < 1e-12)
  }
}
