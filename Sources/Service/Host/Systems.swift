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
  /// The systems themselves.
  let deciding: DecidingSystems
  /// The clients of the configured sites, in the order of the configuration.
  let sites: [ExperimentClient]
  /// The position of the snapshot that the systems were rebuilt from; 0 if there is none.
  let snapshotPosition: UInt64

  var agents: Agents { deciding.agents }
  var experiments: ClientFactory { deciding.experiments }
  /// The rollouts, for no unit in particular.
  var rollouts: Rollouts { deciding.rollouts }

  /// Opens the log and rebuilds the systems from its snapshot, if there is one that fits, and the events after it.
  ///
  /// At the start of a service the configured definitions are applied, unless the log has them already. When the
  /// systems are rebuilt later those of agents are not, because clients may have changed them since.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - isStart: Whether the service starts.
  ///   - replayed: Called with the states after a replay of so many events that a snapshot should be made of them.
  /// - Throws: ``LogError`` if the log cannot be opened; an error of a system if its configuration is invalid.
  /// - Complexity: O(size of the snapshot) and O(number of events after it).
  init(
    _ options: ServiceOptions, isStart: Bool = true,
    replayed: (DecidingSystemStates) -> Void = { _ in }
  ) throws {
    writer = try LogWriter(
      options.log,
      options: LogOptions(segmentByteCount: options.segmentByteCount, holder: "bandolier serve"),
      disk: options.disk)
    let log = try LogReader(options.log, disk: options.disk)
    let snapshot = LogSnapshot.read(of: log, options)
    let restored = DecidingSystems.restored(from: snapshot, options, sink: writer)
    (deciding, snapshotPosition) = restored
    try deciding.replay(log, from: snapshotPosition)
    if log.eventCount >= snapshotPosition + options.snapshotInterval {
      replayed(DecidingSystemStates(deciding, at: log.eventCount))
    }
    let factory = deciding.experiments
    sites = options.systems.sites.map { factory.create(siteCode: $0.siteCode) }
    try apply(options.systems, isStart: isStart)
  }

  private func apply(_ configured: ServiceOptions.Configurations, isStart: Bool) throws {
    for definition in configured.agents where isStart { try agents.define(definition) }
    for (site, configuration) in zip(sites, configured.sites) { try site.apply(configuration) }
    if let configuration = configured.rollouts { try rollouts.setup(configuration) }
  }

  /// Appends events that concern all systems, and applies them to every state, while no system appends anything.
  ///
  /// The body appends to the log, and returns the events that it appended, with their positions, in order, and an
  /// answer. If it throws, it must not have appended anything that remains in the log.
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
