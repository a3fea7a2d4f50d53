internal import Events
internal import Threads

/// Where a host runs what the listeners are told; see ``ActiveConfig``.
public typealias ConfigDelivery = @Sendable (@escaping @Sendable () -> Void) -> Void

/// The name of a section, told apart by its bytes.
struct SectionID: Identifier {
  var rawValue: String

  init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What is in use, who listens, and what is still to be told.
///
/// What is to be told is queued in the same moment in which the change happens, so the queue has the order of
/// the changes. It is emptied by one call of the host's `deliver` at a time, whatever threads that uses, and no
/// lock is held while somebody is told. A call into the recorder may hold its lock while it comes here, never
/// the other way round.
final class Announcer: Sendable {
  let content: Monitor<AnnouncerContent>
  private let deliver: ConfigDelivery

  init(_ inUse: InUse, deliver: @escaping ConfigDelivery) {
    content = Monitor(AnnouncerContent(inUse: inUse))
    self.deliver = deliver
  }

  deinit {
    // Nothing is queued any more, or the host's `deliver` has dropped it: streams must end all the same.
    content.withLock { $0.removeAll() }.finish()
  }

  /// What is in use, and by whom.
  var inUse: InUse { content.withLock { $0.inUse } }

  /// Which groups are watched.
  var exposures: [Exposure] { content.withLock { $0.exposures } }

  /// Puts a configuration in use, or has another user, and queues what listeners hear of it.
  func use(_ inUse: InUse) {
    content.withLock { $0.use(inUse) }
  }

  /// Queues a notice.
  func queue(_ notice: ConfigNotice) {
    content.withLock { $0.queue(notice) }
  }

  /// Watches a group. Of two with the same experiment the later one holds.
  func watch(_ exposure: Exposure) {
    content.withLock { content in
      content.exposures.removeAll { $0.experiment == exposure.experiment }
      content.exposures.append(exposure)
    }
  }

  /// Adds a listener and queues its first delivery, if there is something to tell.
  func register(_ section: SectionID, _ listener: Listener) -> Int {
    let id = content.withLock { $0.register(section, listener) }
    flush()
    return id
  }

  /// Removes a listener; what was queued for it is not told any more.
  func unregister(_ id: Int) {
    // The listener is let go outside of the lock: with it may go a subscription, which comes here again.
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

  /// Whether a download for the user may begin: one at a time.
  func beginDownload(of unit: UnitID) -> Bool {
    content.withLock { $0.downloads.insert(unit).inserted }
  }

  func endDownload(of unit: UnitID) {
    content.withLock { _ = $0.downloads.remove(unit) }
  }

  /// Has all listeners forgotten and all streams ended, after what is queued.
  func close() {
    content.withLock { $0.close() }
    flush()
  }

  /// Hands over what is queued. No lock may be held by the caller.
  func flush() {
    if content.withLock({ $0.schedule() }) { deliver { self.drain() } }
  }

  private func drain() {
    while let step = content.withLock({ $0.nextStep() }) { step.run() }
  }
}

/// What is in use: a user's configuration, and since when the log has it.
struct InUse: Sendable {
  /// The user; the empty name is no user.
  var unit: UnitID
  var configuration: ConfigurationState
  /// When the configuration came; nil when it is the initial one, or empty.
  var since: Timestamp?
  /// What the values of keys are when they have none.
  var schema: ConfigSchema?

  /// The user as a host names it.
  var user: String? { unit.rawValue.isEmpty ? nil : unit.rawValue }

  /// The section with the defaults of the schema.
  func section(_ name: String) -> ConfigSection? {
    guard var section = configuration.section(name) else { return nil }
    if let schema { section.defaults = schema.defaults(of: name) }
    return section
  }
}

/// A key of the meta that holds the group of an experiment.
struct Exposure: Sendable {
  let experiment: ExperimentID
  let metaKey: String
}
