import DecidingAgents
import DecidingCore
import DecidingExperiments
import DecidingRollouts
import EventLog
import Events
import Statistics
import TestSupport
import Threads

@testable import Service

/// A service with a site, rollouts and agents on a log of its own, with a clock that stands still.
final class OpenWorld {
  private let folder: TemporaryFolder
  private var running: [Service] = []
  let time = StillTime()
  private let options: ServiceOptions

  init(_ change: (inout ServiceOptions) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    let surroundings = Surroundings(
      time: time, random: SplitMix64(seed: 7), ids: RandomIDs(seed: 7), locale: UserLocale(),
      sink: MemorySink())
    var options = ServiceOptions(
      log: folder.path("log"), owner: "acme", surroundings: surroundings)
    options.systems.sites = [try ExperimentConfiguration(parsing: Self.site)]
    options.systems.rollouts = try RolloutConfiguration(json: JSONValue(parsing: Self.rollouts))
    options.systems.agents = try Self.agents.map { try AgentDefinition(json: $0) }
    change(&options)
    self.options = options
    running = [try Service(options)]
  }

  var service: Service { running[0] }

  // MARK: Requests

  func post(_ target: String, _ body: String, _ fields: HeaderFields = [:]) async
    -> ServiceResponse
  {
    await post(target, Array(body.utf8), fields)
  }

  func post(_ target: String, _ body: [UInt8], _ fields: HeaderFields = [:]) async
    -> ServiceResponse
  {
    await service.respond(
      to: ServiceRequest(method: "POST", target: target, fields: fields, body: body))
  }

  func get(_ target: String, _ fields: HeaderFields = [:]) async -> ServiceResponse {
    await service.respond(to: ServiceRequest(method: "GET", target: target, fields: fields))
  }

  // MARK: The log

  /// The events of the log that are durable.
  func events() throws -> [Event] {
    var events: [Event] = []
    try LogReader(options.log).forEachEvent { record, _ in events.append(try Event(record)) }
    return events
  }

  /// The decisions of the log that are durable.
  func decisions() throws -> [Decision] {
    try events().compactMap {
      if case .decision(let decision) = $0.payload { decision } else { nil }
    }
  }

  /// The states of the systems, as they are and as a replay of the log makes them.
  func states() throws -> (live: [String], replayed: [String]) {
    let systems = service.host.systems
    let events = try events()
    var surroundings = options.surroundings
    surroundings.sink = MemorySink()
    let agents = Agents(owner: "acme", surroundings: surroundings, replaying: events)
    let factory = ClientFactory(
      loader: NoLoader(), surroundings: surroundings, replaying: events)
    let rollouts = Rollouts(
      unit: "", surroundings: surroundings, numbers: .hashed(salt: ""), replaying: events)
    let live = [
      systems.agents.snapshot(), systems.experiments.snapshot(), systems.rollouts.snapshot(),
    ]
    let replayed = [agents.snapshot(), factory.snapshot(), rollouts.snapshot()]
    return (live.map(Self.state), replayed.map(Self.state))
  }

  /// The state of a snapshot, without its position: systems count only what they have seen.
  private static func state(_ snapshot: String) -> String {
    (try? JSONValue(parsing: snapshot))?["state"].map { "\($0)" } ?? snapshot
  }

  /// Stops the service, and starts it again from its log.
  func restart() async throws {
    await service.drain()
    service.host.close()
    // The log is free once nothing refers to its writer.
    running = []
    running = [try Service(options)]
  }
}

extension ServiceResponse {
  /// The body as JSON; null if it is not.
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}

/// A clock that stands still until it is set.
final class StillTime: TimeSource {
  private let time = Monitor(Timestamp(microseconds: 1_700_000_000_000_000))

  var now: Timestamp { time.withLock { $0 } }

  func pass(seconds: Int64) {
    time.withLock { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
  }

  func sleep(for duration: Duration) async throws {}
}

private struct NoLoader: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("there is none")
  }
}

// MARK: - Configurations

extension OpenWorld {
  static let site = #"""
    {"siteCode":"shop","experiments":[
      {"id":"layout","variations":[{"id":"wide","deviation":0.5},{"id":"narrow","deviation":0.5}]},
      {"id":"nobody","variations":[{"id":"a","deviation":0}]},
      {"id":"french","targeting":"france","variations":[{"id":"a","deviation":1}]}],
     "segments":[{"id":"france","groups":[{"conditions":[
       {"type":"CUSTOM_DATUM","name":"country","operator":"EXACT","value":"FR"}]}]}],
     "flags":[
      {"id":1,"key":"search","default":"off","variables":[{"key":"limit","type":"NUMBER","value":10}],
       "variations":[{"key":"off"},{"key":"on","variables":{"limit":20}}],
       "rules":[{"id":501,"experiment":7001,"variations":[{"key":"on","deviation":1}]}]},
      {"id":2,"key":"banner","default":"off","variations":[{"key":"off"},{"key":"on"}],
       "rules":[{"id":502,"targeting":"france","variations":[{"key":"on","deviation":1}]}]},
      {"id":3,"key":"colors","default":"red","variations":[{"key":"red"},{"key":"blue"}],
       "variables":[{"key":"hue","type":"NUMBER","value":0},{"key":"name","type":"STRING","value":"Red"}]},
      {"id":4,"key":"closed","enabled":false,"default":"off","variations":[{"key":"off"},{"key":"on"}]}]}
    """#

  static let rollouts = #"""
    {"fast":{"Variants":[{"name":"on","weight":1}]},
     "german":{"Settings":{"supported_languages":["de"]},"Variants":{"on":1}}}
    """#

  static let agents: [JSONValue] = [
    [
      "agent": "checkout", "policy": "thompson",
      "points": [
        [
          "code": "point-1",
          "slots": [
            [
              "code": "decision-1",
              "choices": [
                ["code": "blue", "name": "Blue button"], ["code": "green", "name": "Green button"],
              ],
            ]
          ],
        ]
      ],
    ]
  ]
}
