internal import DecidingCore
internal import Events
internal import Threads

/// The experiments of one site: assigns variations to visitors, and collects their data.
///
/// A client can be used from any task. Every call holds one lock while it appends its events to the log and
/// then updates the state, so events are logged in the order of the calls. The lock is never held across a
/// suspension, and no closure of a caller runs inside it.
public final class ExperimentClient: Sendable {
  /// The state that is not derived from the log.
  struct Upkeep {
    var refreshing: Task<Void, Never>?
    var lastRefreshError: ExperimentError?
    var warnings: [String] = []
  }

  /// The code of the site.
  public let siteCode: String
  let recorder: Recorder<ExperimentsState>
  /// Locked inside the recorder's lock, never around it.
  let buffer: Monitor<DataBuffer>
  let settings: ExperimentSettings
  /// Whether the settings have any restrictions.
  let isRestricted: Bool
  let time: any TimeSource
  let sink: any EventSink
  let loader: any ExperimentLoader
  let readiness: Readiness
  let upkeep = Monitor(Upkeep())

  init(
    siteCode: String, loader: any ExperimentLoader, surroundings: Surroundings,
    settings: ExperimentSettings, recorder: Recorder<ExperimentsState>
  ) {
    self.siteCode = siteCode
    self.loader = loader
    self.settings = settings
    isRestricted = settings.restrictions != Restrictions()
    self.recorder = recorder
    time = surroundings.time
    sink = surroundings.sink
    buffer = Monitor(DataBuffer(capacity: settings.bufferCapacity))
    let isReady = recorder.read { $0.sites[TextKey(siteCode)] != nil }
    readiness = Readiness(surroundings.time, isReady: isReady)
  }

  deinit {
    upkeep.withLock { $0.refreshing }?.cancel()
  }

  // MARK: Readiness

  /// Whether a configuration has been applied. It never becomes false again.
  public var ready: Bool { readiness.isReady }

  /// Waits for the first configuration.
  ///
  /// - Parameter timeout: The maximum time to wait; zero or less returns immediately.
  /// - Returns: True as soon as the client is ready; false on a timeout: show the reference then.
  public func runWhenReady(timeout: Duration = .milliseconds(2_000)) async -> Bool {
    await readiness.wait(atMost: timeout)
  }

  /// Calls the callback once: when the client becomes ready, on a timeout, or immediately when it is already
  /// ready.
  ///
  /// - Parameters:
  ///   - milliseconds: The maximum time to wait.
  ///   - callback: Receives true when the client is ready, false on a timeout.
  public func runWhenReady(
    _ milliseconds: Int = 2_000, _ callback: @escaping @Sendable (Bool) -> Void
  ) {
    if ready || milliseconds <= 0 {
      callback(ready)
    } else {
      Task { callback(await runWhenReady(timeout: .milliseconds(milliseconds))) }
    }
  }

  // MARK: Visits

  /// Returns the latest visit of a user; nil when there was none. Once it is closed, its results are final.
  public func visit(of userID: String) -> SiteVisit? {
    recorder.perform { transaction in
      transaction.state.visitors[UnitID(userID)]?.visits.latest(at: transaction.now)
    }
  }

  /// Returns a snapshot of the state as JSON, from which ``ClientFactory`` can be restored. It includes every
  /// site of the factory.
  public func snapshot() -> String {
    recorder.snapshot.text
  }

  /// Problems that did not stop anything, such as an override to a variation that does not exist; each once,
  /// and at most one hundred. Those of the configuration in use come first.
  public var warnings: [String] {
    let configured = recorder.read { $0.sites[TextKey(siteCode)]?.parts.warnings } ?? []
    return configured + upkeep.withLock { $0.warnings }
  }

  func warn(_ text: String) {
    upkeep.withLock { upkeep in
      guard upkeep.warnings.count < 100, !upkeep.warnings.contains(text) else { return }
      upkeep.warnings.append(text)
    }
  }
}

// Building blocks of triggers, flags and consent. All of them are called inside `recorder.perform`.
extension ExperimentClient {
  /// Returns the unit of a valid user id.
  func unit(_ userID: String) throws(ExperimentError) -> UnitID {
    guard (1...255).contains(userID.utf8.count) else { throw .visitorCodeInvalid(userID) }
    return UnitID(userID)
  }

  /// Returns the configuration in use of the site.
  func site(in state: ExperimentsState) throws(ExperimentError) -> Site {
    guard let site = state.sites[TextKey(siteCode)] else { throw .sdkNotReady }
    return site
  }

  /// Returns the facts about a visitor that targeting can read, including buffered data.
  ///
  /// - Complexity: O(data of the visitor).
  func facts(of unit: UnitID, in transaction: Transaction<ExperimentsState>) -> VisitorFacts {
    let visitor = transaction.state.visitors[unit] ?? ExperimentsState.Visitor()
    var facts = VisitorFacts(
      userID: unit.rawValue, now: transaction.now, knowledge: visitor.knowledge,
      visits: visitor.visits,
      assignments: visitor.assignments)
    facts.kinds = transaction.state.sites[TextKey(siteCode)]?.kinds ?? [:]
    facts.visits.activity(at: transaction.now)
    for event in buffer.withLock({ $0.known(of: unit) }) { facts.knowledge.apply(event.payload) }
    return facts
  }

  /// Appends the visitor's data and then the payload of this call, as one batch, and empties the buffer. When
  /// the log does not accept them, nothing changes.
  ///
  /// - Parameters:
  ///   - payload: The payload of this call; nil for none.
  ///   - unit: The visitor.
  ///   - first: Events that precede everything else.
  ///   - transaction: The call's access to the state.
  /// - Throws: ``ExperimentError/notRecorded(_:)``.
  func record(
    _ payload: consuming Payload?, of unit: UnitID, after first: [Event] = [],
    in transaction: inout Transaction<ExperimentsState>
  ) throws(ExperimentError) {
    let pending = buffer.withLock { $0.pending(of: unit) }
    if first.isEmpty, pending.isEmpty {
      // The common case: no list of events and no copy of the payload.
      guard let payload = consume payload else { return }
      let id = EventID(transaction.nextID())
      let event = Event(
        time: transaction.now, unit: unit, id: id, system: transaction.origin.system,
        instance: transaction.origin.instance, payload: payload)
      try append([event], in: &transaction)
      return
    }
    var events = first + pending
    if let payload { events.append(transaction.event(unit, payload)) }
    try append(events, in: &transaction)
    if !pending.isEmpty { buffer.withLock { $0.sent(unit) } }
  }

  /// Appends the visitor's data and then the payloads, as ``record(_:of:after:in:)`` does.
  func record(
    _ payloads: [Payload], of unit: UnitID, after first: [Event] = [],
    in transaction: inout Transaction<ExperimentsState>
  ) throws(ExperimentError) {
    let pending = buffer.withLock { $0.pending(of: unit) }
    var events = first + pending
    for payload in payloads { events.append(transaction.event(unit, payload)) }
    try append(events, in: &transaction)
    if !pending.isEmpty { buffer.withLock { $0.sent(unit) } }
  }

  /// Appends events as one batch.
  func append(
    _ events: [Event], in transaction: inout Transaction<ExperimentsState>
  ) throws(ExperimentError) {
    do throws(NotRecorded) {
      try transaction.record(events)
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}
