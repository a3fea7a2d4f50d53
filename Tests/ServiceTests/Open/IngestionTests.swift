import Bandits
import DecidingAgents
import EventLog
import Events
import TestSupport
import Testing

@testable import Service

@Suite struct IngestionTests {
  private func line(_ number: Int, id: Bool = true) -> String {
    let id = id ? #","id":"c-\#(number)""# : ""
    return
      #"{"type":"conversion","time":"2026-01-05T00:00:00Z","unit":"u-\#(number)"\#(id),"goal":"buy"}"#
  }

  private func lines(_ numbers: Range<Int>, id: Bool = true) -> String {
    numbers.map { line($0, id: id) + "\n" }.joined()
  }

  private func count(_ response: ServiceResponse, _ name: String) -> Int64? {
    response.json[name]?.integer
  }

  private func conversions(_ world: OpenWorld) throws -> Int {
    try world.events().count { if case .conversion = $0.payload { true } else { false } }
  }

  // MARK: Appending

  @Test func `Events are durable when they are acknowledged`() async throws {
    let world = try OpenWorld()
    let before = world.service.host.systems.writer.nextPosition
    let response = await world.post("/v1/events", lines(0..<3))
    #expect(response.status == 200)
    #expect(count(response, "appended") == 3)
    #expect(count(response, "already_there") == 0)
    #expect(count(response, "rejected") == 0)
    #expect(count(response, "position") == Int64(before) + 3)
    #expect(try conversions(world) == 3)
  }

  @Test func `Lines may end with CRLF, be empty, and lack the last line feed`() async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/events", "\r\n\n" + line(0) + "\r\n" + line(1))
    #expect(count(response, "appended") == 2)
    #expect(count(await world.post("/v1/events", ""), "appended") == 0)
  }

  @Test func `More events than are appended at once keep their order`() async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/events", lines(0..<2_500))
    #expect(count(response, "appended") == 2_500)
    let units = try world.events().suffix(2_500).map(\.unit.rawValue)
    #expect(units == (0..<2_500).map { "u-\($0)" })
  }

  @Test func `Compressed events are read`() async throws {
    let world = try OpenWorld()
    let bytes = Gzip.member(Array(lines(0..<500).utf8)) + Gzip.member(Array(line(500).utf8))
    let response = await world.post("/v1/events", bytes, ["content-encoding": "gzip"])
    #expect(count(response, "appended") == 501)
  }

  // MARK: Systems

  @Test func `An ingested goal credits an agent as a replay does`() async throws {
    let world = try OpenWorld()
    let context = #"{"context":{"targetingKey":"s-1"}}"#
    let chosen = try #require(
      await world.post("/ofrep/v1/evaluate/flags/checkout", context).json["variant"]?.string)
    let time = world.time.now.microseconds + 1
    let goal =
      #"{"type":"goal","time":\#(time),"unit":"s-1","id":"g-1","experiment":"checkout","goal":"goal-1","value":3}"#
    #expect(count(await world.post("/v1/events", goal), "appended") == 1)
    let learned = world.service.host.systems.agents.learned(by: "checkout")
    #expect(learned[chosen]?.sum == 3)
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  @Test func `Systems see ingested events in the order of the log under concurrency`()
    async throws
  {
    let world = try OpenWorld()
    let service = world.service
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<25 {
            let session = "s-\(worker)-\(number)"
            _ = await service.respond(
              to: ServiceRequest(
                method: "POST", target: "/ofrep/v1/evaluate/flags/checkout",
                body: Array(#"{"context":{"targetingKey":"\#(session)"}}"#.utf8)))
            let goal =
              #"{"type":"goal","time":1700000000000001,"unit":"\#(session)","experiment":"checkout","goal":"goal-1"}"#
            _ = await service.respond(
              to: ServiceRequest(method: "POST", target: "/v1/events", body: Array(goal.utf8)))
          }
        }
      }
    }
    let (live, replayed) = try world.states()
    #expect(live == replayed)
    #expect(try world.events().count { $0.kind == .goal } == 100)
  }

  // MARK: Idempotency

  @Test func `Events with an id are appended once, also after a restart`() async throws {
    let world = try OpenWorld()
    _ = await world.post("/v1/events", lines(0..<10))
    let again = await world.post("/v1/events", lines(5..<15))
    #expect(count(again, "appended") == 5)
    #expect(count(again, "already_there") == 5)
    try await world.restart()
    let restarted = await world.post("/v1/events", lines(0..<15))
    #expect(count(restarted, "appended") == 0)
    #expect(count(restarted, "already_there") == 15)
    #expect(try conversions(world) == 15)
  }

  @Test func `A duplicate within one body is appended once`() async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/events", line(1) + "\n" + line(1))
    #expect(count(response, "appended") == 1)
    #expect(count(response, "already_there") == 1)
  }

  @Test func `An id with other content is told, and the event of another kind is appended`()
    async throws
  {
    let world = try OpenWorld()
    let order = { (revenue: Int) in
      #"{"type":"conversion","time":1700000000000001,"unit":"u","id":"1","goal":"order","revenue":\#(revenue)}"#
        + "\n"
    }
    let trait =
      #"{"type":"dataPoint","time":1700000000000001,"unit":"u","id":"1","kind":"custom","value":1}"#
    let first = await world.post("/v1/events", order(5) + order(5) + trait)
    #expect(count(first, "appended") == 2)
    #expect(count(first, "already_there") == 1)
    #expect(first.json["differ"] == nil)
    let again = await world.post("/v1/events", order(5) + order(7))
    #expect(again.status == 200)
    #expect(count(again, "appended") == 0)
    #expect(count(again, "already_there") == 2)
    #expect(count(again, "differ") == 1)
    let differing = try #require(again.json["differing"]?.array?.first)
    #expect(differing["line"]?.integer == 2)
    #expect(differing["message"]?.string?.contains(#"another conversion with the id "1""#) == true)
  }

  @Test func `A batch of a producer is appended once, and a gap is refused`() async throws {
    let world = try OpenWorld()
    let path = "/v1/events?producer=shop&sequence="
    #expect(count(await world.post(path + "1", lines(0..<4, id: false)), "appended") == 4)
    let again = await world.post(path + "1", lines(0..<4, id: false))
    #expect(count(again, "appended") == 0)
    #expect(count(again, "already_there") == 4)
    let gap = await world.post(path + "3", lines(4..<8, id: false))
    #expect(gap.status == 409)
    #expect(gap.json["error"]?["code"] == "out-of-sequence")
    #expect(gap.json["error"]?["expected"] == 2)
    #expect(count(await world.post(path + "2", lines(4..<8, id: false)), "appended") == 4)
    try await world.restart()
    #expect(count(await world.post(path + "2", lines(4..<8, id: false)), "already_there") == 4)
    #expect(try conversions(world) == 8)
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  // MARK: Errors

  @Test func `An invalid line refuses all, with its number and byte`() async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/events", line(0) + "\n" + #"{"type":7}"# + "\n" + line(1))
    #expect(response.status == 400)
    #expect(response.json["error"]?["code"] == "invalid-line")
    #expect(response.json["error"]?["line"] == 2)
    #expect(response.json["error"]?["message"]?.string?.hasPrefix("line 2 (byte ") == true)
    #expect(try conversions(world) == 0)
  }

  @Test func `Invalid lines are skipped and reported where that is asked for`() async throws {
    let world = try OpenWorld()
    let bad = String(repeating: "nonsense\n", count: 30)
    let response = await world.post("/v1/events?on-error=skip", line(0) + "\n" + bad + line(1))
    #expect(response.status == 200)
    #expect(count(response, "appended") == 2)
    #expect(count(response, "rejected") == 30)
    let rejections = try #require(response.json["rejections"]?.array)
    #expect(rejections.count == SentEvents.shownRejections)
    #expect(rejections.first?["line"] == 2)
  }

  @Test func `A unit that stands for a missing one is refused unless a parameter keeps it`()
    async throws
  {
    let world = try OpenWorld()
    let event =
      #"{"type":"conversion","time":"2026-01-05T10:00:00Z","unit":"null","goal":"order"}"#
    for query in ["", "?keep-placeholder-units=false", "?keep-placeholder-units=yes"] {
      #expect(await world.post("/v1/events\(query)", event).status == 400, "\(query)")
    }
    let refused = await world.post("/v1/events", event)
    #expect(
      refused.json["error"]?["message"]?.string?.contains("keep-placeholder-units=true") == true)
    let kept = await world.post("/v1/events?keep-placeholder-units=true", event)
    #expect(kept.status == 200)
    #expect(count(kept, "appended") == 1)
  }

  @Test func `A decompression bomb is refused before it is inflated`() async throws {
    let world = try OpenWorld()
    let bomb = Gzip.member([UInt8](repeating: UInt8(ascii: "\n"), count: SentBytes.limit + 1))
    #expect(bomb.count < 100_000)
    let response = await world.post("/v1/events", bomb, ["content-encoding": "gzip"])
    #expect(response.status == 413)
    let fits = Gzip.member([UInt8](repeating: UInt8(ascii: "\n"), count: SentBytes.limit))
    let request = ServiceRequest(
      method: "POST", target: "/v1/events", fields: ["content-encoding": "gzip"], body: fits)
    #expect(try SentBytes.decoded(request).count == SentBytes.limit)
  }

  @Test func `A plain body over the limit is refused`() async throws {
    let world = try OpenWorld()
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: SentBytes.limit + 1)
    #expect(await world.post("/v1/events", bytes).status == 413)
  }

  @Test func `Damaged compression and unknown encodings are refused`() async throws {
    let world = try OpenWorld()
    let whole = Gzip.member(Array(lines(0..<100).utf8))
    for bytes in [Array("plain".utf8), Array(whole.dropLast(9)), whole + [1, 2]] {
      let response = await world.post("/v1/events", bytes, ["content-encoding": "gzip"])
      #expect(response.status == 400)
      #expect(response.json["error"]?["code"] == "invalid-gzip")
    }
    // The first ten bytes, the head, have no checksum.
    for place in whole.indices.dropFirst(10) {
      var bytes = whole
      bytes[place] ^= 0x10
      let response = await world.post("/v1/events", bytes, ["content-encoding": "gzip"])
      #expect(response.status == 400, "byte \(place)")
    }
    let unknown = await world.post("/v1/events", whole, ["content-encoding": "br"])
    #expect(unknown.status == 415)
    #expect(try conversions(world) == 0)
  }

  @Test(arguments: [
    "producer=a", "sequence=1", "producer=a&sequence=0", "producer=a&sequence=x",
    "producer=&sequence=1", "on-error=ignore", "sequenc=1", "producer=%zz&sequence=1",
  ])
  func `Invalid parameters are refused`(query: String) async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/events?\(query)", lines(0..<1))
    #expect(response.status == 400)
    #expect(response.json["error"]?["message"]?.string?.isEmpty == false)
    #expect(try conversions(world) == 0)
  }

  @Test func `Only an admin may send events that change configurations`() throws {
    let line =
      #"{"type":"configurationApplied","time":1,"unit":"","system":"agents","experiment":"a","configuration":null}"#
    let bytes = Array(line.utf8)
    #expect(try SentEvents(bytes, skipsInvalid: false, isAdmin: true).events.count == 1)
    #expect(throws: SentEvents.Rejection.self) {
      try SentEvents(bytes, skipsInvalid: false, isAdmin: false)
    }
    #expect(try SentEvents(bytes, skipsInvalid: true, isAdmin: false).rejected == 1)
  }

  @Test func `A batch of a producer needs an event`() async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/events?producer=a&sequence=1", "")
    #expect(response.status == 400)
    #expect(response.json["error"]?["code"] == "invalid-batch")
  }

  @Test func `Events are refused while the service is being stopped`() async throws {
    let world = try OpenWorld()
    await world.service.drain()
    let response = await world.post("/v1/events", lines(0..<1))
    #expect(response.status == 503)
    #expect(response.fields["retry-after"] != nil)
  }
}
