public import DecidingCore
public import Events
internal import Threads

/// Where the configuration of a site comes from.
public protocol ExperimentLoader: Sendable {
  /// The configuration as it is now.
  ///
  /// - Throws: Any error: the configuration in use then stays.
  func load(siteCode: String) async throws -> ExperimentConfiguration
}

/// What can be chosen about the clients of a factory.
public struct ExperimentSettings: Sendable {
  /// How long a started client waits before it loads the configuration again; nil loads it once.
  public var refreshInterval: Duration?
  /// Whether adding data is an activity of the visitor, which keeps the visit open.
  public var dataIsActivity: Bool
  /// How many data a client keeps until they are sent; when there are more the oldest go.
  public var bufferCapacity: Int
  /// What may keep users out of experiments: a holdout, exclusion groups, schedules.
  public var restrictions: Restrictions

  /// Makes settings; the usual ones by default.
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

/// Makes the clients of sites, one for each site code, which share one log and what it says of the visitors.
///
/// It may be used from any task: the map of clients is behind a lock of its own, and the state behind the lock
/// that every client takes for each call, so the order of events in the log is the order of the calls.
public final class ClientFactory: Sendable {
  private let loader: any ExperimentLoader
  private let settings: ExperimentSettings
  private let surroundings: Surroundings
  let recorder: Recorder<ExperimentsState>
  private let clients = Monitor([TextKey: ExperimentClient]())

  /// Makes a factory that knows what the events say.
  ///
  /// - Parameters:
  ///   - loader: Where configurations come from.
  ///   - surroundings: The world; its sink is the log.
  ///   - settings: The choices about clients.
  ///   - instance: Its name, where several factories share a log.
  ///   - events: What the log holds already.
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

  /// Makes a factory that knows what a snapshot says and the events after its position.
  ///
  /// - Throws: ``ExperimentError/invalidSnapshot(_:)``: it is of another system or version, or not whole.
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

  /// The client of a site: always the same one for the same site code.
  ///
  /// - Parameters:
  ///   - siteCode: The site's code.
  ///   - standard: A configuration that serves until one is loaded, unless the log has one that was modified
  ///     later. One that cannot be used is told by ``ExperimentClient/lastRefreshError``.
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

  /// What is known, as JSON: all that a factory needs beside the events that come after it.
  public func snapshot() -> String {
    recorder.snapshot.text
  }

  /// What is known.
  var state: ExperimentsState { recorder.read { $0 } }
}
