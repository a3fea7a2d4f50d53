import DecidingAgents
import Events
import Service
import TestSupport
import Testing

/// What clients do wrong, and what they are told.
struct AgentProblemTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var target: String
    var fields: HeaderFields = [:]
    var body = ""
    var status: Int
    var code: String
    var message: String

    var testDescription: String { "\(method) \(target) \(body)" }
  }

  private static let json: HeaderFields = ["Content-Type": "application/json"]
  private static let long = String(repeating: "x", count: 51)

  static let mistakes: [Mistake] = [
    Mistake(
      target: "/acme/a%20b/decision/x", status: 400, code: "invalid-code",
      message: "agent code \"a b\" has a blank; use letters, digits, _ and -"),
    Mistake(
      target: "/acme/shop/decision/\(long)", status: 400, code: "code-too-long",
      message: "has 51 characters; use at most 50"),
    Mistake(
      target: "/acme/shop/decision/a,,b", status: 400, code: "invalid-code",
      message: "choice code \"\" is empty"),
    Mistake(
      target: "/acme/-/decision/a", status: 400, code: "reserved-code", message: "stands for every"),
    Mistake(
      target: "/acme/shop/decision/0", status: 400, code: "invalid-parameter",
      message: "must be a number in 1 ... 10000, not 0"),
    Mistake(
      target: "/acme/shop/decisions/99999999999999999999", status: 400, code: "invalid-parameter",
      message: "must be a number in 1 ... 10000"),
    Mistake(
      target: "/acme/shop/decision/a?status=maybe", status: 400, code: "invalid-parameter",
      message: "\"status\" must be ok or p, not \"maybe\""),
    Mistake(
      target: "/acme/shop/decision/a?features=f:x", status: 400, code: "invalid-parameter",
      message: "must be like name:0.33,other"),
    Mistake(
      target: "/acme/shop/decision/a?inputs=%7B", status: 400, code: "invalid-parameter",
      message: "\"inputs\" is not JSON: line 1"),
    Mistake(
      target: "/acme/shop/decision/a?explain=yes", status: 400, code: "invalid-parameter",
      message: "\"explain\" must be 1 or 0"),
    Mistake(
      method: "POST", target: "/acme/shop/goal?session=s", fields: json, body: "[1]", status: 400,
      code: "invalid-body", message: "the body must be an object, not a list"),
    Mistake(
      target: "/acme/shop/goal?session=s&reward=0x10", status: 400, code: "invalid-parameter",
      message: "\"reward\" must be a decimal number, not \"0x10\""),
    Mistake(
      target: "/acme/shop/goal?session=s&reward=1e999", status: 400, code: "invalid-reward",
      message: "is no finite number"),
    Mistake(
      target: "/acme/shop/decision/a?session=%F", status: 400, code: "invalid-query",
      message: "malformed escape in \"session\""),
    Mistake(
      target: "/acme/sh%ZZop/decision/a", status: 400, code: "invalid-path",
      message: "malformed escape"),
    Mistake(
      method: "POST", target: "/acme/shop/decision/a", fields: json, body: "{\"session\":",
      status: 400, code: "invalid-json", message: "the body is not JSON: line 1"),
    Mistake(
      method: "POST", target: "/acme/shop/decision/a", fields: json, body: "3", status: 400,
      code: "invalid-body", message: "must be an object, not a number"),
    Mistake(
      method: "POST", target: "/acme/shop/decision/a", fields: json, body: #"{"session":true}"#,
      status: 400, code: "invalid-parameter", message: "must be a text, not a truth value"),
    Mistake(
      method: "POST", target: "/acme/shop/decision", fields: json, body: #"{"choices":{"a":1}}"#,
      status: 400, code: "invalid-parameter", message: "\"choices\" must be a list"),
    Mistake(
      method: "POST", target: "/acme/shop/decision/a",
      fields: ["Content-Type": "multipart/form-data"],
      body: "--x", status: 400, code: "invalid-body", message: "send JSON or a form"),
    Mistake(
      method: "POST", target: "/acme/-/batch", fields: json, body: "{}", status: 400,
      code: "invalid-body", message: "must be a list of calls"),
    Mistake(
      method: "POST", target: "/acme/-/batch", fields: json,
      body: "[" + Array(repeating: "{}", count: 101).joined(separator: ",") + "]", status: 413,
      code: "batch-too-long", message: "a batch of 101 items; send at most 100"),
    Mistake(
      method: "POST", target: "/acme/shop/pause", fields: json, body: "{}", status: 400,
      code: "invalid-parameter", message: "\"choice\" is missing"),
    Mistake(
      method: "POST", target: "/acme/shop/resume", status: 404, code: "unknown-agent",
      message: "unknown agent \"shop\""),
    Mistake(
      method: "POST", target: "/acme/shop/stop", status: 404, code: "unknown-agent",
      message: "unknown agent \"shop\""),
    Mistake(
      method: "POST", target: "/acme/shop/pause", fields: json, body: #"{"choice":"b"}"#, status: 404,
      code: "unknown-agent", message: "unknown agent \"shop\""),
    Mistake(
      method: "POST", target: "/acme/shop/decision", fields: json, body: #"{"choices":"a,b","sesion":"s"}"#,
      status: 400, code: "invalid-parameter", message: "\"sesion\" is not known here; did you mean \"session\"?"),
    Mistake(
      method: "POST", target: "/acme/shop/goal", fields: json, body: #"{"session":"s","rewrad":2}"#, status: 400,
      code: "invalid-parameter", message: "\"rewrad\" is not known here; did you mean \"reward\"?"),
    Mistake(
      method: "POST", target: "/acme/shop/pause", fields: json, body: #"{"choice":"b","session":"s-1"}"#,
      status: 400, code: "invalid-parameter",
      message: "\"session\" is not known here; did you mean \"sessions\"?"),
    Mistake(
      method: "POST", target: "/acme/shop/stop", fields: json, body: #"{"sessions":["s-1"]}"#, status: 400,
      code: "invalid-parameter", message: "\"sessions\" is not known here; it takes none"),
    Mistake(
      method: "PUT", target: "/acme/shop", fields: json, body: #"{"colour":1}"#, status: 400,
      code: "invalid-definition", message: "colour: is not known here"),
    Mistake(
      method: "PUT", target: "/acme/shop", fields: json, body: #"{"agent":"news"}"#, status: 400,
      code: "invalid-definition", message: "agent: must be \"shop\", as in the path"),
    Mistake(
      method: "PUT", target: "/acme/shop", fields: json, body: #"{"policy":"magic"}"#, status: 400,
      code: "invalid-definition", message: "policy"),
    Mistake(
      method: "PUT", target: "/acme/shop", status: 400, code: "invalid-body",
      message: "must be the definition of an agent"),
    Mistake(
      target: "/acme/none", status: 404, code: "unknown-agent", message: "unknown agent \"none\""),
    Mistake(
      target: "/other/shop/decision/a", status: 404, code: "unknown-owner",
      message: "unknown owner \"other\""),
    Mistake(
      target: "/acme/shop/dance/a", status: 404, code: "unknown-route", message: "there is no"),
    Mistake(
      method: "PUT", target: "/acme/shop/goal", status: 405, code: "method-not-allowed",
      message: "use GET, POST"),
  ]

  @Test(
    "a mistake is answered with its status, code and remedy, and nothing is recorded",
    arguments: mistakes)
  func mistake(_ mistake: Mistake) async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"))
    let answer = await harness.send(
      mistake.method, mistake.target, mistake.fields, body: mistake.body)
    #expect(answer.status == mistake.status)
    #expect(answer["code"]?.string == mistake.code)
    let message = answer["err"]?.string ?? ""
    #expect(message.contains(mistake.message), "\(message)")
    #expect(try harness.events.isEmpty)
  }

  @Test("an unknown agent or goal is an error where none is created at first use")
  func unknown() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log")) {
      $0.systems.agentSettings.createsUnknown = false
      $0.systems.agents = [AgentDefinition("shop")]
    }
    let agent = await harness.get("/acme/news/decision/a,b")
    #expect(agent.status == 404 && agent["code"] == "unknown-agent")
    #expect(await harness.get("/acme/shop/decision/a,b?session=s").status == 200)
    let goal = await harness.get("/acme/shop/goal/sale?session=s")
    #expect(goal.status == 404 && goal["code"] == "unknown-goal")
  }

  @Test("what is done to an unknown agent is an error that names the nearest one, and makes none")
  func nearestAgent() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log")) {
      $0.systems.agents = [AgentDefinition("checkout"), AgentDefinition("news")]
    }
    let calls = [
      ("POST", "/acme/chekout/stop", ""), ("POST", "/acme/chekout/pause", #"{"choice":"b"}"#),
      ("POST", "/acme/chekout/pause", #"{"slots":{"color":"b"}}"#), ("POST", "/acme/chekout/resume", ""),
      ("DELETE", "/acme/chekout/data", ""), ("DELETE", "/acme/chekout", ""), ("GET", "/acme/chekout", ""),
    ]
    for (method, path, body) in calls {
      let answer = await harness.send(method, path, body: body)
      #expect(answer.status == 404 && answer["code"] == "unknown-agent", "\(path)")
      #expect(answer["err"] == #"unknown agent "chekout"; did you mean "checkout"?"#)
    }
    #expect(await harness.get("/acme/-/agents")["agents"]?.array?.count == 2)
  }

  @Test("a pause on a choice that no slot has had yet is made, and says so")
  func unknownChoice() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log")) {
      $0.systems.agents = [
        AgentDefinition(
          "shop", points: [AgentPoint(slots: [AgentSlot("color", choices: [AgentOption("red"), AgentOption("blue")])])]
        )
      ]
    }
    func warnings(_ body: JSONValue) async -> [String] {
      let answer = await harness.post("/acme/shop/pause", body)
      #expect(answer.status == 200)
      return answer["warnings"]?.array?.compactMap(\.string) ?? []
    }
    #expect(await warnings(["choice": "blue"]) == [])
    #expect(await warnings(["slots": ["color": "red"]]) == [])
    #expect(await warnings(["choice": "bleu"]) == [#"no slot has had the choice "bleu" so far; did you mean "blue"?"#])
    #expect(
      await warnings(["slots": ["color": "green", "colour": "red"]]) == [
        #"the slot "color" has not had the choice "green" so far; available: "blue", "red""#,
        #"the agent has had no slot "colour" so far; did you mean "color"?"#,
      ])
    _ = await harness.post("/acme/shop/resume", [:])
    _ = await harness.get("/acme/shop/decisions/color:red,green?session=s")
    #expect(await warnings(["choice": "green"]) == [], "it came with a request")
  }

  @Test("an item of a batch with an unknown member fails alone")
  func itemMembers() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"))
    let answer = await harness.send(
      "POST", "/acme/-/batch",
      body: #"[{"agent":"shop","choises":"a"},{"agent":"shop","query":{"sesion":"s"}},{"agent":"shop"}]"#)
    let errors = answer.json.array?.map { $0["err"]?.string ?? "" } ?? []
    #expect(errors.count == 3)
    #expect(errors.first == #"the parameter "choises" is not known here; did you mean "choices"?"#)
    #expect(errors.dropFirst().first?.contains(#"did you mean "session"?"#) == true)
    #expect(errors.last?.isEmpty == true)
  }

  @Test("an item of a batch that cannot be read fails alone")
  func items() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"))
    let answer = await harness.send(
      "POST", "/acme/-/batch",
      body: """
        [3, {"agent":"shop","type":"dance"}, {"type":"decision"}, {"agent":7,"choices":2},
         {"agent":"shop","choices":"a","query":{"status":"x"}}, {"agent":"shop","choices":"a"}]
        """)
    let codes = answer.json.array?.map { $0["code"]?.string ?? "" }
    #expect(
      codes == [
        "invalid-item", "invalid-item", "invalid-item", "", "invalid-parameter", "",
      ])
    #expect(answer.json.array?.last?["data"]?["decision"] == "a")
  }

  @Test(
    "an owner whose code is the beginning of other paths is refused",
    arguments: ["v1", "ofrep", "-", "a b", ""])
  func reservedOwners(owner: String) throws {
    let folder = try TemporaryFolder()
    #expect(throws: ServiceProblem.self) {
      _ = try ServiceHarness(log: folder.path("log")) { $0.owner = owner }
    }
  }

  @Test("any bytes in a body or a path are answered")
  func randomBytes() async throws {
    let folder = try TemporaryFolder()
    let harness = try ServiceHarness(log: folder.path("log"))
    var random = SeededGenerator(seed: 7)
    let alphabet = Array("{}[]\":,%+=&/\\aZ0-9.eE\u{0}é\n".utf8) + [0xFF, 0xC3]
    for _ in 0..<2_000 {
      let bytes = (0..<random.index(40)).map { _ in random.pick(alphabet, or: 0) }
      let path = String(decoding: bytes, as: UTF8.self)
      let request = ServiceRequest(
        method: random.pick(["GET", "POST", "PUT", "DELETE"], or: "GET"),
        target: random.pick(["/acme/shop/decision/", "/acme/-/batch?", "/acme/", "/"], or: "/")
          + path,
        body: bytes)
      let response = await harness.service.respond(to: request)
      #expect(response.status < 500, "\(request.method) \(request.path) \(response.body)")
    }
  }
}
