import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("How agents decide")
struct AgentsDecisionRuleTests {
  @Test("CO-14: without choices the set last recorded at that point and slot, else a and b")
  func earlierChoices() throws {
    let host = try AgentsHost()
    #expect(try host.decide(nil).choices == ["a", "b"])
    try host.decide(["c", "d"], point: "p", allowed: ["c"])
    #expect(try host.decide(nil, session: "s-2").choices == ["a", "b"])
    #expect(try host.decide(nil, session: "s-2", point: "p").choices == ["c", "d"])
    try host.decide(["e"], session: "s-3", point: "p")
    #expect(try host.decide([], session: "s-4", point: "p").choices == ["e"])
  }

  @Test("CO-14: a definition knows choices before any was recorded")
  func definedChoices() throws {
    let slots = [
      AgentSlot("color", choices: [AgentOption("red"), AgentOption("blue")]),
      AgentSlot("size", choices: [AgentOption("sm")]),
    ]
    let host = try AgentsHost(AgentDefinition("x", points: [AgentPoint("p", slots: slots)]))
    let reply = try host.decide(DecisionRequest(agent: "x", session: "s-1", point: "p"))
    #expect(reply.decisions.map(\.slot) == ["color", "size"])
    #expect(reply.decisions.map(\.choices) == [["red", "blue"], ["sm"]])
    let one = DecisionRequest(
      agent: "x", session: "s-2", point: "p", slots: [SlotChoices(slot: "size", choices: nil)])
    #expect(try host.decide(one).decisions.map(\.code) == ["sm"])
  }

  @Test(
    "CO-16: a single choice is always chosen, and one listed twice counts once, at its first place")
  func singleAndDouble() throws {
    let host = try AgentsHost(random: ScriptedGenerator([.max]))
    let single = try host.decide(["only"])
    #expect(single.code == "only" && single.propensity == 1 && single.probabilities == [1])
    let double = try host.decide(["b", "a", "b"], session: "s-2")
    #expect(double.choices == ["b", "a"] && double.propensity == 0.5)
    let many = (0..<40).map { "c\($0 % 20)" }
    #expect(try host.decide(many, session: "s-3").choices == Array(many[..<20]))
  }

  @Test("CO-12: a slot that is named again has the later choices, at its first place")
  func repeatedSlot() throws {
    let host = try AgentsHost()
    let reply = try host.decide(
      DecisionRequest(
        agent: "x", session: "s-1",
        slots: [
          SlotChoices(slot: "u", choices: ["a"]), SlotChoices(slot: "v", choices: ["b"]),
          SlotChoices(slot: "u", choices: ["c"]),
        ]))
    #expect(reply.decisions.map(\.slot) == ["u", "v"])
    #expect(reply.decisions.map(\.code) == ["c", "b"])
  }

  @Test("CO-19: a request that names nothing is for point-1 and decision-1, a goal is goal-1")
  func defaults() throws {
    let host = try AgentsHost()
    let reply = try host.decide(DecisionRequest(agent: "x", session: "s-1"))
    #expect(reply.point == "point-1" && reply.decisions.map(\.slot) == ["decision-1"])
    #expect(try host.goal().goal == "goal-1")
  }

  @Test("CO-29: a draw is among the permitted choices; without any it is the first, excluded")
  func permitted() throws {
    let host = try AgentsHost()
    let choices = ["a", "b", "c", "d"]
    for number in 0..<20 {
      let decision = try host.decide(
        choices, session: "s\(number)", allowed: ["b", "c", "d"], excluding: ["c"])
      #expect(["b", "d"].contains(decision.code) && decision.propensity == 0.5)
      #expect(decision.probabilities == [0, 0.5, 0, 0.5])
    }
    let none = try host.decide(choices, allowed: ["a"], excluding: ["a"])
    #expect(none.code == "a" && none.reason == .noPermittedChoice && none.status == .excluded)
    #expect(none.policy == .none)
    let count = host.world.events.count
    try host.decide(choices, allowed: [])
    #expect(host.world.events.count == count, "recorded once")
    #expect(try host.goal().refusal == .noDecision)
    #expect(host.decisions.last?.status == .excluded)
  }

  @Test(
    "CO-30: a paused agent shows one choice, a slot that lacks it its first one, and leaves no trace"
  )
  func paused() throws {
    let host = try AgentsHost()
    let kept = try host.decide()
    try host.agents.pause("x", on: "b")
    let count = host.world.events.count
    for status in DecisionRequest.Status.allCases {
      let shown = try host.decide(status: status)
      #expect(shown.code == "b" && shown.reason == .paused && shown.policy == .paused)
    }
    #expect(try host.decide(["c", "d"], session: "s-2").code == "c")
    #expect(try host.goal().refusal == .paused)
    #expect(host.world.events.count == count)
    try host.agents.resume("x")
    #expect(try host.decide().code == kept.code)
    #expect(try host.goal().accepted)
  }

  @Test("CO-30: a stopped agent gives the first choice and leaves no trace")
  func stopped() throws {
    let host = try AgentsHost()
    try host.decide()
    try host.agents.stop("x")
    let count = host.world.events.count
    let shown = try host.decide(["c", "d"])
    #expect(shown.code == "c" && shown.reason == .stopped && shown.policy == .none)
    #expect(try host.goal().refusal == .stopped)
    #expect(host.world.events.count == count)
    try host.agents.resume("x")
    #expect(try host.decide().reason == .sticky)
  }

  @Test("a pause for chosen sessions is asked before the one for all, and others go on")
  func sessionPause() throws {
    let host = try AgentsHost(AgentDefinition("x"))
    try host.agents.pause("x", on: "b", for: ["s-1", "s-2"])
    #expect(try host.decide().code == "b")
    #expect(try host.decide(session: "s-3").reason == .random)
    try host.agents.pause("x", on: "a")
    #expect(try host.decide().code == "b")
    #expect(try host.decide(session: "s-3").code == "a")
    try host.agents.resume("x", for: ["s-1"])
    #expect(try host.decide().code == "a")
    #expect(try host.decide(session: "s-2").code == "b")
    try host.agents.resume("x")
    #expect(try host.decide(session: "s-2").reason == .random)
  }

  @Test("a pause may name a choice for each slot")
  func slotPause() throws {
    let host = try AgentsHost(AgentDefinition("x"))
    try host.agents.pause("x", on: ["color": "red", "size": "xxl"])
    let reply = try host.decide(
      DecisionRequest(
        agent: "x", session: "s-1",
        slots: [
          SlotChoices(slot: "color", choices: ["blue", "red"]),
          SlotChoices(slot: "size", choices: ["sm", "md"]),
        ]))
    #expect(reply.decisions.map(\.code) == ["red", "sm"])
  }

  @Test("CO-55: nothing is recorded of bots and visitors who opted out of tracking")
  func visitors() throws {
    let host = try AgentsHost()
    var request = DecisionRequest.of()
    request.visitor = AgentVisitor(isBot: true)
    let bot = try host.decide(request)
    #expect(bot.decisions.map(\.code) == ["a"] && bot.policy == .bot)
    request.visitor = AgentVisitor(isBot: true, doNotTrack: true)
    let untracked = try host.decide(request)
    #expect(untracked.decisions.map(\.reason) == [.doNotTrack] && untracked.policy == .paused)
    #expect(host.world.events.isEmpty && host.state == AgentsState())
  }

  @Test("CO-22: the policy word follows from the reason, and every default is none")
  func words() {
    let words: [Reason: PolicyWord] = [
      .random: .random, .adaptive: .adaptive, .control: .control, .fixed: .fixed, .forced: .fixed,
      .sticky: .sticky, .bot: .bot, .paused: .paused, .doNotTrack: .paused,
    ]
    for (reason, word) in words { #expect(PolicyWord(reason) == word) }
    for reason: Reason in [
      .stopped, .notEligible, .noPermittedChoice, .holdout, .exclusionGroup, .outsideSchedule,
      .offline, .timeout, .error, .notRecorded,
    ] {
      #expect(PolicyWord(reason) == .none)
    }
  }

  @Test("CO-51: a request's segment and features are recorded; the last of two features counts")
  func context() throws {
    let host = try AgentsHost()
    var request = DecisionRequest.of(segment: "north")
    request.features = [
      AgentFeature("new"), AgentFeature("fast", weight: 0.33), AgentFeature("new", weight: 2),
      AgentFeature("odd", weight: .nan),
    ]
    let reply = try host.decide(request)
    #expect(reply.segment == "north")
    #expect(reply.features == [AgentFeature("new", weight: 2), AgentFeature("fast", weight: 0.33)])
    #expect(reply.warnings.count == 1)
    #expect(
      host.decisions.first?.context
        == ["segment": "north", "feature:new": 2, "feature:fast": 0.33])
  }

  @Test("G-5: when the sink refuses nothing changes, alone or in a batch")
  func refusingSink() throws {
    let host = try AgentsHost(AgentDefinition("x", policy: "epsilon-greedy"))
    try host.decide()
    let state = host.state
    host.world.sink.refuse(true)
    func refuses(_ body: () throws(AgentError) -> Void) {
      #expect(agentError(body).map(MoodySink.isRefusal) == true)
    }
    refuses { () throws(AgentError) in _ = try host.agents.decide(.of(session: "s-2")) }
    refuses { () throws(AgentError) in
      _ = try host.agents.goal(GoalRequest(agent: "x", session: "s-1"))
    }
    refuses { () throws(AgentError) in try host.agents.expire(session: "s-1", agent: "x") }
    refuses { () throws(AgentError) in try host.agents.define(AgentDefinition("z")) }
    refuses { () throws(AgentError) in try host.agents.force("b", for: "s-1", in: "x") }
    let results = host.agents.decide([
      .of(session: "s-1"), .of(["c"], session: "s-1"), .of(session: "s-5"), .of(agent: "fresh"),
      .of(agent: "a b"), .of(agent: "fresh", point: "p"),
    ])
    #expect(results[4] == .failure(.invalidCode("a b", role: .agent)))
    for index in [0, 1, 2, 3, 5] {
      #expect(throws: AgentError.self) { try results[index].get() }
      if case .failure(let error) = results[index] { #expect(MoodySink.isRefusal(error)) }
    }
    #expect(host.state == state && host.world.events.count == 2)
    #expect(try host.decide().reason == .sticky, "what draws no event is answered")
    host.world.sink.refuse(false)
    #expect([.adaptive, .control].contains(try host.decide(session: "s-2").reason))
    try host.expectRebuilt()
  }

  @Test("G-9: what draws nothing takes no number")
  func noNumbers() throws {
    func next(_ body: (AgentsHost) throws -> Void) throws -> [String] {
      let host = try AgentsHost(seed: 7)
      try body(host)
      return try (0..<40).map { try host.agents.decide(.of(session: "n\($0)")).decisions[0].code }
    }
    let plain = try next { _ in }
    #expect(
      try plain
        == next { host in
          try host.decide(["one"])
          try host.decide(["one"])
          try host.agents.force("a", for: "s-2", in: "x")
          try host.decide(session: "s-2")
          _ = try host.agents.preview(.of(session: "s-3"))
          try host.goal()
          try host.agents.define(AgentDefinition("y"))
          try host.agents.pause("y", on: "b")
          try host.decide(agent: "y")
        })
  }

  @Test("G-23: a preview says what would be answered, and leaves no trace")
  func preview() throws {
    let host = try AgentsHost(AgentDefinition("l", policy: "epsilon-greedy:epsilon=0.5"))
    let fresh = try host.agents.preview(.of(["a", "b", "c"]))
    let third = 1.0 / 3
    #expect(fresh.decisions.first?.probabilities == [third, third, third])
    #expect(fresh.decisions.first?.propensity == nil)
    let learning = try host.agents.preview(.of(agent: "l"))
    #expect(learning.decisions.first?.reason == .adaptive)
    #expect(host.world.events.count == 1)
    let given = try host.decide()
    let kept = try host.agents.preview(.of())
    #expect(kept.decisions.first?.code == given.code && kept.decisions.first?.reason == .sticky)
    #expect(try host.agents.preview(.of(["only"], session: nil)).decisions.first?.code == "only")
    try host.agents.force("b", for: "s-9", in: "x")
    #expect(try host.agents.preview(.of(session: "s-9")).decisions.first?.reason == .forced)
    #expect(host.world.events.count == 3)
  }

  @Test("what a policy cannot learn from is a warning, and the choice is made with equal shares")
  func unusableRewards() throws {
    let host = try AgentsHost(
      AgentDefinition("x", goals: [AgentGoal("goal-1", limit: nil)], policy: "thompson"))
    try host.decide()
    _ = try host.agents.goal(GoalRequest(agent: "x", session: "s-1", reward: 12.5))
    let reply = try host.decide(
      DecisionRequest(agent: "x", session: "s-2", slots: [SlotChoices(choices: ["a", "b"])]))
    #expect(reply.decisions.first?.probabilities == [0.5, 0.5])
    let warning = try #require(reply.warnings.first)
    #expect(warning.contains("thompson") && warning.contains("0"), "\(warning)")
  }
}
