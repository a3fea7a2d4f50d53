import Bandits
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("What agents draw has the probability that they log")
struct AgentsDistributionTests {
  /// Decides for so many fresh sessions, each of which earns what its choice is worth.
  private func run(
    _ definition: AgentDefinition, _ choices: [String], count: Int = 2_000, seed: UInt64 = 11,
    allowed: [String]? = nil, worth: [String: Double] = [:]
  ) throws -> [Decision] {
    let host = try AgentsHost(definition, seed: seed)
    for number in 0..<count {
      let session = "s\(number)"
      let code = try host.agents.decide(.of(choices, session: session, allowed: allowed)).decisions[
        0
      ].code
      if let reward = worth[code], number < 200 {
        _ = try host.agents.goal(GoalRequest(agent: "x", session: session, reward: reward))
      }
    }
    return host.decisions
  }

  /// Pearson's statistic of how often each choice came against the sums of the probabilities logged.
  private func chiSquare(_ decisions: [Decision], _ choices: [String]) -> Double {
    choices.indices.reduce(0) { sum, index in
      let expected = decisions.reduce(0) { $0 + ($1.probabilities?[index] ?? 0) }
      let count = Double(decisions.count { $0.variant.rawValue == choices[index] })
      return expected > 0 ? sum + (count - expected) * (count - expected) / expected : sum + count
    }
  }

  /// Exceeded once in 10,000 by a chi-square variable of so many degrees of freedom, 1 to 3.
  private static let critical = [0, 15.14, 18.42, 21.11]

  private static func weighted(
    _ weights: [String: Double], _ definition: AgentDefinition = .init("x")
  )
    -> AgentDefinition
  {
    var definition = definition
    let options = weights.sorted { $0.key < $1.key }.map { AgentOption($0.key, weight: $0.value) }
    definition.points = [AgentPoint(slots: [AgentSlot(choices: options)])]
    return definition
  }

  @Test("CO-31: equal weights are logged as uniform")
  func uniform() throws {
    let choices = ["a", "b", "c"]
    let decisions = try run(AgentDefinition("x"), choices)
    #expect(decisions.allSatisfy { $0.policy == "uniform" && $0.propensity == 1 / 3.0 })
    #expect(chiSquare(decisions, choices) < Self.critical[2])
  }

  @Test(
    "CO-32: weights may be ratios or percents, and a choice without one weighs 1",
    arguments: [1.0, 100, 1e308])
  func weights(scale: Double) throws {
    let definition = Self.weighted(["a": 3 * (scale / 4), "b": scale / 4, "c": 0])
    let choices = ["a", "b", "c"]
    let decisions = try run(definition, choices)
    #expect(decisions.allSatisfy { $0.policy == "weights" && $0.probabilities == [0.75, 0.25, 0] })
    #expect(decisions.allSatisfy { $0.propensity == ($0.variant == "a" ? 0.75 : 0.25) })
    #expect(chiSquare(decisions, choices) < Self.critical[1])
    let host = try AgentsHost(Self.weighted(["a": 3]))
    #expect(try host.decide(["a", "new"]).probabilities == [0.75, 0.25])
  }

  @Test("weights beyond any sum still draw, and weights that are all zero draw nothing")
  func extremeWeights() throws {
    let huge = Self.weighted(["a": .greatestFiniteMagnitude, "b": .greatestFiniteMagnitude])
    #expect(try AgentsHost(huge).decide(["a", "b"]).probabilities == [0.5, 0.5])
    let none = try AgentsHost(Self.weighted(["a": 0, "b": 0])).decide(["a", "b"])
    #expect(none.reason == .noPermittedChoice && none.code == "a")
  }

  @Test("CO-29: the weights of what is permitted are shared anew")
  func permitted() throws {
    let definition = Self.weighted(["a": 6, "b": 3, "c": 1])
    let decisions = try run(definition, ["a", "b", "c"], allowed: ["b", "c"])
    #expect(decisions.allSatisfy { $0.probabilities == [0, 0.75, 0.25] })
    #expect(chiSquare(decisions, ["a", "b", "c"]) < Self.critical[1])
  }

  @Test(
    "CO-31: the control share is drawn by weights, and the propensity is that of the mixture",
    arguments: [0.1, 0.25, 0, 1])
  func control(share: Double) throws {
    let definition = AgentDefinition("x", policy: "epsilon-greedy:epsilon=0.2", controlShare: share)
    let choices = ["a", "b"]
    let decisions = try run(definition, choices, worth: ["a": 1, "b": 3])
    let controls = Double(decisions.count { $0.reason == "control" })
    let count = Double(decisions.count)
    #expect(decisions.allSatisfy { $0.reason == "control" || $0.reason == "adaptive" })
    #expect(
      decisions.allSatisfy {
        $0.policy == ($0.reason == "control" ? "uniform" : "epsilon-greedy:epsilon=0.2")
      })
    let spread = 4 * (count * share * (1 - share)).squareRoot()
    #expect(abs(controls - count * share) <= spread)
    #expect(chiSquare(decisions, choices) < Self.critical[1])
    let late = try #require(decisions.last?.probabilities)
    #expect(abs(late[1] - (share * 0.5 + (1 - share) * 0.9)) < 1e-12)
    #expect(decisions.last?.propensity == (decisions.last?.variant == "b" ? late[1] : late[0]))
  }

  @Test("the control share draws by the weights of the definition")
  func weightedControl() throws {
    let definition = Self.weighted(
      ["a": 3, "b": 1], AgentDefinition("x", policy: "greedy", controlShare: 0.5))
    let decisions = try run(definition, ["a", "b"], worth: ["a": 1, "b": 5])
    let controls = decisions.filter { $0.reason == "control" }
    let a = Double(controls.count { $0.variant == "a" })
    let expected = 0.75 * Double(controls.count)
    #expect(abs(a - expected) < 4 * (expected * 0.25).squareRoot())
    #expect(decisions.last?.probabilities == [0.375, 0.625])
  }

  @Test(
    "an exploration floor gives every choice its least probability", arguments: [0.1, 0.25, 0.9])
  func floor(floor: Double) throws {
    var definition = AgentDefinition("x", policy: "greedy", controlShare: 0)
    definition.explorationFloor = floor
    let choices = ["a", "b", "c", "d"]
    let decisions = try run(definition, choices, worth: ["a": 1, "b": 2, "c": 3, "d": 9])
    let least = min(floor, 0.25)
    let late = try #require(decisions.last?.probabilities)
    #expect(abs(late[3] - (least + (1 - 4 * least))) < 1e-12)
    for share in late.dropLast() { #expect(abs(share - least) < 1e-12) }
    #expect(chiSquare(decisions, choices) < Self.critical[3])
  }

  @Test("CO-32: so many sessions are let in as the share says")
  func eligible() throws {
    let decisions = try run(AgentDefinition("x", eligibleShare: 0.3), ["a", "b"])
    let inside = decisions.filter { $0.status == .confirmed }
    let count = Double(decisions.count)
    #expect(abs(Double(inside.count) - 0.3 * count) < 4 * (count * 0.21).squareRoot())
    #expect(decisions.allSatisfy { $0.status == .confirmed || $0.propensity == 0.7 })
    #expect(chiSquare(inside, ["a", "b"]) < Self.critical[1])
  }

  @Test("the same seed draws the same choices")
  func deterministic() throws {
    let definition = AgentDefinition("x", policy: "epsilon-greedy", eligibleShare: 0.8)
    let first = try run(definition, ["a", "b", "c"], count: 200, seed: 5, worth: ["a": 1, "c": 2])
    #expect(
      first
        == (try run(definition, ["a", "b", "c"], count: 200, seed: 5, worth: ["a": 1, "c": 2])))
    #expect(
      first
        != (try run(definition, ["a", "b", "c"], count: 200, seed: 6, worth: ["a": 1, "c": 2])))
  }
}
