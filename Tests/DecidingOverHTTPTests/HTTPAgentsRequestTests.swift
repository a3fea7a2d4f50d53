import DecidingAgents
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingOverHTTP

/// What an agents' client sends.
@Suite("Requests to agents over HTTP", .timeLimit(.minutes(5)))
struct HTTPAgentsRequestTests {
  private static func target(_ call: AgentCall, owner: String = "acme") throws -> String {
    let made = try HTTPCall(call)
    return try HTTPAddress("http://h").appending([owner] + made.segments, query: made.query)
  }

  private static func decision(_ slots: [SlotChoices]?) -> DecisionRequest {
    DecisionRequest(agent: "shop", session: "s-1", slots: slots)
  }

  @Test("choices are segments of the path")
  func paths() throws {
    let single = [SlotChoices(choices: ["a", "b"])]
    let multi = ChoiceText(multi: "color:red,blue/size:sm,md,lg").slots
    let calls: [(AgentCall, String)] = [
      (.decision(Self.decision(single)), "/acme/shop/decision/a,b?explain=1"),
      (.decision(Self.decision(nil)), "/acme/shop/decision?explain=1"),
      (
        .decision(Self.decision([SlotChoices(choices: nil)])), "/acme/shop/decision?explain=1"
      ),
      (
        .decisions(Self.decision(multi)),
        "/acme/shop/decisions/color:red,blue/size:sm,md,lg?explain=1"
      ),
      (.decisions(Self.decision(nil)), "/acme/shop/decisions?explain=1"),
      (.goal(GoalRequest(agent: "shop", session: "s-1")), "/acme/shop/goal?explain=1"),
      (
        .goal(GoalRequest(agent: nil, session: "s-1", goal: "sold")), "/acme/-/goal/sold?explain=1"
      ),
      (.expire(agent: "shop", session: "s-1"), "/acme/shop/expire"),
      (.pause(agent: "shop", choice: "b", sessions: nil), "/acme/shop/pause"),
      (.resume(agent: "shop", sessions: ["s-1"]), "/acme/shop/resume"),
    ]
    for (call, expected) in calls {
      #expect(try Self.target(call) == "http://h" + expected)
    }
  }

  @Test("every segment is percent-encoded, so that no text becomes another path")
  func encoding() throws {
    let texts: [(String, String)] = [
      ("a b", "a%20b"), ("a/b", "a%2Fb"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"),
      ("a+b", "a%2Bb"),
      ("100%", "100%25"), ("a?b#c", "a%3Fb%23c"), ("A_1-b.~", "A_1-b.~"), ("%2F", "%252F"),
      ("\u{0}\n", "%00%0A"), ("...", "..."), ("a&b=c;d", "a%26b%3Dc%3Bd"),
    ]
    for (code, encoded) in texts {
      let call = AgentCall.expire(agent: code, session: "s")
      #expect(try Self.target(call) == "http://h/acme/\(encoded)/expire")
      #expect(try Self.target(call, owner: code).hasPrefix("http://h/\(encoded)/"))
      _ = try HTTPAddress.url(try Self.target(call))
    }
  }

  @Test("choices that a path cannot have exactly are in the body")
  func bodies() throws {
    let long = (0..<1_000).map { "choice-\($0)" }
    for codes in [["3"], [""], ["."], [".."], ["a,b", "c"], [], long] {
      let call = try HTTPCall(.decision(Self.decision([SlotChoices(choices: codes)])))
      #expect(call.segments == ["shop", "decision"])
      let sent = call.body["choices"]?.array?.compactMap(\.string)
      #expect(sent == codes, "a text of digits is a number of choices")
    }
    for slots in [
      [SlotChoices(slot: "a:b", choices: ["x"])], [SlotChoices(slot: "c", choices: nil)],
      [SlotChoices(slot: "c", choices: ["x/y"])],
      [SlotChoices(slot: "c", choices: long), SlotChoices(slot: "d", choices: ["x"])],
    ] {
      let call = try HTTPCall(.decisions(Self.decision(slots)))
      #expect(call.segments == ["shop", "decisions"])
      let sent = call.body["choices"]?.array ?? []
      #expect(sent.map { $0["slot"]?.string } == slots.map(\.slot))
      #expect(sent.map { $0["choices"]?.array?.compactMap(\.string) } == slots.map(\.choices))
    }
  }

  @Test("what no service accepts and no request can carry is refused before it is sent")
  func refused() {
    let calls: [(AgentCall, AgentError)] = [
      (.expire(agent: "", session: "s"), .invalidCode("", role: .agent)),
      (.expire(agent: "..", session: "s"), .invalidCode("..", role: .agent)),
      (.expire(agent: "shop", session: ""), .invalidCode("", role: .session)),
      (.decision(DecisionRequest(agent: "shop", session: "")), .invalidCode("", role: .session)),
      (.goal(GoalRequest(agent: "-", session: "s")), .reservedCode("-")),
      (.goal(GoalRequest(agent: nil, session: "s", goal: "")), .invalidCode("", role: .goal)),
      (
        .goal(GoalRequest(agent: "shop", session: "s", reward: .infinity)),
        .invalidReward(.infinity)
      ),
    ]
    for (call, expected) in calls {
      #expect(throws: expected) { try HTTPCall(call) }
      #expect(throws: expected) { try HTTPCall.item(call) }
    }
  }

  @Test(
    "a request has the key and the parameters where the service reads them, and asks for everything"
  )
  func message() async throws {
    let server = try TestHTTPServer { _ in
      .init(text: #"{"session":"s-1","decision":"b","reason":"sticky","propensity":0.25}"#)
    }
    let client = AgentClient(
      owner: "acme", apiKey: "secret", transport: try HTTPAgents(server.address + "/agents/"),
      session: "s-1", timeout: .seconds(600))
    let choice = await client.agent("shop").decision(
      choices: "a,b", at: "cart", status: .provisional, traits: [AgentTrait("plan", "pro")],
      inputs: ["country": "SE"])
    #expect(choice.code == "b" && choice.reason == .sticky && choice.propensity == 0.25)
    let sent = try #require(server.requests.first)
    #expect(sent.method == "POST")
    #expect(sent.target == "/agents/acme/shop/decision/a,b?explain=1")
    #expect(sent["x-mpath-apikey"] == "secret")
    #expect(sent["content-type"] == "application/json")
    #expect(sent["user-agent"] == "Bandolier", "not the name of a program, which counts as a bot")
    let expected: JSONValue = [
      "session": "s-1", "point": "cart", "status": "p", "traits": "plan:pro",
      "inputs": ["country": "SE"],
    ]
    #expect(try JSONValue(parsing: sent.body) == expected)
    #expect(!sent.target.contains("secret") && !sent.text.contains("secret"))
  }

  @Test("without a key none is sent, and one that a header cannot have is refused")
  func keys() async throws {
    let server = try TestHTTPServer { _ in .init(text: #"{"expired":true}"#) }
    let transport = try HTTPAgents(server.address)
    let body = AgentRequest.Body.call(.expire(agent: "shop", session: "s-1"))
    _ = try await transport.send(AgentRequest(owner: "acme", body: body))
    #expect(server.requests.first?["x-mpath-apikey"] == nil)
    for key in ["a\r\nx-injected: 1", "é", " a", "\u{7F}"] {
      let error = await #expect(throws: AgentError.self) {
        try await transport.send(AgentRequest(owner: "acme", apiKey: key, body: body))
      }
      #expect(error?.description.contains("x-mpath-apikey") == true)
      #expect(error?.description.contains("injected") == false && error?.isRetryable == false)
    }
    #expect(server.requests.count == 1)
  }

  @Test("a long batch is sent in parts, and what follows a failed part has its error")
  func batches() async throws {
    let server = try TestHTTPServer { request in
      let items = (try? JSONValue(parsing: request.body))?.array ?? []
      if items.first?["agent"]?.string == "agent-200" { return .init(503, text: "") }
      return .init(
        text: JSONValue.array(
          items.map { item in
            ["data": ["session": "s", "decision": .string(item["agent"]?.string ?? "")]]
          }
        ).description)
    }
    let calls = (0..<250).map { index in
      AgentCall.decision(
        DecisionRequest(agent: "agent-\(index)", session: "s", slots: [SlotChoices(choices: ["a"])])
      )
    }
    let request = AgentRequest(owner: "acme", body: .batch(calls))
    guard case .batch(let results) = try await HTTPAgents(server.address).send(request) else {
      Issue.record("not a batch")
      return
    }
    #expect(server.requests.map(\.target) == Array(repeating: "/acme/-/batch?explain=1", count: 3))
    let codes = results.prefix(200).map { result -> String? in
      if case .success(.decision(let reply)) = result { reply.decisions.first?.code } else { nil }
    }
    #expect(codes == (0..<200).map { "agent-\($0)" })
    #expect(results.count == 250)
    for result in results.dropFirst(200) {
      #expect(result == .failure(.network("HTTP status 503")))
    }
  }

  @Test("requests one after the other use one connection, and concurrent ones are told apart")
  func connections() async throws {
    let server = try TestHTTPServer { request in
      let session = (try? JSONValue(parsing: request.body))?["session"]?.string ?? ""
      return .init(
        text: JSONValue.object(["session": .string(session), "decision": "a"]).description)
    }
    let transport = try HTTPAgents(server.address, timeout: .seconds(60))
    for _ in 0..<5 {
      let client = AgentClient(owner: "acme", transport: transport, timeout: .seconds(600))
      _ = await client.agent("shop").decision(choices: 2)
    }
    #expect(server.connectionCount == 1)
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<100 {
        group.addTask {
          let client = AgentClient(
            owner: "acme", transport: transport, session: "s-\(index)", timeout: .seconds(60))
          let choice = await client.agent("shop").decision(choices: "a,b")
          return choice.session == "s-\(index)" && !choice.isFallback
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(server.requests.count == 105)
  }
}
