import DecidingAgents
import DecidingCore
import EventLog
import Events
import Service
import TestSupport

/// A service on a log in a temporary folder, with seeded random numbers and ids.
final class ServiceHarness: Sendable {
  let service: Service
  let log: String

  init(
    log: String, seed: UInt64 = 1, _ change: (inout ServiceOptions) -> Void = { _ in }
  ) throws {
    self.log = log
    var options = ServiceOptions(
      log: log, owner: "acme",
      surroundings: Surroundings(
        time: FixedTime(), random: SeededGenerator(seed: seed), ids: RandomIDs(seed: seed),
        sink: MemorySink()))
    change(&options)
    service = try Service(options)
  }

  /// Sends a request.
  func send(
    _ method: String, _ target: String, _ fields: HeaderFields = [:], body: String = ""
  ) async -> Answer {
    let request = ServiceRequest(
      method: method, target: target, fields: fields, body: Array(body.utf8), peer: "127.0.0.1")
    return Answer(await service.respond(to: request))
  }

  func get(_ target: String, _ fields: HeaderFields = [:]) async -> Answer {
    await send("GET", target, fields)
  }

  /// Sends JSON.
  func post(_ target: String, _ json: JSONValue) async -> Answer {
    await send("POST", target, ["Content-Type": "application/json"], body: json.description)
  }

  /// The events of the log.
  var events: [Event] {
    get throws {
      var events: [Event] = []
      try LogReader(log).forEachEvent { record, _ in events.append(try Event(record)) }
      return events
    }
  }
}

/// A response, with its body as JSON.
struct Answer {
  let response: ServiceResponse

  init(_ response: ServiceResponse) { self.response = response }

  var status: Int { response.status }
  var json: JSONValue { (try? JSONValue(parsing: response.body)) ?? .null }
  subscript(name: String) -> JSONValue? { json[name] }
}

/// A clock that always shows the same time.
struct FixedTime: TimeSource {
  var now = Timestamp(microseconds: 1_800_000_000_000_000)
  func sleep(for duration: Duration) async throws {}
}
