import Events
import Service
import TestSupport
import Testing

/// Requests as the clients of the agents' interface send them, answered as those clients read them.
struct ClientTranscriptTests {
  private let folder: TemporaryFolder
  private let harness: ServiceHarness

  init() throws {
    folder = try TemporaryFolder()
    harness = try ServiceHarness(log: folder.path("log"))
  }

  private static let form: HeaderFields = [
    "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"
  ]

  @Test("jQuery: a form with apiKey in camel case, and a number of choices in the path")
  func jQuery() async {
    let answer = await harness.send(
      "POST", "/acme/shop/decisions/2", Self.form,
      body: "apiKey=k%2B1&session=s+42&point=cart&segment=new")
    #expect(answer.status == 200)
    #expect(answer["session"] == "s 42")
    #expect(answer["point"] == "cart")
    #expect(answer["segment"] == "new")
    let code = answer["decisions"]?["decision-1"]?["code"]?.string
    #expect(["0", "1"].contains(code))
    let again = await harness.send(
      "POST", "/acme/shop/decision/2", Self.form, body: "session=s+42&point=cart")
    #expect(again["decision"]?.string == code)
    let goal = await harness.send(
      "POST", "/acme/shop/goal/sale", Self.form, body: "session=s+42&reward=12.5")
    #expect(goal["reward"] == 12.5)
    #expect(goal["accepted"] == true)
  }

  @Test("JavaScript wrapper: JSON as text/plain, and one fresh session for a batch without any")
  func javaScriptWrapper() async throws {
    let body = """
      [{"agent":"shop","type":"decision","choices":"a,b","query":{"point":"cart"}},
       {"agent":"shop","type":"decisions","choices":"color:red,blue/size:sm,md"},
       {"agent":"a b","type":"decision","choices":"a,b"},
       {"agent":"news","type":"decision","choices":["x","y","z"]},
       {"agent":"shop","type":"goal","goal":"sale","query":{"reward":"3"}},
       {"agent":"shop","type":"expire"}]
      """
    let answer = await harness.send(
      "POST", "/acme/-/batch?_type=json&apikey=k", ["Content-Type": "text/plain"], body: body)
    #expect(answer.status == 200)
    let entries = try #require(answer.json.array)
    #expect(entries.count == 6)
    let session = try #require(entries[0]["data"]?["session"]?.string)
    for index in [1, 3, 4, 5] {
      #expect(entries[index]["data"]?["session"]?.string == session)
      #expect(entries[index]["err"] == nil)
    }
    #expect(entries[2]["data"] == .null)
    #expect(entries[2]["code"] == "invalid-code")
    #expect(entries[4]["data"]?["reward"] == 3)
    #expect(entries[5]["data"]?["expired"] == true)

    // Later batches send the session with each item, or with the request.
    let kept = await harness.send(
      "POST", "/acme/-/batch?_type=json&session=\(session)", ["Content-Type": "text/plain"],
      body: #"[{"agent":"news","type":"decision","choices":["x","y","z"]}]"#)
    #expect(kept.json.array?.first?["data"] == entries[3]["data"])
  }

  @Test("Java: parameters in the query, choices in the path, and value in the reply to a goal")
  func java() async {
    let decision = await harness.get(
      "/acme/agent-1/decision/a,b,c?session=xyz&point=home&apikey=k&features=vip:0.5,new")
    #expect(["a", "b", "c"].contains(decision["decision"]?.string))
    let goal = await harness.get("/acme/agent-1/goal/goal-1?session=xyz&apikey=k&reward=1.2")
    #expect(goal["value"] == 1.2)
    #expect(goal["reward"] == 1.2)
    let ofAll = await harness.get("/acme/-/goal?session=xyz")
    #expect(ofAll["rewards"]?["agent-1"] == 0)
    #expect(ofAll["value"] == 0)
    let expired = await harness.get("/acme/agent-1/expire?session=xyz&apikey=k")
    #expect(expired["expired"] == true)
  }

  @Test("Perl: the schema without a key, and a definition in the older form")
  func perl() async {
    let schema = await harness.get("/acme/schema/agent")
    #expect(schema["type"] == "object")
    #expect(schema["properties"]?["points"] != nil)
    let sent: JSONValue = [
      "code": "mailing", "owner": "acme", "created": "2012-03-01T10:00:00Z",
      "goals": [["code": "click", "settings": ["min": 0, "max": 10, "default": 2]]],
      "points": [
        [
          "code": "subject",
          "decisions": [
            [
              "code": "line",
              "choices": [["code": "short"], ["code": "long", "name": "Long one"]],
            ]
          ],
        ]
      ],
    ]
    let put = await harness.send(
      "PUT", "/acme/mailing", ["x-mpath-apikey": "k", "Content-Type": "application/json"],
      body: sent.description)
    #expect(put.status == 200)
    let read = await harness.get("/acme/mailing?apikey=k")
    #expect(read.json == put.json)
    #expect(read["owner"] == "acme")
    #expect(read["goals"]?.array?.first?["max"] == 10)
    let slots = read["points"]?.array?.first?["slots"]?.array
    #expect(slots?.first?["choices"]?.array?.last?["name"] == "Long one")
    // What was read can be sent back.
    let again = await harness.send("PUT", "/acme/mailing", body: read.json.description)
    #expect(again.json == read.json)
    let decision = await harness.get(
      "/acme/mailing/decisions", ["x-mpath-session": "p-1", "x-mpath-point": "subject"])
    #expect(["short", "long"].contains(decision["decisions"]?["line"]?["code"]?.string))
    let goal = await harness.get("/acme/mailing/goal/click", ["x-mpath-session": "p-1"])
    #expect(goal["reward"] == 2)
    #expect(
      await harness.send("DELETE", "/acme/mailing").json == ["agent": "mailing", "removed": true])
    #expect(await harness.get("/acme/mailing").status == 404)
  }

  @Test("PHP: header fields for everything, and choices that a slash and an escape separate")
  func php() async {
    let fields: HeaderFields = [
      "X-MPath-Session": "php-1", "x-mpath-point": "cart", "x-mpath-segment": "returning",
      "x-mpath-features": "spend:0.33", "x-mpath-status": "p",
    ]
    let answer = await harness.send(
      "POST", "/acme/shop/decisions/color:red%2Cblue/size:sm,md", fields)
    #expect(answer["session"] == "php-1")
    #expect(answer["features"] == ["spend": 0.33])
    #expect(answer["decisions"]?["color"]?["status"] == "provisional")
    #expect(["sm", "md"].contains(answer["decisions"]?["size"]?["code"]?.string))
    let refused = await harness.send("POST", "/acme/shop/goal", ["x-mpath-session": "php-1"])
    #expect(refused["refused"] == "not-confirmed")
    #expect(refused.status == 200)
  }

  @Test("node and iOS: neither err nor error in a success, and err in every failure")
  func nodeAndIOS() async {
    let successes = [
      await harness.post("/acme/app/decision", ["choices": "a,b", "session": "n"]),
      await harness.post("/acme/app/decisions", ["choices": "x:a,b/y:c,d", "session": "n"]),
      await harness.post("/acme/app/goal", ["goal": "sale", "reward": 2, "session": "n"]),
      await harness.post("/acme/app/goal", ["goal": "sale", "session": "n"]),
      await harness.post("/acme/app/goal", ["session": "unknown"]),
      await harness.post("/acme/app/expire", ["session": "n"]),
      await harness.post("/acme/app/decision?explain=1", ["choices": 3]),
    ]
    for answer in successes {
      #expect(answer.status == 200)
      #expect(answer["err"] == nil && answer["error"] == nil)
      #expect(answer["session"]?.string?.isEmpty == false)
    }
    #expect(successes[3]["refused"] == "limit")
    #expect(successes[4]["refused"] == "no-decision")
    #expect(successes[6]["propensity"] == .number(1.0 / 3))
    let failure = await harness.post("/acme/app/decision", ["choices": "a b"])
    #expect(failure.status == 400)
    #expect(failure["err"]?.string?.contains("blank") == true)
    #expect(failure["code"] == "invalid-code")
  }

  @Test("answers are JSON that no one may store")
  func fields() async {
    let answer = await harness.get("/acme/shop/decision/a,b")
    #expect(answer.response.fields["Content-Type"] == "application/json; charset=utf-8")
    #expect(answer.response.fields["cache-control"] == "no-store")
  }
}
