import Deciding
import Events
import TestSupport
import Testing

@Suite("What goes over a transport is JSON")
struct AgentWireTests {
  @Test("any request reads back the same", arguments: 0..<20)
  func requests(chunk: UInt64) throws {
    for seed in chunk * 50..<chunk * 50 + 50 {
      var random = SeededGenerator(seed: seed)
      let request = WireGenerator.request(&random)
      let text = try JSONValue(encoding: request).description
      let read: AgentRequest = try JSONValue(parsing: text).decoded()
      #expect(read == request, "seed \(seed): \(text)")
    }
  }

  @Test("any explained reply reads back the same", arguments: 0..<20)
  func replies(chunk: UInt64) throws {
    for seed in chunk * 50..<chunk * 50 + 50 {
      var random = SeededGenerator(seed: seed)
      let calls = (0..<random.index(4)).map { _ in WireGenerator.call(&random) }
      let reply = AgentReply.batch(calls.map { .success(WireGenerator.answer(to: $0, &random)) })
      let request = AgentRequest(owner: "acme", body: .batch(calls))
      let text = reply.json(explained: true).description
      #expect(try AgentReply(parsing: text, to: request) == reply, "seed \(seed): \(text)")
    }
  }

  @Test(
    "calls are read as a person writes them",
    arguments: [
      (#"{"agent":"x","type":"decision"}"#, [SlotChoices(choices: nil)]),
      (#"{"agent":"x","type":"decision","choices":null}"#, [SlotChoices(choices: nil)]),
      (#"{"agent":"x","type":"decision","choices":"a,b"}"#, [SlotChoices(choices: ["a", "b"])]),
      (
        #"{"agent":"x","type":"decision","choices":["a","b"]}"#, [SlotChoices(choices: ["a", "b"])]
      ),
      (#"{"agent":"x","type":"decision","choices":2}"#, [SlotChoices(choices: ["0", "1"])]),
      (#"{"agent":"x","type":"decision","choices":"2"}"#, [SlotChoices(choices: ["2"])]),
      (
        #"{"agent":"x","type":"decision","choices":[{"slot":"c","choices":["a"]}]}"#,
        [SlotChoices(slot: "c", choices: ["a"])]
      ),
      (
        #"{"agent":"x","type":"decisions","choices":"c:a,b/d"}"#,
        [
          SlotChoices(slot: "c", choices: ["a", "b"]),
          SlotChoices(slot: "decision-2", choices: ["d"]),
        ]
      ),
      (
        #"{"agent":"x","type":"decisions","choices":[{"slot":"c"}]}"#,
        [SlotChoices(slot: "c", choices: nil)]
      ),
      (#"{"agent":"x","type":"decisions","choices":2}"#, [SlotChoices(choices: ["0", "1"])]),
    ])
  func choices(text: String, slots: [SlotChoices]) throws {
    switch try JSONValue(parsing: text).decoded(as: AgentCall.self) {
    case .decision(let request), .decisions(let request): #expect(request.slots == slots)
    default: Issue.record("no decision")
    }
  }

  @Test("parameters are read as in an address")
  func parameters() throws {
    let text = """
      {"agent":"x","type":"decision","query":{"session":"s","status":"p","features":"f:0.33,g",\
      "traits":"F:1,F:2:3,G","inputs":{"foo":"bar"},"allowed":"a","excluding":"b,c","dnt":true}}
      """
    let call: AgentCall = try JSONValue(parsing: text).decoded()
    #expect(
      call
        == .decision(
          DecisionRequest(
            agent: "x", session: "s", slots: [SlotChoices(choices: nil)], status: .provisional,
            allowed: ["a"], excluding: ["b", "c"],
            features: [AgentFeature("f", weight: 0.33), AgentFeature("g")],
            traits: [AgentTrait("F", "1"), AgentTrait("F", "2:3"), AgentTrait("G", "")],
            inputs: ["foo": "bar"], visitor: AgentVisitor(doNotTrack: true))))
    let endless = AgentCall.goal(GoalRequest(agent: "x", session: "s", reward: .infinity))
    #expect(try JSONValue(encoding: endless).decoded(as: AgentCall.self) == endless)
    let goal = #"{"type":"goal","goal":"sold","query":{"session":"s","reward":"2.2"}}"#
    #expect(
      try JSONValue(parsing: goal).decoded(as: AgentCall.self)
        == .goal(GoalRequest(agent: nil, session: "s", goal: "sold", reward: 2.2)))
  }

  @Test(
    "a call that cannot be says where",
    arguments: [
      (#"{"agent":"x","type":"guess"}"#, "type"),
      (#"{"type":"decision"}"#, "agent"),
      (#"{"agent":"x","type":"decision","choices":0}"#, "choices must be a number in 1 ... 10000"),
      (#"{"agent":"x","type":"decision","choices":[1]}"#, "choices"),
      (
        #"{"agent":"x","type":"decision","query":{"status":"maybe"}}"#,
        "query.status must be ok or p"
      ),
      (#"{"agent":"x","type":"decision","query":{"features":"f:much"}}"#, "query.features"),
      (#"{"agent":"x","type":"goal"}"#, "query.session"),
      (#"{"agent":"x","type":"goal","query":{"session":"s","reward":"much"}}"#, "query.reward"),
      (#"{"agent":"x","type":"pause"}"#, "choice"),
    ])
  func badCalls(text: String, place: String) throws {
    let json = try JSONValue(parsing: text)
    do {
      _ = try json.decoded(as: AgentCall.self)
      Issue.record("it was read")
    } catch let error as DecodingError {
      let message = JSONValue.explanation(of: error)
      #expect(message.contains(place), "\(message)")
    }
  }

  @Test("plain answers have the shapes of the service")
  func plain() {
    let red = AgentDecision(slot: "color", code: "red", reason: .random, propensity: 0.5)
    let md = AgentDecision(slot: "size", code: "md", reason: .sticky)
    var reply = DecisionReply(
      agent: "shop", session: "s-42", point: "cart", decisions: [red, md], isNewSession: true)
    func text(_ answer: AgentAnswer) -> String { answer.json().description }
    #expect(text(.decision(reply)) == #"{"decision":"red","session":"s-42"}"#)
    #expect(
      text(.decisions(reply)) == """
        {"agent":"shop","decisions":{"color":{"code":"red","policy":"random","status":"confirmed"},\
        "size":{"code":"md","policy":"sticky","status":"confirmed"}},"features":{},"point":"cart",\
        "policy":"random","segment":null,"session":"s-42","traits":[]}
        """)
    reply.segment = "vip"
    reply.features = [AgentFeature("f", weight: 0.33)]
    reply.traits = ["cust/F:1"]
    let json = AgentAnswer.decisions(reply).json()
    #expect(json["segment"] == "vip")
    #expect(json["features"] == ["f": 0.33])
    #expect(json["traits"] == ["cust/F:1"])
    let refused = GoalReply(agent: "shop", session: "s-42", goal: "goal-1", refusal: .limit)
    #expect(
      text(.goal(refused))
        == #"{"accepted":false,"agent":"shop","goal":"goal-1","refused":"limit","reward":0,"session":"s-42"}"#
    )
    let everywhere = GoalReply(
      agent: nil, session: "s-42", goal: "goal-1", reward: 1, accepted: true,
      rewards: [
        .init(agent: "news", reward: 0, refusal: .limit), .init(agent: "shop", reward: 1),
      ])
    #expect(
      text(.goal(everywhere))
        == #"{"goal":"goal-1","rewards":{"news":0,"shop":1},"session":"s-42"}"#)
    #expect(
      text(.expired(agent: "shop", session: "s-42"))
        == #"{"agent":"shop","expired":true,"session":"s-42"}"#)
    let batch = AgentReply.batch([
      .success(.decision(reply)), .failure(.invalidCode("a b", role: .choice)),
    ])
    let error = AgentError.invalidCode("a b", role: .choice)
    #expect(batch.json().array?[0] == ["data": ["session": "s-42", "decision": "red"]])
    #expect(
      batch.json().array?[1]
        == ["data": .null, "err": .string(error.description), "code": "invalid-code"])
  }

  @Test("a plain answer is read as the obvious")
  func readPlain() throws {
    let single = try reply(#"{"session":"s-42","decision":"b"}"#, .decision(request))
    guard case .answer(.decision(let reply)) = single else {
      Issue.record("another answer")
      return
    }
    #expect(reply.decisions.map(\.code) == ["b"])
    #expect(reply.decisions.first?.slot == "decision-1")
    #expect(reply.point == "point-1" && reply.agent == "shop" && reply.session == "s-42")
    let text = """
      {"session":"s","policy":"paused","decisions":{"a":{"code":"1"},"size":{"code":"md",\
      "policy":"paused","status":"excluded"},"color":{"code":"red","policy":"sticky"}}}
      """
    let asked = DecisionRequest(
      agent: "shop",
      slots: [
        SlotChoices(slot: "size", choices: nil), SlotChoices(slot: "color", choices: nil),
      ])
    guard case .answer(.decisions(let many)) = try self.reply(text, .decisions(asked)) else {
      Issue.record("another answer")
      return
    }
    #expect(many.decisions.map(\.slot) == ["size", "color", "a"], "as asked, then by name")
    #expect(many.decisions.map(\.policy) == [.paused, .sticky, .none])
    #expect(many.decisions.map(\.status) == [.excluded, .confirmed, .confirmed])
  }

  private let request = DecisionRequest(agent: "shop", session: "s-1")

  private func reply(_ text: String, _ call: AgentCall) throws -> AgentReply {
    try AgentReply(parsing: text, to: AgentRequest(owner: "acme", body: .call(call)))
  }

  @Test(
    "CO-6: what is no answer is an invalid reply",
    arguments: [
      "", "<html>busy</html>", "[]", "3", "null", #"{"session":"s-1"}"#, #"{"decision":"a"}"#,
      #"{"session":"s-1","decision":3}"#, #"{"session":"s-1","decision":null}"#,
    ])
  func invalid(text: String) {
    #expect {
      try reply(text, .decision(request))
    } throws: { error in
      guard case AgentError.invalidReply = error else { return false }
      return true
    }
  }

  @Test("CO-6: a reply with err is the service's refusal, whatever it has besides")
  func refusals() throws {
    let calls: [AgentCall] = [
      .decision(request), .decisions(request), .goal(GoalRequest(agent: "shop", session: "s-1")),
      .expire(agent: "shop", session: "s-1"),
    ]
    for call in calls {
      #expect(throws: AgentError.service("no")) {
        try reply(#"{"err":"no","code":"unknown-agent","session":"s-1","decision":"a"}"#, call)
      }
      #expect(throws: AgentError.self) { try reply(#"{"session":"s-1"}"#, call) }
    }
    let batch = AgentRequest(owner: "acme", body: .batch(calls))
    let text = #"[{"data":{"session":"s","decision":"b"}},{"data":null,"err":"no"},{"data":3},{}]"#
    guard case .batch(let results) = try AgentReply(parsing: text, to: batch) else {
      Issue.record("another answer")
      return
    }
    #expect(results[1] == .failure(.service("no")))
    for result in results[2...] {
      #expect(throws: AgentError.self) { try result.get() }
    }
    #expect(throws: AgentError.self) { try AgentReply(parsing: "[]", to: batch) }
  }
}
