internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import DecidingRollouts
internal import EventLog
internal import Events

/// The deciding systems that are rebuilt from one log, in one pass over it.
struct Fronts: Sendable {
  let agents: Agents
  let experiments: ClientFactory
  let rollouts: Rollouts

  /// The number of events that are applied to each system in turn.
  private static let batchSize = 4_096

  /// Hashed numbers are known before anything is drawn, so that what is prefetched is what will be answered.
  private static let numbers = RolloutNumbers.hashed(salt: "")

  /// Creates systems before the first event.
  init(_ options: ServiceOptions, sink: any EventSink) {
    let surroundings = Self.surroundings(options, sink)
    agents = Agents(
      owner: options.owner, settings: options.systems.agentSettings, surroundings: surroundings)
    experiments = ClientFactory(loader: ConfiguredSites(), surroundings: surroundings)
    rollouts = Rollouts(unit: "", surroundings: surroundings, numbers: Self.numbers)
  }

  /// Creates systems from a snapshot.
  ///
  /// - Throws: An error of a system if its part cannot be read.
  private init(_ options: ServiceOptions, sink: any EventSink, _ snapshot: LogSnapshot) throws {
    let surroundings = Self.surroundings(options, sink)
    agents = try Agents(
      owner: options.owner, settings: options.systems.agentSettings, surroundings: surroundings,
      restoring: snapshot.agents)
    experiments = try ClientFactory(
      loader: ConfiguredSites(), surroundings: surroundings, restoring: snapshot.experiments)
    rollouts = try Rollouts(
      unit: "", surroundings: surroundings, numbers: Self.numbers, restoring: snapshot.rollouts)
  }

  /// Returns systems that are restored from a snapshot, and its position; empty ones, and 0, if there is none or it
  /// cannot be read.
  static func restored(
    from snapshot: LogSnapshot?, _ options: ServiceOptions, sink: any EventSink
  ) -> (Fronts, UInt64) {
    guard let snapshot else { return (Fronts(options, sink: sink), 0) }
    do {
      return (try Fronts(options, sink: sink, snapshot), snapshot.position)
    } catch {
      options.note("the snapshot of the log is ignored: \(error)")
      return (Fronts(options, sink: sink), 0)
    }
  }

  private static func surroundings(
    _ options: ServiceOptions, _ sink: any EventSink
  ) -> Surroundings {
    var surroundings = options.surroundings
    surroundings.sink = sink
    return surroundings
  }

  /// Applies the events of a log from a position on, up to another one. A thread applies them to the agents, which is
  /// most of the work, while this one reads the log and applies them to the other systems.
  ///
  /// - Throws: ``LogError`` if they cannot be read.
  func replay(_ log: LogReader, from position: UInt64, to end: UInt64 = .max) throws {
    guard position < end else { return }
    let agents = agents
    let thread = BatchThread<LoggedEvent> { batch in
      agents.recorder.perform { $0.absorb(batch) }
    }
    defer { thread.end() }
    var batch: [LoggedEvent] = []
    try log.forEachEvent(in: position..<end) { record, position in
      if batch.isEmpty { batch.reserveCapacity(Self.batchSize) }
      batch.append(LoggedEvent(position: position, event: try Event(record)))
      guard batch.count == Self.batchSize else { return }
      absorb(batch, thread)
      batch = []
    }
    absorb(batch, thread)
  }

  private func absorb(_ batch: [LoggedEvent], _ thread: BatchThread<LoggedEvent>) {
    thread.apply(batch)
    experiments.recorder.perform { $0.absorb(batch) }
    rollouts.recorder.perform { $0.absorb(batch) }
  }
}

/// The loader of sites whose configurations come from files.
private struct ConfiguredSites: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("the service is configured by files")
  }
}
