public import DecidingCore
public import Events
internal import Threads

/// A source of site configurations.
public protocol ExperimentLoader: Sendable {
  /// Returns the current configuration.
  ///
  /// - Throws: Any error; the configuration in use then remains.
  func load(siteCode: String) async throws -> ExperimentConfiguration
}

/// Settings of the clients of a factory.
public struct ExperimentSettings: Sendable {
  /// The interval at which a started client reloads the configuration; nil to load it once.
  public var refreshInterval: Duration?
  /// Whether adding data counts as visitor activity, which keeps the visit open.
  public var dataIsActivity: Bool
  /// The maximum number of data that a client buffers before they are sent; beyond it the oldest are dropped.
  public var bufferCapacity: Int
  /// Restrictions that can exclude users from experiments: a holdout, exclusion groups, schedules.
  public var restrictions: Restrictions

  /// Creates settings.
  public init(
    refreshInterval: Duration? = .seconds(3_600), dataIsActivity: Bool = false,
    bufferCapacity: Int = 10_000, restrictions: Restrictions = Restrictions()
  ) {
    self.refreshInterval = refreshInterval
    self.dataIsActivity = dataIsActivity
    self.bufferCapacity = bufferCapacity
    self.restrictions = restrictions
  }
}

/// Creates the clients of sites, one for each site code, which share one log and the state rebuilt from it.
///
/// A factory can be used from any task. The map of clients has its own lock, and every call of a client takes
/// the lock of the state, so events are logged in the order of the calls.
public final class ClientFactory: Sendable {
  private let loader: any ExperimentLoader
  private let settings: ExperimentSettings
  private let surroundings: Surroundings
  package let recorder: Recorder<ExperimentsState>
  private let clients = Monitor([TextKey: ExperimentClient]())

  /// Creates a factory, rebuilding its state from the events of a log.
  ///
  /// - Parameters:
  ///   - loader: The source of configurations.
  ///   - surroundings: The clock, random generator, source of ids, and sink; the sink is the log.
  ///   - settings: The settings of the clients.
  ///   - instance: The instance name, where several factories share a log.
  ///   - events: The events already in the log.
  public init<Replayed: Sequence>(
    loader: any ExperimentLoader, surroundings: Surroundings,
    settings: ExperimentSettings = ExperimentSettings(), instance: InstanceID? = nil,
    replaying events: Replayed = [Event]()
  ) where Replayed.Element: ReplayableEvent {
    self.loader = loader
    self.settings = settings
    self.surroundings = surroundings
    recorder = Recorder(surroundings, instance: instance, replaying: events)
  }

  /// Restores a factory from a snapshot and the events after its position.
  ///
  /// - Throws: ``ExperimentError/invalidSnapshot(_:)`` when the snapshot is of another system or version, or
  ///   incomplete.
  public init<Replayed: Sequence>(
    loader: any ExperimentLoader, surroundings: Surroundings,
    settings: ExperimentSettings = ExperimentSettings(), instance: InstanceID? = nil,
    restoring snapshot: String,
    replaying events: Replayed = [Event]()
  ) throws(ExperimentError) where Replayed.Element: ReplayableEvent {
    self.loader = loader
    self.settings = settings
    self.surroundings = surroundings
    do {
      let snapshot = try Snapshot<ExperimentsState>(parsing: snapshot, instance: instance)
      recorder = Recorder(surroundings, snapshot: snapshot, replaying: events)
    } catch {
      throw .invalidSnapshot(error.reason)
    }
  }

  /// Returns the client of a site: the same one for each call with the same site code.
  ///
  /// - Parameters:
  ///   - siteCode: The site's code.
  ///   - standard: A default configuration to use until one is loaded, unless the log has one that was
  ///     modified later. An
  ///     invalid one is reported by ``ExperimentClient/lastRefreshError``.
  /// - Returns: The client.
  public func create(
    siteCode: String, default standard: ExperimentConfiguration? = nil
  ) -> ExperimentClient {
    let (client, isNew) = clients.withLock { clients in
      let key = TextKey(siteCode)
      if let client = clients[key] { return (client, false) }
      let client = ExperimentClient(
        siteCode: siteCode, loader: loader, surroundings: surroundings, settings: settings,
        recorder: recorder)
      clients[key] = client
      return (client, true)
    }
    if isNew, let standard { client.serve(standard) }
    return client
  }

  /// Returns a snapshot of the state as JSON: together with the later events, all that is needed to restore a
  /// factory.
  public func snapshot() -> String {
    recorder.snapshot.text
  }

  /// The current state.
  var state: ExperimentsState { recorder.read { $0 } }
}
