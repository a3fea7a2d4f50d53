internal import Events
internal import Threads

/// A function that runs the closures that notify listeners; see ``ActiveConfig``.
public typealias ConfigDelivery = @Sendable (@escaping @Sendable () -> Void) -> Void

/// The name of a section, compared by its bytes.
struct SectionID: Identifier {
  var rawValue: String

  init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The configuration in use, its listeners, and the queue of deliveries.
///
/// Deliveries are queued at the moment of the change, so the queue has the order of the changes. It is
/// drained by one call of the app's `deliver` at a time, on any thread, and no lock is held while a listener
/// runs. The recorder may hold its lock while it calls methods here, never the other way round.
final class Announcer: Sendable {
  let content: Monitor<AnnouncerContent>
  private let deliver: ConfigDelivery

  init(_ inUse: InUse, deliver: @escaping ConfigDelivery) {
    content = Monitor(AnnouncerContent(inUse: inUse))
    self.deliver = deliver
  }

  deinit {
    // The queue is empty, or the app's `deliver` has dropped it: streams must end all the same.
    content.withLock { $0.removeAll() }.finish()
  }

  /// The configuration in use and its user.
  var inUse: InUse { content.withLock { $0.inUse } }

  /// The observed groups.
  var exposures: [Exposure] { content.withLock { $0.exposures } }

  /// Applies a configuration or changes the user, and queues the deliveries to listeners.
  func use(_ inUse: InUse) {
    content.withLock { $0.use(inUse) }
  }

  /// Queues a notice.
  func queue(_ notice: ConfigNotice) {
    content.withLock { $0.queue(notice) }
  }

  /// Observes a group. Of two with the same experiment the later one applies.
  func watch(_ exposure: Exposure) {
    content.withLock { content in
      content.exposures.removeAll { $0.experiment == exposure.experiment }
      content.exposures.append(exposure)
    }
  }

  /// Adds a listener and queues its first delivery, if the section exists.
  func register(_ section: SectionID, _ listener: Listener) -> Int {
    let id = content.withLock { $0.register(section, listener) }
    flush()
    return id
  }

  /// Removes a listener; its queued deliveries are dropped.
  func unregister(_ id: Int) {
    // The listener is released outside of the lock: with it a subscription may be released, which calls this
    // again.
    _ = content.withLock { $0.unregister(id) }
  }

  /// Adds a stream of notices.
  func addStream(_ stream: AsyncStream<ConfigNotice>.Continuation) -> Int {
    content.withLock { $0.add(stream) }
  }

  /// Removes a stream of notices.
  func removeStream(_ id: Int) {
    _ = content.withLock { $0.streams.removeValue(forKey: id) }
  }

  /// Returns whether a download for the user can start: one at a time.
  func beginDownload(of unit: UnitID) -> Bool {
    content.withLock { $0.downloads.insert(unit).inserted }
  }

  func endDownload(of unit: UnitID) {
    content.withLock { _ = $0.downloads.remove(unit) }
  }

  /// Removes all listeners and ends all streams, after the queued deliveries.
  func close() {
    content.withLock { $0.close() }
    flush()
  }

  /// Delivers the queue. The caller must not hold a lock.
  func flush() {
    if content.withLock({ $0.schedule() }) { deliver { self.drain() } }
  }

  private func drain() {
    while let step = content.withLock({ $0.nextStep() }) { step.run() }
  }
}

/// The configuration in use for a user, and the time since when it is in the log.
struct InUse: Sendable {
  /// The user; the empty name for no user.
  var unit: UnitID
  var configuration: ConfigurationState
  /// The time at which the configuration was logged; nil when it is the initial one, or empty.
  var since: Timestamp?
  /// The schema, which has the default values.
  var schema: ConfigSchema?

  /// The user as named by the app.
  var user: String? { unit.rawValue.isEmpty ? nil : unit.rawValue }

  /// Returns the section with the defaults of the schema.
  func section(_ name: String) -> ConfigSection? {
    guard var section = configuration.section(name) else { return nil }
    if let schema { section.defaults = schema.defaults(of: name) }
    return section
  }
}

/// A key of `meta` with the group of an experiment.
struct Exposure: Sendable {
  let experiment: ExperimentID
  let metaKey: String
}
