import Events
import Testing

@testable import Service

/// Whatever a request has, a problem quotes it in one line of a limited length.
@Suite struct QuotedInputTests {
  private static let names = [
    String(repeating: "n", count: 60_000), "x\u{1B}[2J\nerror: all is well\r\u{2028}y",
  ]

  private func expectLine(_ response: ServiceResponse, _ comment: Comment) {
    #expect(response.body.count < 4_000 || response.status < 400, comment)
    guard response.status >= 400 else { return }
    let json = response.json
    let message =
      json["error"]?["message"]?.string ?? json["errorDetails"]?.string ?? json["err"]?.string
    #expect(message != nil, comment)
    for scalar in (message ?? "").unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator: Issue.record(comment)
      default: break
      }
    }
  }

  @Test(arguments: names)
  func `Problems of queries, paths and header fields are one line`(name: String) async throws {
    let world = try OpenWorld()
    let coded = name.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
    for path in [
      "/v1/reports/\(coded)", "/v1/reports/rewards?experiment=\(coded)",
      "/v1/reports/compare?metric=\(coded)", "/v1/reports/rewards?since=\(coded)",
      "/v1/reports/rewards?by=\(coded)", "/v1/reports/rewards?\(coded)=1",
      "/acme/shop/decision/\(coded)?session=s", "/acme/\(coded)/decision/a,b?session=s",
      "/\(coded)/shop/decision/a,b?session=s", "/acme/shop/goal/\(coded)?session=s&reward=x",
      "/acme/shop/goal/g?session=s&reward=\(coded)",
    ] {
      expectLine(await world.get(path), "\(path.prefix(60))")
    }
    expectLine(
      await world.post("/v1/events", "{}", ["content-type": name]), "the type of the content")
  }

  @Test(arguments: names)
  func `Problems of bodies are one line`(name: String) async throws {
    let world = try OpenWorld()
    let text = JSONValue.string(name).description
    for (path, body) in [
      ("/v1/events", #"{"type":\#(text),"time":1,"unit":"u"}"#),
      ("/v1/events", #"{"type":"goal","time":\#(text),"unit":"u"}"#), ("/v1/events", text),
      ("/acme/shop/decision", #"{"choices":\#(text),"session":7}"#),
      ("/acme/shop/decision", #"{"choices":["a","b"],"inputs":\#(text)}"#),
      ("/acme/-/batch", #"[{"agent":\#(text),"choices":"a,b"},{"type":\#(text)}]"#),
      ("/ofrep/v1/evaluate/flags", #"{"context":\#(text)}"#),
      (
        "/ofrep/v1/evaluate/flags/search",
        #"{"context":{"targetingKey":"u","variableKey":\#(text)}}"#
      ),
      ("/acme/news/personalizer/v1.0/rank", #"{"actions":\#(text)}"#),
    ] {
      expectLine(await world.post(path, body), "\(path) \(body.prefix(40))")
    }
  }
}
