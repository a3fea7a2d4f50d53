import Events
import TestSupport
import Testing

@testable import Service

@Suite("The request log")
struct RequestLogTests {
  @Test("each request is one line of JSON with its id, route, status, duration, sizes and key")
  func lines() async throws {
    let world = try GuardedService(try TemporaryFolder())
    _ = await world.answer(
      "GET", "/metrics?secret=s", ["x-api-key": world.key(.read), "x-request-id": "r-1"])
    let answer = await world.answer("GET", "/a\"b\n?secret=s", body: "secret")
    #expect(world.logged.count == 2)
    for line in world.logged {
      #expect(line.hasSuffix("}\n") && line.dropLast().utf8.allSatisfy { $0 != 10 })
      #expect(!line.contains("secret"))
    }
    let first = try JSONValue(parsing: world.logged[0])
    #expect(first["id"] == "r-1" && first["route"] == "/metrics" && first["method"] == "GET")
    #expect(first["status"] == 200 && first["key"] == "the-read" && first["received"] == 0)
    #expect((first["micros"]?.integer ?? -1) >= 0 && (first["sent"]?.integer ?? 0) > 100)
    let second = try JSONValue(parsing: world.logged[1])
    #expect(second["route"] == .null && second["status"] == 404 && second["key"] == .null)
    #expect(second["sent"]?.integer == Int64(answer.body.count))
    #expect(second["received"] == 6)
  }

  @Test("the line begins with the time, so that lines can be sorted as text")
  func order() {
    let line = RequestLine(
      time: Timestamp(microseconds: 1_767_323_045_678_901), id: "r", method: "GET", route: "/a",
      status: 200, micros: 5, received: 1, sent: 2, key: "k\"")
    #expect(
      String(decoding: line.text, as: UTF8.self) == """
        {"time":"2026-01-02T03:04:05.678901Z","id":"r","method":"GET","route":"/a","status":200,\
        "micros":5,"received":1,"sent":2,"key":"k\\""}

        """)
  }
}
