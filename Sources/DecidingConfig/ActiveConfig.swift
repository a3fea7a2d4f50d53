public import DecidingCore
public import Events

/// The remote configuration of an app's user: sections of typed settings, downloaded on request, stored in
/// the log for the next launch, with listeners that are notified when their section changes.
///
/// The configuration in use is the user's own one in the log; else that of no user; else the initial one;
/// else the empty one. It is looked up on creation and whenever another user is set, and nothing is
/// downloaded unless ``download()`` is called.
///
/// Methods can be called from any thread and any task. Changes have one order, which is that of the log and
/// of the deliveries to listeners. Listeners run where `deliver` runs them, by default one after the other in
/// a task of this object: never while a lock is held, so a listener can call its methods. An unregistered
/// listener is not called any more, except for a call that another thread had already started.
///
/// To force a value, as with the overrides of other systems, use ``set(_:)``: the values then always agree
/// with the log. For previews, see ``preview(_:)`` and ``configuration(of:)``.
public final class ActiveConfig: Sendable {
  let downloader: any ConfigDownloader
  let mode: ConfigurationState.Mode
  let schema: ConfigSchema?
  let time: any TimeSource
  let recorder: Recorder<ActiveConfigState>
  let announcer: Announcer
  private let initial: ConfigurationState?

  /// Creates a configuration, rebuilding its state from the events of a log.
  ///
  /// - Parameters:
  ///   - downloader: The source of configurations.
  ///   - user: The current user; nil, or an empty text, for no user.
  ///   - initial: The configuration to use while the log has none for the user.
  ///   - schema: The allowed values; nil for any.
  ///   - mode: How strictly downloaded documents are read.
  ///   - deliver: Runs the closures that notify listeners. It is called outside of any lock, with at most one
  ///     closure of
  ///     this object waiting or running at a time, and it should return before it runs the closure: otherwise
  ///     listeners are called within the call that registers them.
  ///   - instance: The instance name, where several share a log.
  ///   - surroundings: The clock, the ids, and the sink of the events.
  ///   - events: The events already in the log.
  public convenience init<Replayed: Sequence>(
    downloader: any ConfigDownloader, user: String? = nil, initial: ConfigurationState? = nil,
    schema: ConfigSchema? = nil, mode: ConfigurationState.Mode = .lenient,
    deliver: @escaping ConfigDelivery = ActiveConfig.serially(), instance: InstanceID? = nil,
    surroundings: Surroundings,
    replaying events: Replayed = [Event]()
  ) where Replayed.Element: ReplayableEvent {
    self.init(
      downloader: downloader, user: user, initial: initial, schema: schema, mode: mode,
      deliver: deliver, time: surroundings.time,
      recorder: Recorder(surroundings, instance: instance, replaying: events))
  }

  /// Restores a configuration from a snapshot and the events after its position.
  ///
  /// - Throws: ``ConfigError/invalidSnapshot(_:)``; the log can be replayed instead.
  public convenience init<Replayed: Sequence>(
    downloader: any ConfigDownloader, user: String? = nil, initial: ConfigurationState? = nil,
    schema: ConfigSchema? = nil, mode: ConfigurationState.Mode = .lenient,
    deliver: @escaping ConfigDelivery = ActiveConfig.serially(), instance: InstanceID? = nil,
    surroundings: Surroundings, restoring snapshot: String,
    replaying events: Replayed = [Event]()
  ) throws(ConfigError) where Replayed.Element: ReplayableEvent {
    let start: Snapshot<ActiveConfigState>
    do {
      start = try Snapshot(parsing: snapshot, instance: instance)
    } catch {
      throw .invalidSnapshot(error.reason)
    }
    self.init(
      downloader: downloader, user: user, initial: initial, schema: schema, mode: mode,
      deliver: deliver, time: surroundings.time,
      recorder: Recorder(surroundings, snapshot: start, replaying: events))
  }

  private init(
    downloader: any ConfigDownloader, user: String?, initial: ConfigurationState?,
    schema: ConfigSchema?, mode: ConfigurationState.Mode, deliver: @escaping ConfigDelivery,
    time: any TimeSource, recorder: Recorder<ActiveConfigState>
  ) {
    self.downloader = downloader
    self.mode = mode
    self.schema = schema
    self.time = time
    self.recorder = recorder
    self.initial = initial
    let state = recorder.read { $0 }
    let inUse = Self.lookUp(
      UnitID(user ?? ""), in: state, initial: initial, schema: schema, now: time.now)
    announcer = Announcer(inUse, deliver: deliver)
  }

  deinit { announcer.close() }

  /// Returns a delivery on a new serial queue, which preserves the order.
  public static func serially() -> ConfigDelivery {
    let queue = SerialQueue()
    return { queue.run($0) }
  }

  /// Returns a snapshot of the state and its position, as JSON.
  public func snapshot() -> String {
    recorder.snapshot.text
  }

  // MARK: - The configuration in use

  /// The current user; nil for no user.
  public var user: String? { announcer.inUse.user }

  /// The configuration in use.
  public var configuration: ConfigurationState { announcer.inUse.configuration }

  /// Returns the section in use; nil when there is none.
  public func section(_ name: String) -> ConfigSection? { announcer.inUse.section(name) }

  /// Returns the section in use; nil when there is none.
  public subscript(_ section: String) -> ConfigSection? { self.section(section) }

  /// All members of `meta`.
  public var meta: JSONObject { configuration.meta }

  /// The format version of the document; empty when it has none, and `1.0` for the empty configuration.
  public var formatVersion: String { configuration.formatVersion }

  /// The time at which the server created the document; nil when it does not say.
  public var creationTime: Timestamp? { configuration.creationTime }

  /// Whether a download was applied since the log began, for any user; until then, values in use may never
  /// have been compared with the server's.
  public var hasDownloaded: Bool { recorder.read(\.hasDownloaded) }

  /// Returns whether the configuration in use was logged at least that long ago, or never. A download of an
  /// unchanged configuration is not logged, and does not affect the result.
  public func isStale(after duration: Duration) -> Bool {
    guard let since = announcer.inUse.since else { return true }
    let (seconds, rest) = duration.components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isOver else { return duration < .zero }
    let (limit, isBeyond) = whole.addingReportingOverflow(rest / 1_000_000_000_000)
    return isBeyond ? duration < .zero : time.now.microseconds(since: since) >= limit
  }

  /// Returns the configuration that would be in use if the user were set now.
  public func configuration(of user: String?) -> ConfigurationState {
    let unit = UnitID(user ?? "")
    return recorder.perform { transaction in
      lookUp(unit, in: transaction.state, now: transaction.now).configuration
    }
  }

  /// Returns the changes that listeners would receive if the configuration were set now, by section,
  /// ascending. Nothing is appended.
  ///
  /// - Throws: ``ConfigError/wrongType(path:expected:)`` when the schema does not allow a value.
  public func preview(_ state: ConfigurationState) throws(ConfigError) -> [ConfigChange] {
    if let violation = schema?.violation(in: state) { throw violation }
    let old = announcer.inUse
    let new = InUse(unit: old.unit, configuration: state, since: nil, schema: schema)
    return state.changedSections(since: old.configuration).map { name in
      ConfigChange(name: name, old: old.section(name), new: new.section(name))
    }
  }

  /// Returns the configuration in use for a user, by the log.
  func lookUp(_ unit: UnitID, in state: ActiveConfigState, now: Timestamp) -> InUse {
    Self.lookUp(unit, in: state, initial: initial, schema: schema, now: now)
  }

  private static func lookUp(
    _ unit: UnitID, in state: ActiveConfigState, initial: ConfigurationState?,
    schema: ConfigSchema?, now: Timestamp
  ) -> InUse {
    let stored = state.stored(unit) ?? state.stored("")
    return InUse(
      unit: unit,
      configuration: stored?.configuration ?? initial ?? ConfigurationState(at: now),
      since: stored?.time, schema: schema)
  }
}
