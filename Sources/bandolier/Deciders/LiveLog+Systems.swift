import Deciding
import EventLog
import Events

extension LiveLog {
  /// Returns the agents rebuilt from the log: from the events of the named agents, of all sessions, because an
  /// agent that learns needs the decisions and goals of every session.
  func agents(named names: [String]) throws -> Agents {
    let events = try events(matching: EventFilter(experiments: names))
    return Agents(owner: "bandolier", surroundings: surroundings(), replaying: events)
  }

  /// Returns the agents rebuilt from the whole log.
  func allAgents() throws -> Agents {
    Agents(
      owner: "bandolier", surroundings: surroundings(),
      replaying: try events(matching: EventFilter()))
  }

  /// Returns the client of a site, rebuilt from the unit's events.
  func experiments(siteCode: String) throws -> ExperimentClient {
    ClientFactory(
      loader: NoLoader(), surroundings: surroundings(), replaying: try eventsOfUnit()
    ).create(siteCode: siteCode)
  }

  /// The error for a system that could not record when its answer does not have the reason.
  var refusal: Failure {
    Failure(
      exitCode: Failure.inputOutput,
      "the decision could not be appended to the log; check the log with `bandolier log verify`"
    )
  }
}

/// The loader of a client whose configuration comes from a file.
private struct NoLoader: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("a configuration file is used instead of a server")
  }
}
