import DecidingAgents
import DecidingCore
import DecidingExperiments
import DecidingRollouts
import EventLog
import Events
import Testing

@testable import Service

/// The states of the systems as text.
struct SystemStates: Equatable {
  var agents: String
  var experiments: String
  var rollouts: String

  /// The states of a running service.
  init(_ systems: Systems) {
    agents = Self.withoutPosition(systems.agents.snapshot())
    experiments = Self.withoutPosition(systems.experiments.snapshot())
    rollouts = Self.withoutPosition(systems.rollouts.snapshot())
  }

  /// The states after a replay of a log from its beginning, by the states alone.
  init(replaying log: String) throws {
    var events: [LoggedEvent] = []
    try LogReader(log).forEachEvent { record, position in
      events.append(LoggedEvent(position: position, event: try Event(record)))
    }
    let surroundings = Surroundings(sink: MemorySink())
    agents = Self.withoutPosition(
      Agents(owner: "acme", surroundings: surroundings, replaying: events).snapshot())
    experiments = Self.withoutPosition(
      ClientFactory(loader: NoSites(), surroundings: surroundings, replaying: events).snapshot())
    rollouts = Self.withoutPosition(
      Rollouts(unit: "", surroundings: surroundings, replaying: events).snapshot())
  }

  /// A system that skips the last events of the log has an earlier position, and the same state.
  private static func withoutPosition(_ snapshot: String) -> String {
    var object = (try? JSONValue(parsing: Array(snapshot.utf8), deepest: 128))?.object ?? [:]
    object["position"] = nil
    return JSONValue.object(object).description
  }
}

private struct NoSites: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("none")
  }
}
