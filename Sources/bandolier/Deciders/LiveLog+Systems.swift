import Deciding
import EventLog
import Events

extension LiveLog {
  /// The agents as the log knows them: what happened to the named ones, and to the unit.
  ///
  /// An agent that learns needs the decisions and goals of every session.
  func agents(named names: [String]) throws -> Agents {
    let events = try events(matching: EventFilter(experiments: names))
    return Agents(owner: "bandolier", surroundings: surroundings(), replaying: events)
  }

  /// Every agent that the log knows.
  func allAgents() throws -> Agents {
    Agents(
      owner: "bandolier", surroundings: surroundings(),
      replaying: try events(matching: EventFilter()))
  }

  /// The client of a site, with what the log knows of the unit.
  func experiments(siteCode: String) throws -> ExperimentClient {
    ClientFactory(
      loader: NoLoader(), surroundings: surroundings(), replaying: try eventsOfUnit()
    ).create(siteCode: siteCode)
  }

  /// What to say when a system could not record and its answer does not tell why.
  var refusal: Failure {
    Failure(
      exitCode: Failure.inputOutput,
      "the log did not take the decision; check that it can be written, with `bandolier log verify`"
    )
  }
}

/// Configurations come from files.
private struct NoLoader: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("there is nothing to load from")
  }
}
