import Events
import Service
import TestSupport
import Testing

struct AgentParametersTests {
  private let folder: TemporaryFolder
  private let harness: ServiceHarness

  init() throws {
    folder = try TemporaryFolder()
    harness = try ServiceHarness(log: folder.path("log"))
  }

  @Test("the first of path, body, query and header fields has a parameter")
  func precedence() async {
    let fields: HeaderFields = [
      "Content-Type": "application/json", "x-mpath-session": "field", "x-mpath-point": "field",
      "x-mpath-segment": "field",
    ]
    let answer = await harness.send(
      "POST", "/acme/shop/decisions/x:a?session=query&point=query", fields,
      body: #"{"session":"body","choices":"y:b"}"#)
    #expect(answer["session"] == "body")
    #expect(answer["point"] == "query")
    #expect(answer["segment"] == "field")
    #expect(answer["decisions"]?.object?.names == ["x"])
  }

  @Test("a form is read before the query, and a plus is a blank")
  func form() async {
    let answer = await harness.send(
      "POST", "/acme/shop/decision/a?session=query",
      ["Content-Type": "application/x-www-form-urlencoded"], body: "session=a+b%26c")
    #expect(answer["session"] == "a b&c")
  }

  @Test("a session that is absent, empty or null is a fresh one")
  func freshSession() async {
    let targets = ["/acme/shop/decision/a", "/acme/shop/decision/a?session="]
    var sessions: Set<String> = []
    for target in targets {
      sessions.insert(await harness.get(target)["session"]?.string ?? "")
    }
    let answer = await harness.post("/acme/shop/decision/a", ["session": .null])
    sessions.insert(answer["session"]?.string ?? "")
    #expect(sessions.count == 3 && !sessions.contains(""))
  }

  @Test("digits alone are a number of choices in a path, and a code in a list")
  func counts() async {
    let path = await harness.get("/acme/shop/decisions/3/x:7?explain=1&session=s")
    #expect(path["decisions"]?["decision-1"]?["choices"] == ["0", "1", "2"])
    #expect(path["decisions"]?["x"]?["choices"] == ["7"])
    let list = await harness.post("/acme/shop/decision?explain=1", ["choices": ["3"]])
    #expect(list["choices"] == ["3"])
    let number = await harness.post("/acme/shop/decision?explain=1", ["choices": 3])
    #expect(number["choices"] == ["0", "1", "2"])
  }

  @Test("a provisional choice counts when it is requested again")
  func provisional() async {
    let first = await harness.get("/acme/shop/decisions/a,b?session=s&status=p")
    #expect(first["decisions"]?["decision-1"]?["status"] == "provisional")
    let second = await harness.get("/acme/shop/decisions/a,b?session=s&status=ok")
    #expect(second["decisions"]?["decision-1"]?["status"] == "confirmed")
  }

  @Test("traits, features and permitted choices are read from texts and lists")
  func lists() async {
    let text = await harness.get(
      "/acme/shop/decisions/a,b,c?traits=plan:gold,plan:old&features=f:0.5,g&allowed=b,c&excluding=c"
    )
    #expect(text["traits"] == ["cust/plan:gold", "cust/plan:old"])
    #expect(text["features"] == ["f": 0.5, "g": 1])
    #expect(text["decisions"]?["decision-1"]?["code"] == "b")
    let list = await harness.post(
      "/acme/shop/decisions/a,b,c",
      [
        "traits": [["key": "plan", "value": "gold"]], "features": ["f": 0.5],
        "allowed": ["b", "c"], "excluding": ["c"],
      ])
    #expect(list["traits"] == ["cust/plan:gold"])
    #expect(list["features"] == ["f": 0.5])
    #expect(list["decisions"]?["decision-1"]?["code"] == "b")
  }

  @Test(
    "nothing is recorded for visitors who opted out, and for programs",
    arguments: [
      (["DNT": "1"], "paused"), (["User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"], "bot"),
      (["x-mpath-ua": "AhrefsBot/7.0"], "bot"), (["User-Agent": "Mozilla/5.0 CUBOT_X18"], "random"),
      (["User-Agent": "curl/8.5.0"], "random"), (["DNT": "0"], "random"),
    ] as [([String: String], String)])
  func visitors(fields: [String: String], policy: String) async throws {
    let fields = HeaderFields(fields.map { HeaderFields.Field($0.key, $0.value) })
    let answer = await harness.get("/acme/shop/decisions/a,b?session=s", fields)
    #expect(answer["policy"]?.string == policy)
    #expect(try harness.events.isEmpty == (policy != "random"))
  }

  @Test("rules read header fields, which nothing stores")
  func headerRules() async throws {
    let definition: JSONValue = [
      "rules": [
        [
          "code": "partner", "conditions": [["input:referer", "contains", "partner.example"]],
          "applies": ["fixed": "b"],
        ]
      ]
    ]
    #expect(await harness.send("PUT", "/acme/shop", body: definition.description).status == 200)
    let answer = await harness.get(
      "/acme/shop/decision/a,b?explain=1", ["x-mpath-referer": "https://partner.example/x"])
    #expect(answer["decision"] == "b")
    #expect(answer["reason"] == "fixed")
    #expect(try harness.events.allSatisfy { !"\($0)".contains("partner.example/x") })
  }

  @Test("explained answers have the names that the definition gives to the agent and its choices")
  func names() async {
    let definition: JSONValue = [
      "name": "Checkout page",
      "points": [["slots": [["choices": [["code": "a", "name": "Green button"]]]]]],
    ]
    #expect(await harness.send("PUT", "/acme/checkout", body: definition.description).status == 200)
    let answer = await harness.get("/acme/checkout/decision?explain=1")
    #expect(answer["agentName"] == "Checkout page")
    #expect(answer["name"] == "Green button")
    #expect(
      await harness.get("/acme/-/agents").json == [
        "agents": [["agent": "checkout", "name": "Checkout page", "state": "running"]]
      ])
  }

  @Test("pausing, resuming, stopping and resetting change what is shown")
  func states() async {
    _ = await harness.get("/acme/shop/decisions/color:red,blue?session=s")
    let pause = await harness.post(
      "/acme/shop/pause", ["choice": "blue", "sessions": ["s"]])
    #expect(pause.json == ["agent": "shop", "paused": "blue", "sessions": ["s"]])
    let shown = await harness.get("/acme/shop/decisions/color:red,blue?session=s")
    #expect(shown["decisions"]?["color"]?["code"] == "blue")
    #expect(shown["policy"] == "paused")
    #expect(
      await harness.post("/acme/shop/resume", [:]).json == ["agent": "shop", "resumed": true])
    let slots = await harness.post("/acme/shop/pause", ["slots": ["color": "red"]])
    #expect(slots["paused"] == ["color": "red"])
    #expect(await harness.get("/acme/-/agents")["agents"]?.array?.first?["state"] == "paused")
    #expect(await harness.post("/acme/shop/stop", [:]).json == ["agent": "shop", "stopped": true])
    let reset = await harness.send("DELETE", "/acme/shop/data")
    #expect(reset.json == ["agent": "shop", "reset": true])
    #expect(await harness.get("/acme/-/agents")["agents"]?.array?.first?["state"] == "stopped")
  }
}
