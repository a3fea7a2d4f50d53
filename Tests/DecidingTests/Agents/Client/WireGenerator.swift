import Deciding
import Events
import TestSupport

/// Random calls and answers, with all that a careless app or a hostile one may write.
enum WireGenerator {
  static func text(_ random: inout SeededGenerator) -> String {
    random.pick(
      ["a", "b", "A_1-b", "", " ", "a,b", "x:y", "a/b", "é", "\u{301}", "3", "\"", "\n", "-"],
      or: "a")
  }

  static func texts(_ random: inout SeededGenerator) -> [String] {
    (0..<random.index(4)).map { _ in text(&random) }
  }

  static func optional<Value>(
    _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> Value
  ) -> Value? {
    random.chance(0.5) ? make(&random) : nil
  }

  static func number(_ random: inout SeededGenerator) -> Double {
    random.pick([0, 1, -1, 2.2, 0.33, 1e300, 5e-300, -0.1, 123_456_789], or: 0)
  }

  static func request(_ random: inout SeededGenerator) -> AgentRequest {
    let body: AgentRequest.Body =
      random.chance(0.7)
      ? .call(call(&random)) : .batch((0..<random.index(4)).map { _ in call(&random) })
    return AgentRequest(owner: text(&random), apiKey: text(&random), body: body)
  }

  static func call(_ random: inout SeededGenerator) -> AgentCall {
    switch random.index(6) {
    case 0:
      var asked = decision(&random)
      asked.slots = [SlotChoices(choices: optional(&random, texts))]
      if random.chance(0.2) { asked.slots = [SlotChoices(slot: text(&random), choices: ["a"])] }
      return .decision(asked)
    case 1: return .decisions(decision(&random))
    case 2:
      return .goal(
        GoalRequest(
          agent: optional(&random, text), session: text(&random), goal: optional(&random, text),
          reward: optional(&random, number)))
    case 3: return .expire(agent: text(&random), session: text(&random))
    case 4:
      return .pause(
        agent: text(&random), choice: text(&random), sessions: optional(&random, texts))
    default: return .resume(agent: text(&random), sessions: optional(&random, texts))
    }
  }

  static func decision(_ random: inout SeededGenerator) -> DecisionRequest {
    let slots = (0..<random.index(4)).map { _ in
      SlotChoices(slot: text(&random), choices: optional(&random, texts))
    }
    return DecisionRequest(
      agent: text(&random), session: optional(&random, text), point: optional(&random, text),
      slots: random.chance(0.3) ? nil : slots,
      status: random.chance(0.5) ? .confirmed : .provisional, allowed: optional(&random, texts),
      excluding: texts(&random), segment: optional(&random, text),
      features: texts(&random).map { AgentFeature($0, weight: number(&random)) },
      traits: texts(&random).map { AgentTrait($0, text(&random)) },
      inputs: random.chance(0.5) ? [:] : ["foo": "bar", "list": [1, .null, true]],
      visitor: AgentVisitor(isBot: random.chance(0.2), doNotTrack: random.chance(0.2)))
  }

  /// An answer as a service gives it: slots have different names, and features come by name.
  static func answer(to call: AgentCall, _ random: inout SeededGenerator) -> AgentAnswer {
    switch call {
    case .decision(let request):
      return .decision(reply(request, slots: [text(&random)], &random))
    case .decisions(let request):
      return .decisions(reply(request, slots: Array(Set(texts(&random))), &random))
    case .goal(let request): return .goal(goal(request, &random))
    case .expire(let agent, let session): return .expired(agent: agent, session: session)
    case .pause(let agent, let choice, let sessions):
      return .paused(agent: agent, choice: choice, sessions: sessions)
    case .resume(let agent, let sessions): return .resumed(agent: agent, sessions: sessions)
    }
  }

  private static func reply(
    _ request: DecisionRequest, slots: [String], _ random: inout SeededGenerator
  ) -> DecisionReply {
    let names = Set(texts(&random)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return DecisionReply(
      agent: request.agent, session: request.session ?? text(&random),
      point: request.point ?? text(&random),
      decisions: slots.map { slot in
        AgentDecision(
          slot: slot, code: text(&random), choices: texts(&random),
          reason: random.pick(Reason.allCases, or: .random),
          status: random.pick([.confirmed, .provisional, .excluded], or: .confirmed),
          propensity: optional(&random, number),
          probabilities: optional(&random) { [number(&$0)] }, policyName: optional(&random, text),
          name: optional(&random, text), meta: random.chance(0.5) ? [:] : ["magic": 12345])
      },
      segment: optional(&random, text),
      features: names.map { AgentFeature($0, weight: number(&random)) }, traits: texts(&random),
      warnings: texts(&random), isNewSession: random.chance(0.5))
  }

  private static func goal(_ request: GoalRequest, _ random: inout SeededGenerator) -> GoalReply {
    let refusal = optional(&random) { $0.pick(GoalRefusal.allCases, or: .limit) }
    var reply = GoalReply(
      agent: request.agent, session: request.session, goal: request.goal ?? "goal-1",
      reward: number(&random), accepted: random.chance(0.5), refusal: refusal)
    guard request.agent == nil else { return reply }
    let agents = Set(texts(&random)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    reply.rewards = agents.map { agent in
      GoalReply.AgentReward(
        agent: agent, reward: number(&random),
        refusal: optional(&random) { $0.pick(GoalRefusal.allCases, or: .limit) })
    }
    return reply
  }
}
