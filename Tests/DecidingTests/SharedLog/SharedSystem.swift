import Deciding
import EventLog
import Events
import Prediction
import TestSupport
import Threads

/// One of the systems that share a log: which system and instance it is, and a live one of it.
struct SharedSystem {
  /// A system of any of the systems.
  enum Live {
    case agents(Agents)
    case experiments(ClientFactory)
    case rollouts(Rollouts)
    case config(ActiveConfig)
    case studies(Studies)
  }

  /// All that share a log: of each system one without a name and one with. Those of a unit are all of the same one,
  /// so that nothing but their origin tells their events apart.
  static let all: [(system: SystemID, instance: InstanceID?)] = {
    let systems: [SystemID] = [.agents, .experiments, .rollouts, .activeConfig, .studies]
    return systems.flatMap { system in
      ([nil, "caf\u{E9}"] as [InstanceID?]).map { (system: system, instance: $0) }
    }
  }()

  static let unit = "u1"
  static let site = "site"

  let system: SystemID
  let instance: InstanceID?
  let live: Live
  private let world: SharedWorld

  /// Makes a system from events, or from a snapshot and events.
  init(
    _ origin: (system: SystemID, instance: InstanceID?), _ world: SharedWorld, _ snapshot: String?,
    _ events: some Sequence<some ReplayableEvent>
  ) throws {
    (system, instance) = origin
    self.world = world
    let surroundings = world.surroundings
    live =
      switch origin.system {
      case .agents:
        .agents(
          try snapshot.map {
            try Agents(
              owner: "o", instance: origin.instance, surroundings: surroundings, restoring: $0,
              replaying: events)
          }
            ?? Agents(
              owner: "o", instance: origin.instance, surroundings: surroundings, replaying: events)
        )
      case .experiments:
        .experiments(
          try snapshot.map {
            try ClientFactory(
              loader: NothingToLoad(), surroundings: surroundings, instance: origin.instance,
              restoring: $0, replaying: events)
          }
            ?? ClientFactory(
              loader: NothingToLoad(), surroundings: surroundings, instance: origin.instance,
              replaying: events))
      case .rollouts:
        .rollouts(
          try snapshot.map {
            try Rollouts(
              unit: Self.unit, surroundings: surroundings, exposures: .all,
              instance: origin.instance, restoring: $0, replaying: events)
          }
            ?? Rollouts(
              unit: Self.unit, surroundings: surroundings, exposures: .all,
              instance: origin.instance, replaying: events))
      case .activeConfig:
        .config(
          try snapshot.map {
            try ActiveConfig(
              downloader: NothingToLoad(), user: Self.unit, instance: origin.instance,
              surroundings: surroundings, restoring: $0, replaying: events)
          }
            ?? ActiveConfig(
              downloader: NothingToLoad(), user: Self.unit, instance: origin.instance,
              surroundings: surroundings, replaying: events))
      default:
        .studies(
          try snapshot.map {
            try Studies(
              unit: Self.unit, surroundings: surroundings, predictor: SharedWorld.predictor,
              instance: origin.instance, restoring: $0, replaying: events)
          }
            ?? Studies(
              unit: Self.unit, surroundings: surroundings, predictor: SharedWorld.predictor,
              instance: origin.instance, replaying: events))
      }
  }

  /// What the system knows and how far it is, as it would be kept for the next start.
  var snapshot: String {
    switch live {
    case .agents(let system): system.snapshot()
    case .experiments(let system): system.snapshot()
    case .rollouts(let system): system.snapshot()
    case .config(let system): system.snapshot()
    case .studies(let system): system.snapshot()
    }
  }

  /// What the system knows, as JSON, without its position.
  var state: JSONValue {
    get throws { try JSONValue(parsing: snapshot)["state"] ?? .null }
  }

  /// How far the system is.
  var position: UInt64 {
    get throws { UInt64(try JSONValue(parsing: snapshot)["position"]?.integer ?? -1) }
  }

  /// Makes some random calls and says what was answered, from equal generators alike.
  func answers(seed: UInt64, count: Int) throws -> [String] {
    world.random.reset(seed)
    world.ids.reset(seed)
    var random = SeededGenerator(seed: seed)
    if case .rollouts(let system) = live { try system.setup(SharedCalls.rollouts(&random)) }
    if case .config(let system) = live {
      // Who was the user last, and which groups are watched, is not in the log. No user has no group.
      system.setUser(nil)
      for name in SharedCalls.names {
        try system.exposures(experiment: ExperimentID(name), metaKey: "group")
      }
      system.setUser(Self.unit)
    }
    return (0..<count).map { _ in call(&random) }
  }
}

/// A configuration is never loaded here.
private struct NothingToLoad: ExperimentLoader, ConfigDownloader {
  struct Nothing: Error {}

  func load(siteCode: String) async throws -> ExperimentConfiguration { throw Nothing() }
  func requestConfiguration(user: String?) async throws -> JSONValue? { throw Nothing() }
}

/// The world of one system: a clock that all share, and generators that can be put back to a seed.
struct SharedWorld {
  static let predictor = (try? Predictors.named("logistic:bits=6")) ?? .beauchamp

  let random = Reset<SeededGenerator> { SeededGenerator(seed: $0) }
  let ids = Reset<SeededGenerator> { SeededGenerator(seed: $0 ^ 0x1D5) }
  let surroundings: Surroundings

  init(_ clock: SharedClock, seed: UInt64, sink: any EventSink) {
    random.reset(seed)
    ids.reset(seed)
    surroundings = Surroundings(
      time: clock, random: random, ids: ids, locale: UserLocale(languages: ["en"], region: "US"),
      sink: sink)
  }

  /// A generator that every copy shares.
  final class Reset<Generator: RandomNumberGenerator & Sendable>: RandomNumberGenerator, IDSource {
    private let current: Monitor<Generator>
    private let make: @Sendable (UInt64) -> Generator

    init(_ make: @escaping @Sendable (UInt64) -> Generator) {
      self.make = make
      current = Monitor(make(0))
    }

    func reset(_ seed: UInt64) { current.withLock { $0 = make(seed) } }

    func next() -> UInt64 { current.withLock { $0.next() } }

    func next() -> String { "id-\(next() as UInt64)" }
  }
}

/// A clock that moves when it is told to.
final class SharedClock: TimeSource {
  private let time = Monitor(Timestamp(microseconds: 1_000_000))

  var now: Timestamp { time.withLock { $0 } }

  func advance(_ microseconds: Int64) {
    time.withLock { $0 = Timestamp(microseconds: $0.microseconds + microseconds) }
  }

  func sleep(for duration: Duration) async throws {}
}
