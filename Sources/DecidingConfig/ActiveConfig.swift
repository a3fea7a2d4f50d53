public import DecidingCore
public import Events

/// The configuration of an app's user: sections of typed settings, downloaded when the app asks, kept for the
/// next launch in the log, with listeners that are told when their section changes.
///
/// The configuration of a user is the user's own one, as the log has it; else that of no user; else the initial
/// one; else the empty one. It is looked up when the front is made and whenever another user is set, and nothing
/// is ever downloaded unless ``download()`` is called.
///
/// A front may be used from any thread and any task. Changes have one order, which is that of the log and that
/// in which listeners hear of them. Listeners run where `deliver` runs them, by default one after the other in a
/// task of the front: never while a lock is held, so a listener may call the front. An unregistered listener is
/// not called any more, but for a call that another thread had begun.
///
/// An override by force, as other systems have it, is ``set(_:)`` here: the values and what is logged of them
/// stay together. What would be answered is said by ``preview(_:)`` and ``configuration(of:)``.
public final class ActiveConfig: Sendable {
  let downloader: any ConfigDownloader
  let mode: ConfigurationState.Mode
  let schema: ConfigSchema?
  let time: any TimeSource
  let recorder: Recorder<ActiveConfigState>
  let announcer: Announcer
  private let initial: ConfigurationState?

  /// Makes a front from the events of a log.
  ///
  /// - Parameters:
  ///   - downloader: Where configurations come from.
  ///   - user: Whose configuration is in use; nil, or an empty text, for no user.
  ///   - initial: What is in use as long as the log has nothing for the user.
  ///   - schema: What the values may be; nil for anything.
  ///   - mode: How strictly downloaded documents are read.
  ///   - deliver: Runs the closures that tell listeners. It is called outside of any lock, at most one closure
  ///     of a front is waiting or running at a time, and it should return before it runs the closure: one that
  ///     runs it at once tells listeners inside the call that registers them.
  ///   - instance: Its name, where several fronts share a log.
  ///   - surroundings: The clock, the ids, and the sink of the events.
  ///   - events: What the log holds so far.
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

  /// Makes a front from a snapshot and the events after its position.
  ///
  /// - Throws: ``ConfigError/invalidSnapshot(_:)``; the log is replayed instead.
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

  /// A way to deliver: a serial queue of its own, which keeps the order.
  public static func serially() -> ConfigDelivery {
    let queue = SerialQueue()
    return { queue.run($0) }
  }

  /// State and position as JSON, to start from later.
  public func snapshot() -> String {
    recorder.snapshot.text
  }

  // MARK: - What is in use

  /// The user whose configuration is in use; nil for no user.
  public var user: String? { announcer.inUse.user }

  /// The configuration in use.
  public var configuration: ConfigurationState { announcer.inUse.configuration }

  /// The section in use; nil when there is none.
  public func section(_ name: String) -> ConfigSection? { announcer.inUse.section(name) }

  /// The section in use; nil when there is none.
  public subscript(_ section: String) -> ConfigSection? { self.section(section) }

  /// Everything in `meta`.
  public var meta: JSONObject { configuration.meta }

  /// The version that the document names; empty when it names none, and `1.0` for the empty configuration.
  public var formatVersion: String { configuration.formatVersion }

  /// When the server made the document; nil when it does not say so.
  public var creationTime: Timestamp? { configuration.creationTime }

  /// Whether a download was applied since the log began, for whichever user; until then there may be values
  /// in use that were never compared with the server's.
  public var hasDownloaded: Bool { recorder.read(\.hasDownloaded) }

  /// Whether what is in use came to the log that long ago, or longer, or never came. A download that brings
  /// the same again is not in the log, and leaves the answer as it is.
  public func isStale(after duration: Duration) -> Bool {
    guard let since = announcer.inUse.since else { return true }
    let (seconds, rest) = duration.components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isOver else { return duration < .zero }
    let (limit, isBeyond) = whole.addingReportingOverflow(rest / 1_000_000_000_000)
    return isBeyond ? duration < .zero : time.now.microseconds(since: since) >= limit
  }

  /// The configuration that would be in use if the user were set now.
  public func configuration(of user: String?) -> ConfigurationState {
    let unit = UnitID(user ?? "")
    return recorder.perform { turn in
      lookUp(unit, in: turn.state, now: turn.now).configuration
    }
  }

  /// What listeners would be told if the configuration were set now, by section, ascending. Nothing is appended.
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

  /// What is in use for a user, by the log.
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
