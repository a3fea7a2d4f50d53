internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import DecidingRollouts
internal import EventLog
internal import Events

/// The deciding systems of a service, and the writer of the log that all of them append to.
///
/// Each system appends its own events under its own lock, and applies them to its state before it releases the lock.
/// Events that concern several systems, such as those that clients send, are appended and applied under the locks of
/// all, so that every state is that of a replay of the log, in its order.
///
/// When writing fails, states may contain events that are not stored: the systems are then discarded as a whole, and
/// rebuilt from the log.
final class Systems: Sendable {
  let writer: LogWriter
  let agents: Agents
  let experiments: ClientFactory
  /// The clients of the configured sites, in the order of the configuration.
  let sites: [ExperimentClient]
  /// The rollouts, for no unit in particular; nil if there are none.
  let rollouts: Rollouts

  /// Opens the log and rebuilds the systems from its events.
  ///
  /// - Throws: ``LogError`` if the log cannot be opened; an error of a system if its configuration is invalid.
  /// - Complexity: O(number of events).
  init(_ options: ServiceOptions) throws {
    writer = try LogWriter(options.log, options: LogOptions(holder: "bandolier serve"))
    var surroundings = options.surroundings
    surroundings.sink = writer
    let configured = options.systems
    agents = Agents(
      owner: options.owner, settings: configured.agentSettings, surroundings: surroundings)
    experiments = ClientFactory(loader: ConfiguredSites(), surroundings: surroundings)
    // Hashed numbers are known before anything is drawn, so that what is prefetched is what will be answered.
    rollouts = Rollouts(unit: "", surroundings: surroundings, numbers: .hashed(salt: ""))
    let factory = experiments
    sites = configured.sites.map { factory.create(siteCode: $0.siteCode) }
    try replay(LogReader(options.log))
    try apply(configured)
  }

  /// Applies all events of the log, in one pass.
  private func replay(_ log: LogReader) throws {
    var batch: [LoggedEvent] = []
    try log.forEachEvent { record, position in
      batch.append(LoggedEvent(position: position, event: try Event(record)))
      if batch.count == 4_096 {
        absorb(batch)
        batch.removeAll(keepingCapacity: true)
      }
    }
    absorb(batch)
  }

  private func absorb(_ events: [LoggedEvent]) {
    agents.recorder.perform { $0.absorb(events) }
    experiments.recorder.perform { $0.absorb(events) }
    rollouts.recorder.perform { $0.absorb(events) }
  }

  private func apply(_ configured: ServiceOptions.Configurations) throws {
    for definition in configured.agents { try agents.define(definition) }
    for (site, configuration) in zip(sites, configured.sites) { try site.apply(configuration) }
    if let configuration = configured.rollouts { try rollouts.setup(configuration) }
  }

  /// Appends events that concern all systems, and applies them to every state, while no system appends anything.
  ///
  /// - Parameter body: Appends to the log, and returns the events that it appended, with their positions, in order,
  ///   and an answer. If it throws, it must not have appended anything that remains in the log.
  func appendForAll<Answer: Sendable, Problem: Error>(
    _ body: (LogWriter) throws(Problem) -> ([LoggedEvent], Answer)
  ) throws(Problem) -> Answer {
    try agents.recorder.perform { agents throws(Problem) in
      try experiments.recorder.perform { experiments throws(Problem) in
        try rollouts.recorder.perform { rollouts throws(Problem) in
          let (events, answer) = try body(writer)
          agents.absorb(events)
          experiments.absorb(events)
          rollouts.absorb(events)
          return answer
        }
      }
    }
  }
}

/// The loader of sites whose configurations come from files.
private struct ConfiguredSites: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("the service is configured by files")
  }
}
