import Synchronization
import Testing

@testable import Bandits

/// What happened in a recorded run.
func recorded(
  _ policy: String, _ environment: String, horizon: Int, batch: Int = 1, run: UInt64 = 0
) throws -> (events: [RecordedEvent], outcome: RunOutcome) {
  let world = try Environments.named(environment)
  let simulation = Simulation(
    world, try Policies.named(policy, variants: world.variantNames),
    RunRules(horizon: horizon, batch: batch), seed: 5)
  let events = Mutex<[RecordedEvent]>([])
  let outcome = try simulation.record(run) { event in events.withLock { $0.append(event) } }
  return (events.withLock { $0 }, outcome)
}

@Suite("Recording a run")
struct RunRecorderTests {
  @Test(
    "decisions and rewards are those of the outcome",
    arguments: [
      "thompson", "ucb1", "epsilon-greedy", "softmax", "uniform", "etc:pulls=5", "exp3", "ucb2",
      "tsallis-inf", "lucb", "top-two",
    ])
  func outcome(policy: String) throws {
    let (events, outcome) = try recorded(policy, Problems.b4, horizon: 300)
    var choices = [0, 0, 0]
    var reward = 0.0
    var next = 0
    for event in events {
      switch event {
      case .decision(let step, let choice, let probabilities, _):
        #expect(step == next)
        next += 1
        choices[choice.variant] += 1
        let given = try #require(probabilities)
        #expect(given[choice.variant] == choice.propensity && choice.propensity > 0)
        #expect(abs(given.reduce(0, +) - 1) < 1e-9)
      case .reward(let step, let value, let before):
        #expect(step == next - 1 && before == next)
        reward += value
      }
    }
    #expect(choices == outcome.choices)
    #expect(reward == outcome.points.last?.reward)
  }

  @Test("choices are the agent's draws from its allocation", arguments: 0..<5)
  func agent(run: UInt64) throws {
    let (events, _) = try recorded("thompson", Problems.b6, horizon: 200, run: run)
    let allocation = try AllocationPolicies.named("thompson")
    var arms = [ArmTally](repeating: ArmTally(), count: 2)
    var chosen: [Int: Int] = [:]
    for event in events {
      switch event {
      case .decision(let step, let choice, let probabilities, _):
        #expect(probabilities == allocation.allocation(over: arms).probabilities)
        chosen[step] = choice.variant
      case .reward(let step, let reward, _):
        let variant = try #require(chosen[step])
        arms[variant].decisions += 1
        arms[variant].rewarded += reward > 0 ? 1 : 0
        arms[variant].sum += reward
        arms[variant].squares += reward * reward
      }
    }
  }

  @Test("batched rewards are learned after the last decision of the batch")
  func batches() throws {
    let (events, _) = try recorded("ucb1", Problems.b4, horizon: 25, batch: 10)
    var told = 0
    for case .reward(let step, _, let before) in events {
      #expect(before == (step / 10 + 1) * 10)
      told += 1
    }
    #expect(told == 20)
  }
}
