import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingExperiments

/// A loader that gives what it is told to.
final class ManualExperimentLoader: ExperimentLoader {
  struct Unreachable: Error, Equatable {}

  private let answer = Monitor<Result<ExperimentConfiguration, any Error>>(.failure(Unreachable()))
  private let count = Monitor(0)

  /// How often it was asked.
  var loads: Int { count.withLock { $0 } }

  func answers(_ configuration: ExperimentConfiguration) {
    answer.withLock { $0 = .success(configuration) }
  }

  func fails(_ error: any Error = Unreachable()) {
    answer.withLock { $0 = .failure(error) }
  }

  func load(siteCode: String) async throws -> ExperimentConfiguration {
    count.withLock { $0 += 1 }
    return try answer.withLock { $0 }.get()
  }
}

/// A site in a small world.
struct ExperimentsWorld {
  static let site = "site"

  let world: ManualWorld
  let loader = ManualExperimentLoader()
  let settings: ExperimentSettings
  let factory: ClientFactory
  let client: ExperimentClient

  init(
    _ configuration: ExperimentConfiguration? = nil,
    settings: ExperimentSettings = ExperimentSettings(), replaying events: [Event] = [],
    at time: Timestamp = Timestamp(microseconds: 0)
  ) throws {
    world = ManualWorld()
    world.time.advance(microseconds: time.microseconds)
    self.settings = settings
    factory = ClientFactory(
      loader: loader, surroundings: world.surroundings, settings: settings, replaying: events)
    client = factory.create(siteCode: Self.site)
    if let configuration { try client.apply(configuration) }
  }

  var events: [Event] { world.events }
  var time: ManualTime { world.time }

  /// The events after the configuration's.
  var told: [Event] { events.filter { $0.kind != .configurationApplied } }

  /// The kinds and statuses of the events after the configuration's, in words.
  var summary: [String] { told.map(Self.summary) }

  static func summary(_ event: Event) -> String {
    switch event.payload {
    case .decision(let decision):
      "\((decision.status ?? .confirmed).name) \(decision.variant) \(decision.reason ?? "")"
    case .conversion(let conversion): "conversion \(conversion.goal)"
    case .dataPoint(let datum): [datum.kind, datum.key].compactMap { $0 }.joined(separator: " ")
    default: event.kind.name
    }
  }

  /// A world that knows the log only, at the same time.
  func rebuilt() throws -> ExperimentsWorld {
    try ExperimentsWorld(settings: settings, replaying: events, at: time.now)
  }

  /// Waits until something holds, letting others run meanwhile.
  static func eventually(_ holds: () -> Bool) async {
    while !holds() { await Task.yield() }
  }

  /// Checks that a replay of the log, and one that begins from a snapshot, know what the live one knows.
  func expectReplays(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let rebuilt = try rebuilt()
    #expect(rebuilt.factory.state == factory.state, sourceLocation: sourceLocation)
    let restored = try ClientFactory(
      loader: loader, surroundings: ManualWorld().surroundings, restoring: client.snapshot())
    #expect(restored.state == factory.state, sourceLocation: sourceLocation)
    #expect(restored.snapshot() == client.snapshot(), sourceLocation: sourceLocation)
  }
}

extension ExperimentConfiguration {
  /// A site with one experiment.
  static func one(
    _ deviations: KeyValuePairs<VariationID, Double>, id: ExperimentID = 75253,
    respool: [VariationID: Int64] = [:], targeting: JSONValue? = nil, policy: String? = nil,
    goal: GoalID? = nil, enabled: Bool = true, other: JSONObject = [:]
  ) -> ExperimentConfiguration {
    let variations = deviations.map { id, deviation in
      ExperimentVariation(id, deviation: deviation, respool: respool[id])
    }
    let experiment = Experiment(
      id, variations: variations, targeting: targeting, policy: policy, goal: goal)
    return ExperimentConfiguration(
      siteCode: ExperimentsWorld.site, enabled: enabled, experiments: [experiment], other: other)
  }

  static let halves = one([148382: 0.5, 187791: 0.5])
  static let thirds = one([0: 1.0 / 3, 148382: 1.0 / 3, 187791: 1.0 / 3])
  static let tenths = one([148382: 0.1, 187791: 0.1])
}
