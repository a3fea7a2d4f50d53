import Deciding
import Events
import Testing

/// A row of the table "Decisions and goals", as a client lives it.
struct ClientVector: Sendable, CustomTestStringConvertible {
  var id: String
  var settings = AgentSettings()
  var run: @Sendable (ClientHost) async throws -> Void

  var testDescription: String { id }

  static let decisions: [ClientVector] = [
    ClientVector(id: "CO-T1") { host in
      let choice = await host.agent().decision(choices: "a,b")
      #expect(["a", "b"].contains(choice.code))
      #expect(choice.error == nil && !choice.isFallback)
    },
    ClientVector(id: "CO-T2") { host in
      let held = await host.agent().decision(choices: "a,b", status: .provisional)
      let choice = await host.agent().decision(choices: "a,b")
      #expect(held.status == .provisional)
      #expect(choice.code == held.code)
      #expect(choice.status == .confirmed && choice.reason == .sticky)
    },
    ClientVector(id: "CO-T10") { host in
      let first = await host.agent().decision(choices: "a,b")
      let second = await host.agent().decision(choices: "a,b")
      #expect(first.reason == .random && first.policy == .random)
      #expect(first.propensity == 0.5)
      #expect(second.reason == .sticky && second.policy == .sticky)
      #expect(second.code == first.code)
    },
    ClientVector(id: "CO-T11") { host in
      let traits = [AgentTrait("F", "1"), AgentTrait("F", "2")]
      let choice = await host.agent().decision(choices: "a,b", traits: traits)
      #expect(choice.traits == ["cust/F:1", "cust/F:2"])
      let choices = await host.agent().decisions(choices: "a,b", traits: traits)
      #expect(choices.traits == ["cust/F:1", "cust/F:2"])
    },
    ClientVector(id: "CO-T12", settings: AgentSettings(createsUnknown: false)) { host in
      let choice = await host.agent().decision(choices: "a,b", default: "Z")
      #expect(choice.code == "Z")
      #expect(choice.policy == .none && choice.reason == .error)
      #expect(choice.error == host.refusal(.unknownAgent("shop")))
      #expect(host.world.events.isEmpty)
    },
    ClientVector(id: "CO-T18") { host in
      let choice = await host.agent().decision(choices: "A,B,C", allowed: ["B"])
      #expect(choice.code == "B" && choice.reason == .random)
      #expect(choice.status == .confirmed && choice.propensity == 1)
    },
    ClientVector(
      id: "CO-T19",
      settings: AgentSettings(rules: [
        AgentRule(
          "r", when: [AgentCondition(.input("foo"), .eq, "bar")], then: .fixed("C", slot: nil))
      ])
    ) { host in
      let choice = await host.agent().decision(choices: "A,B,C", inputs: ["foo": "bar"])
      #expect(choice.code == "C" && choice.reason == .fixed && choice.policy == .fixed)
    },
    ClientVector(
      id: "CO-T23b", settings: AgentSettings(rules: [AgentRule("r", then: .fixed("C", slot: nil))])
    ) { host in
      let choice = await host.agent().decision(choices: "A,B,C")
      #expect(choice.code == "C" && choice.reason == .fixed && choice.status == .confirmed)
    },
    ClientVector(id: "CO-T21", settings: AgentSettings(createsUnknown: false)) { host in
      for code in ["x", "y"] { try host.agents.define(AgentDefinition(code)) }
      let choices = await host.client().decisions(
        try ["x", "unknown", "y"].map { code throws(AgentError) in
          try BatchDecision(agent: code, choices: "a,b", default: code == "unknown" ? "Z" : nil)
        })
      #expect(choices.map(\.policy) == [.random, .none, .random])
      #expect(choices[1].choices.map(\.code) == ["Z"])
      #expect(choices.map(\.isFallback) == [false, true, false])
      #expect(choices[1].error == host.refusal(.unknownAgent("unknown")))
    },
    ClientVector(id: "CO-T23a") { host in
      let twice = try BatchDecision(agent: "shop", choices: ["a", "b"])
      let choices = await host.client().decisions([twice, twice])
      #expect(choices.map(\.policy) == [.random, .sticky])
      #expect(choices[0].choices.first?.code == choices[1].choices.first?.code)
    },
    ClientVector(id: "CO-T23") { host in
      let slot = AgentSlot(choices: [AgentOption("A", meta: ["magic": "12345"]), AgentOption("B")])
      try host.agents.define(AgentDefinition("shop", points: [AgentPoint(slots: [slot])]))
      let a = await host.agent().decision(choices: "A,B", allowed: ["A"])
      let b = await host.agent(session: "s-2").decision(choices: "A,B", allowed: ["B"])
      #expect(a.meta["magic"]?.string == "12345")
      #expect(b.meta["magic"] == nil)
    },
    ClientVector(id: "CO-T24") { host in
      let home = await host.agent().decisions(
        choices: "colour:red,blue/font:serif,sans", at: "home")
      let auction = await host.agent().decisions(
        choices: "mood:calm,wild/product:x,y", at: "auction")
      #expect(home.point == "home" && auction.point == "auction")
      #expect(home.choices.map(\.slot) == ["colour", "font"])
      #expect(["red", "blue"].contains(home["colour"]?.code))
      #expect(["serif", "sans"].contains(home["font"]?.code))
      #expect(["calm", "wild"].contains(auction["mood"]?.code))
      #expect(["x", "y"].contains(auction["product"]?.code))
    },
    ClientVector(id: "CO-V1") { host in
      let agent = host.agent()
      #expect(await agent.decision(choices: "a,b", allowed: ["a"]).code == "a")
      try await agent.pause(on: "b")
      let count = host.world.events.count
      let paused = await agent.decision(choices: "a,b")
      #expect(paused.code == "b" && paused.policy == .paused && !paused.isFallback)
      #expect(host.world.events.count == count)
      try await agent.resume()
      let resumed = await agent.decision(choices: "a,b")
      #expect(resumed.code == "a" && resumed.reason == .sticky)
    },
    ClientVector(id: "CO-V2") { host in
      let agent = host.agent()
      _ = await agent.decision(choices: "a,b")
      try await agent.expireSession()
      #expect(await agent.decision(choices: "a,b").reason == .random)
      #expect(host.decisions.map(\.status).allSatisfy { ($0 ?? .confirmed) == .confirmed })
      #expect(host.decisions.count == 2)
    },
    ClientVector(id: "CO-V5") { host in
      #expect(["0", "1", "2"].contains(await host.agent().decision(choices: 3).code))
      #expect(host.decisions.first?.choices == ["0", "1", "2"])
    },
    ClientVector(id: "CO-V6") { host in
      let choices = await host.agent().decisions(choices: "color:red,blue/size:sm,md,lg")
      #expect(["red", "blue"].contains(choices["color"]?.code))
      #expect(["sm", "md", "lg"].contains(choices["size"]?.code))
      #expect(choices["weight"] == nil)
      #expect(host.decisions.map(\.slot) == ["color", "size"])
    },
    ClientVector(id: "CO-V8") { host in
      _ = await host.agent().decision(choices: "x,y,z")
      let choice = try await host.agent(session: "s-2").decision()
      #expect(["x", "y", "z"].contains(choice.code) && choice.reason == .random)
      #expect(host.decisions.last?.choices == ["x", "y", "z"])
    },
    ClientVector(id: "CO-14") { host in
      let choice = try await host.agent().decision()
      #expect(["a", "b"].contains(choice.code) && choice.slot == "decision-1")
      _ = await host.agent().decisions(choices: "color:red,blue/size:sm,md", at: "home")
      let again = await host.agent(session: "s-2").decisions(at: "home")
      #expect(again.choices.map(\.slot) == ["color", "size"])
      #expect(["red", "blue"].contains(again["color"]?.code))
    },
    ClientVector(id: "CO-V9") { host in
      let agent = host.agent()
      _ = await agent.decision(choices: "a,b", allowed: ["a"])
      let rule = AgentRule("r", then: .fixed("b", slot: nil))
      try host.agents.define(AgentDefinition("shop", rules: [rule]))
      let fixed = await agent.decision(choices: "a,b")
      #expect(fixed.code == "b" && fixed.reason == .fixed)
      try host.agents.define(AgentDefinition("shop"))
      let kept = await agent.decision(choices: "a,b")
      #expect(kept.code == "b" && kept.reason == .sticky)
    },
  ]

  static let goals: [ClientVector] = [
    ClientVector(id: "CO-T3") { host in
      let reply = await host.agent().goal(reward: 2.2)
      #expect(reply.reward == 0 && !reply.accepted && reply.refusal == .noDecision)
      #expect(reply.error == nil && !reply.isRetryable)
      #expect(host.goals.map(\.status) == [.refused])
    },
    ClientVector(id: "CO-T4, CO-T5") { host in
      _ = await host.agent().decision(choices: "a,b")
      let first = await host.agent().goal(reward: 2.2)
      #expect(first.reward == 2.2 && first.accepted && first.refusal == nil)
      let second = await host.agent().goal(reward: 2.2)
      #expect(second.reward == 0 && second.refusal == .limit)
    },
    ClientVector(id: "CO-T6") { host in
      _ = await host.agent().decision(choices: "a,b")
      try await host.agent().expireSession()
      let reply = await host.agent().goal(reward: 2.2)
      #expect(reply.reward == 0 && reply.refusal == .expired)
    },
    ClientVector(id: "CO-T7") { host in
      _ = await host.agent().decision(choices: "a,b")
      #expect(await host.agent().goal().reward == 1)
    },
    ClientVector(id: "CO-T15") { host in
      _ = await host.agent().decision(choices: "a,b")
      #expect(await host.agent().goal("g-example").reward == 1)
      #expect(await host.agent().goal("g-example").reward == 0)
    },
    ClientVector(id: "CO-T25") { host in
      let goal = AgentGoal("sold", default: 3, limit: 1)
      try host.agents.define(AgentDefinition("shop", goals: [goal]))
      _ = await host.agent().decision(choices: "a,b")
      #expect(await host.agent().goal("sold", reward: 1).reward == 1)
    },
    ClientVector(id: "CO-V3") { host in
      try host.agents.define(AgentDefinition("shop", goals: [AgentGoal("sold", max: 3)]))
      _ = await host.agent().decision(choices: "a,b")
      let above = await host.agent().goal("sold", reward: 3.01)
      #expect(above.reward == 0 && above.refusal == .aboveMax)
      #expect(await host.agent().goal("sold", reward: 3).reward == 3)
    },
    ClientVector(id: "CO-V4") { host in
      try host.agents.define(AgentDefinition("shop", goals: [AgentGoal("sold", limit: 2)]))
      _ = await host.agent().decision(choices: "a,b")
      var rewards: [Double] = []
      for _ in 0..<3 { rewards.append(await host.agent().goal("sold", reward: 1).reward) }
      #expect(rewards == [1, 1, 0])
    },
    ClientVector(id: "CO-V7") { host in
      for code in ["x", "y"] { _ = await host.agent(code).decision(choices: "a,b") }
      let reply = await host.client().goal("sold", reward: 2)
      #expect(reply.rewards.map(\.agent) == ["x", "y"])
      #expect(reply.rewards.map(\.reward) == [2, 2])
      #expect(reply.agent == nil && reply.accepted && reply.reward == 4)
      let again = await host.client().goal("sold", reward: 2)
      #expect(again.rewards.map(\.refusal) == [.limit, .limit] && !again.accepted)
    },
    ClientVector(id: "CO-20", settings: AgentSettings(createsUnknown: false)) { host in
      try host.agents.define(AgentDefinition("shop", goals: [AgentGoal("sold")]))
      _ = await host.agent().decision(choices: "a,b")
      let reply = await host.agent().goal("bought")
      #expect(reply.error == host.refusal(.unknownGoal("bought")) && !reply.isRetryable)
      #expect(await host.agent().goal("sold").accepted)
    },
    ClientVector(id: "CO-V10") { host in
      _ = await host.agent().decision(choices: "a,b")
      let count = host.world.events.count
      let reply = await host.agent().goal(reward: .nan)
      #expect(reply.error == .invalidReward(.nan) && !reply.accepted)
      #expect(host.world.events.count == count)
    },
  ]
}
