import Bandits
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("What goals are worth, and to what they are credited")
struct AgentsGoalRuleTests {
  @Test(
    "CO-35, CO-38, CO-39: a value given or by default must lie in the range; nothing is clamped")
  func range() throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        goals: [
          AgentGoal("g", min: -1, max: 3, default: 2, limit: nil),
          AgentGoal("low", min: 5), AgentGoal("open", limit: nil),
        ]))
    try host.decide()
    #expect(try host.goal("g").reward == 2)
    #expect(try host.goal("g", 3).reward == 3)
    #expect(try host.goal("g", -1).reward == -1)
    #expect(try host.goal("g", 3.0.nextUp).refusal == .aboveMax)
    #expect(try host.goal("g", (-1.0).nextDown).refusal == .belowMin)
    #expect(try host.goal("low").refusal == .belowMin)
    #expect(try host.goal("open", -1e300).reward == -1e300)
    #expect(host.goals.map(\.value) == [2, 3, -1, 3.0.nextUp, (-1.0).nextDown, 1, -1e300])
    #expect(host.goals.map(\.status).suffix(2) == [.refused, .accepted])
    #expect(host.goals[5].reason == "below-min")
  }

  @Test("CO-37: a limit counts per session, agent and goal")
  func limits() throws {
    let host = try AgentsHost()
    for agent in ["x", "y"] {
      for session in ["s-1", "s-2"] {
        try host.decide(session: session, agent: agent)
        for goal in ["g", "h"] {
          #expect(try host.goal(goal, session: session, agent: agent).accepted)
          #expect(try host.goal(goal, session: session, agent: agent).refusal == .limit)
        }
      }
    }
  }

  @Test("CO-64: checks run in their order, and a refused goal uses up no limit")
  func order() throws {
    let host = try AgentsHost(
      AgentDefinition("x", goals: [AgentGoal("g", max: 1)]))
    #expect(try host.goal("g", 5).refusal == .noDecision)
    try host.decide(status: .provisional)
    #expect(try host.goal("g", 5).refusal == .notConfirmed)
    try host.decide()
    #expect(try host.goal("g", 5).refusal == .aboveMax)
    #expect(try host.goal("g", 1).accepted)
    #expect(try host.goal("g", 5).refusal == .aboveMax)
    #expect(try host.goal("g", 1).refusal == .limit)
    try host.agents.pause("x", on: "a")
    #expect(try host.goal("g", 5).refusal == .paused)
    try host.agents.pause("x", on: "b", for: ["s-2"])
    try host.agents.resume("x")
    try host.agents.expire(session: "s-1", agent: "x")
    #expect(try host.goal("g", 5).refusal == .expired)
  }

  @Test("CO-36: an excluded outcome is no decision")
  func excluded() throws {
    let host = try AgentsHost(AgentDefinition("x", eligibleShare: 0))
    #expect(try host.decide().reason == .notEligible)
    #expect(try host.goal().refusal == .noDecision)
    try host.agents.expire(session: "s-1", agent: "x")
    #expect(try host.goal().refusal == .expired)
  }

  @Test(
    "CO-34: a goal is credited to the latest confirmed decision of every point and slot, or to the last"
  )
  func credit() throws {
    for (credit, expected) in [(AgentDefinition.Credit.all, [2.0, 2, 2]), (.last, [nil, 2, nil])] {
      let host = try AgentsHost(AgentDefinition("x", credit: credit))
      try host.decide(["a"], point: "p")
      try host.decide(["b"], point: "q")
      try host.decide(["c"], point: "r")
      try host.decide(["d"], point: "q")
      try host.goal("g", 2)
      let sums = [("p", "a"), ("q", "d"), ("r", "c")].map { point, choice in
        host.agents.learned(by: "x", at: point)[choice].flatMap { $0.rewarded > 0 ? $0.sum : nil }
      }
      #expect(sums == expected)
      #expect(host.agents.learned(by: "x", at: "q")["b"] == ArmTally(decisions: 1))
    }
  }

  @Test("CO-34: decisions confirmed, decisions rewarded, sum and sum of squares are learned")
  func learned() throws {
    let host = try AgentsHost()
    try host.decide(["a"])
    try host.goal("g", 3)
    try host.goal("h", -1)
    #expect(
      host.agents.learned(by: "x") == [
        "a": ArmTally(decisions: 1, rewarded: 1, sum: 2, squares: 10)
      ])
    try host.decide(["a"], session: "s-2")
    #expect(host.agents.learned(by: "x")["a"]?.decisions == 2)
    #expect(host.agents.learned(by: "nobody").isEmpty)
  }

  @Test("sums that no number holds stay finite, so that a snapshot can be written")
  func hugeSums() throws {
    let host = try AgentsHost(AgentDefinition("x", goals: [AgentGoal("g", limit: nil)]))
    try host.decide(["a"])
    for _ in 0..<3 { try host.goal("g", .greatestFiniteMagnitude) }
    try host.goal("g", -1.5e308)
    let tally = try #require(host.agents.learned(by: "x")["a"])
    #expect(tally.sum.isFinite && tally.squares == .greatestFiniteMagnitude)
    try host.decide(["a"], agent: "y")
    let reply = try host.goal("h", .greatestFiniteMagnitude, agent: nil)
    #expect(reply.reward.isFinite && reply.rewards.count == 2)
  }

  @Test("learning by segment keeps the counts apart, and an unseen segment starts empty")
  func segments() throws {
    let host = try AgentsHost(
      AgentDefinition("x", policy: "greedy", controlShare: 0, learnsBy: .segment))
    for (session, segment) in [("n1", "north"), ("n2", "north"), ("s1", "south")] {
      try host.decide(["a", "b"], session: session, excluding: ["b"], segment: segment)
      try host.decide(["a", "b"], session: "\(session)b", excluding: ["a"], segment: segment)
      try host.goal(session: segment == "north" ? session : "\(session)b")
    }
    #expect(host.agents.learned(by: "x", segment: "north")["a"]?.sum == 2)
    #expect(host.agents.learned(by: "x", segment: "south")["b"]?.sum == 1)
    #expect(host.agents.learned(by: "x").isEmpty)
    #expect(try host.decide(session: "t1", segment: "north").code == "a")
    #expect(try host.decide(session: "t2", segment: "south").code == "b")
    #expect(try host.decide(session: "t3", segment: "east").propensity == 0.5)
  }

  @Test(
    "CO-42: a goal of a point is reached when a decision there is confirmed, and rewards earlier ones"
  )
  func decisionGoals() throws {
    let goal = AgentGoal("arrived", default: 5, limit: nil, decisionPoint: "end")
    let host = try AgentsHost(AgentDefinition("x", goals: [goal]))
    try host.decide(["a"], point: "end")
    #expect(host.goals.isEmpty, "there was no earlier decision")
    try host.decide(["b"], session: "s-2")
    try host.decide(["a"], session: "s-2", point: "end", status: .provisional)
    #expect(host.goals.isEmpty)
    try host.decide(["a"], session: "s-2", point: "end")
    try host.decide(["a"], session: "s-2", point: "end")
    #expect(host.goals.map(\.value) == [5])
    #expect(host.agents.learned(by: "x")["b"]?.sum == 5)
    #expect(host.agents.learned(by: "x", at: "end")["a"]?.sum == 0)
    let kinds = host.world.events.suffix(2).map(\.kind)
    #expect(kinds == [.goal, .decisionConfirmed])
  }

  @Test("CO-42: a goal of a point obeys range and limit, and several slots reach it once")
  func decisionGoalLimit() throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        goals: [
          AgentGoal("arrived", decisionPoint: "end"),
          AgentGoal("dear", max: 1, default: 2, decisionPoint: "end"),
        ], isSticky: false))
    try host.decide()
    for _ in 0..<3 {
      try host.decide(
        DecisionRequest(
          agent: "x", session: "s-1", point: "end",
          slots: [SlotChoices(slot: "u", choices: ["a"]), SlotChoices(slot: "v", choices: ["b"])]))
    }
    #expect(host.goals.map(\.goal) == ["arrived"])
  }

  @Test("CO-43: of many agents each has its own range, limit and refusal")
  func everyAgent() throws {
    let host = try AgentsHost(
      AgentDefinition("x", goals: [AgentGoal("g", max: 1)]),
      AgentDefinition("y", goals: [AgentGoal("g", default: 4)]))
    for agent in ["y", "x", "z", "w"] { try host.decide(agent: agent) }
    try host.agents.expire(session: "s-1", agent: "w")
    try host.agents.stop("z")
    let reply = try host.goal("g", 2, agent: nil)
    #expect(
      reply.rewards == [
        .init(agent: "x", reward: 0, refusal: .aboveMax), .init(agent: "y", reward: 2),
        .init(agent: "z", reward: 0, refusal: .stopped),
      ])
    #expect(reply.accepted && reply.reward == 2 && reply.refusal == nil)
  }

  @Test("CO-20: without creation at first use an unknown goal is an error")
  func unknownGoals() throws {
    let host = try AgentsHost(
      AgentDefinition("x", goals: [AgentGoal("g")]), AgentDefinition("y"),
      settings: AgentSettings(createsUnknown: false))
    try host.decide()
    try host.decide(agent: "y")
    #expect(try host.goal("g").accepted)
    #expect(try host.goal("g", agent: nil).rewards.map(\.agent) == ["x"])
    for (agent, goal, error) in [
      ("x", nil, AgentError.unknownGoal("goal-1")), ("y", "g", .unknownGoal("g")),
      (nil, "h", .unknownGoal("h")), ("nobody", "g", .unknownAgent("nobody")),
    ] as [(String?, String?, AgentError)] {
      let request = GoalRequest(agent: agent, session: "s-1", goal: goal)
      #expect(agentError { () throws(AgentError) in _ = try host.agents.goal(request) } == error)
    }
    #expect(
      agentError { () throws(AgentError) in try host.agents.expire(session: "s", agent: "nobody") }
        == .unknownAgent("nobody"))
  }
}
