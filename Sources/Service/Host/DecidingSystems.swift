internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import DecidingRollouts
internal import EventLog
internal import Events
internal import Platform
internal import Threads

/// The deciding systems that are rebuilt from one log, in one pass over it.
struct DecidingSystems: Sendable {
  let agents: Agents
  let experiments: ClientFactory
  let rollouts: Rollouts

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
  ) -> (DecidingSystems, UInt64) {
    guard let snapshot else { return (DecidingSystems(options, sink: sink), 0) }
    do {
      return (try DecidingSystems(options, sink: sink, snapshot), snapshot.position)
    } catch {
      options.note("the snapshot of the log is ignored: \(error)")
      return (DecidingSystems(options, sink: sink), 0)
    }
  }

  private static func surroundings(
    _ options: ServiceOptions, _ sink: any EventSink
  ) -> Surroundings {
    var surroundings = options.surroundings
    surroundings.sink = sink
    return surroundings
  }

  /// Applies the events of a log from a position on, up to another one. Threads read a frame each, and apply them in
  /// the order of the log: one thread to the agents while another applies the frame before to the other systems.
  ///
  /// - Throws: ``LogError`` if they cannot be read.
  func replay(_ log: LogReader, from position: UInt64, to end: UInt64 = .max) throws {
    guard position < end else { return }
    let frames = log.admittedFrames(where: FrameFilter(from: position))
    guard !frames.isEmpty else { return }
    let names = try LogNames(log, Set(Vocabulary.allCases))
    let queue = WorkQueue(count: frames.count)
    let (agentsTurns, othersTurns) = (OrderedCompletion(), OrderedCompletion())
    let threadCount = min(SystemLimits.processorCount, Self.mostThreads, frames.count)
    _ = try Workers.run(threadCount) { _ in
      while let number = queue.next() {
        let events = Result {
          try Self.events(of: log, frame: frames[number], names, in: position..<end)
        }
        let isTaken = try agentsTurns.take(number) {
          let events = try events.get()
          agents.recorder.perform { $0.absorb(events) }
        }
        guard isTaken, case .success(let events) = events else { return }
        _ = try othersTurns.take(number) {
          experiments.recorder.perform { $0.absorb(events) }
          rollouts.recorder.perform { $0.absorb(events) }
        }
      }
    }
  }

  /// The number of threads that replay a log at most: each holds the events of a frame.
  private static let mostThreads = 4

  private static func events(
    of log: LogReader, frame: Int, _ names: LogNames, in positions: Range<UInt64>
  ) throws -> [LoggedEvent] {
    var events: [LoggedEvent] = []
    events.reserveCapacity(log.rowCount(ofFrame: frame))
    try log.forEachEvent(ofFrame: frame, names) { record, position in
      guard positions.contains(position) else { return }
      events.append(LoggedEvent(position: position, event: try Event(record)))
    }
    return events
  }
}

/// The loader of sites whose configurations come from files.
private struct ConfiguredSites: ExperimentLoader {
  func load(siteCode: String) async throws -> ExperimentConfiguration {
    throw ExperimentError.loadFailed("the service is configured by files")
  }
}
