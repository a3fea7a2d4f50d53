internal import DecidingCore
internal import Events
internal import Threads

/// The experiments of one site: which variation a visitor gets, and what is known of visitors.
///
/// A client may be used from any task. Every call takes its turn behind one lock, in which it appends its
/// events to the log and only then changes what is known; the order in the log is the order of the calls. The
/// lock is never held while anything waits, and no closure of a caller runs inside it.
public final class ExperimentClient: Sendable {
  /// What happens beside the log.
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
  /// Whether the settings have anything that may keep a user out.
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

  /// Whether a configuration has been applied. Once true it stays so.
  public var ready: Bool { readiness.isReady }

  /// Waits for the first configuration.
  ///
  /// - Parameter timeout: How long at most; nothing or less answers at once.
  /// - Returns: True as soon as the client is ready; false when the time has passed first: show the reference
  ///   then.
  public func runWhenReady(timeout: Duration = .milliseconds(2_000)) async -> Bool {
    await readiness.wait(atMost: timeout)
  }

  /// Calls back once, as soon as the client is ready or the time has passed; at once when it is ready already.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait at most.
  ///   - callback: Gets true when the client is ready, false when the time has passed first.
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

  /// The latest visit of a user; nil when there was none. When it is not open any more its results are final.
  public func visit(of userID: String) -> SiteVisit? {
    recorder.perform { turn in
      turn.state.visitors[UnitID(userID)]?.visits.latest(at: turn.now)
    }
  }

  /// What is known, as JSON: what ``ClientFactory`` restores. It holds every site of the factory.
  public func snapshot() -> String {
    recorder.snapshot.text
  }

  /// What went wrong without stopping anything, such as an override to a variation that is not there; each
  /// once, and the first hundred at most.
  /// What the configuration in use has that is not understood comes first.
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

// What triggers, flags and consent are made of. All of it is called inside `recorder.perform`.
extension ExperimentClient {
  /// The id of a user who may have events.
  func unit(_ userID: String) throws(ExperimentError) -> UnitID {
    guard (1...255).contains(userID.utf8.count) else { throw .visitorCodeInvalid(userID) }
    return UnitID(userID)
  }

  /// The site's configuration in use.
  func site(in state: ExperimentsState) throws(ExperimentError) -> Site {
    guard let site = state.sites[TextKey(siteCode)] else { throw .sdkNotReady }
    return site
  }

  /// What targeting may know of a visitor now, the data that wait in the buffer included.
  ///
  /// - Complexity: O(what is known of the visitor).
  func facts(of unit: UnitID, in turn: Turn<ExperimentsState>) -> VisitorFacts {
    let visitor = turn.state.visitors[unit] ?? ExperimentsState.Visitor()
    var facts = VisitorFacts(
      userID: unit.rawValue, now: turn.now, knowledge: visitor.knowledge, visits: visitor.visits,
      assignments: visitor.assignments)
    facts.kinds = turn.state.sites[TextKey(siteCode)]?.kinds ?? [:]
    facts.visits.activity(at: turn.now)
    for event in buffer.withLock({ $0.known(of: unit) }) { facts.knowledge.apply(event.payload) }
    return facts
  }

  /// Appends the visitor's data and then what this call itself says, as one batch, and empties the buffer. When
  /// the log does not take them nothing changes.
  ///
  /// - Parameters:
  ///   - payload: What this call itself says of the visitor; nil is nothing.
  ///   - unit: The visitor.
  ///   - first: Events that go ahead of everything else.
  ///   - turn: The call's turn at the state.
  /// - Throws: ``ExperimentError/notRecorded(_:)``.
  func record(
    _ payload: consuming Payload?, of unit: UnitID, after first: [Event] = [],
    in turn: inout Turn<ExperimentsState>
  ) throws(ExperimentError) {
    let pending = buffer.withLock { $0.pending(of: unit) }
    if first.isEmpty, pending.isEmpty {
      // The usual case, without a list to which events are copied, and without a copy of the payload.
      guard let payload = consume payload else { return }
      let id = EventID(turn.nextID())
      let event = Event(
        time: turn.now, unit: unit, id: id, system: turn.origin.system,
        instance: turn.origin.instance, payload: payload)
      try append([event], in: &turn)
      return
    }
    var events = first + pending
    if let payload { events.append(turn.event(unit, payload)) }
    try append(events, in: &turn)
    if !pending.isEmpty { buffer.withLock { $0.sent(unit) } }
  }

  /// Appends the visitor's data and then the payloads, as ``record(_:of:after:in:)`` does.
  func record(
    _ payloads: [Payload], of unit: UnitID, after first: [Event] = [],
    in turn: inout Turn<ExperimentsState>
  ) throws(ExperimentError) {
    let pending = buffer.withLock { $0.pending(of: unit) }
    var events = first + pending
    for payload in payloads { events.append(turn.event(unit, payload)) }
    try append(events, in: &turn)
    if !pending.isEmpty { buffer.withLock { $0.sent(unit) } }
  }

  /// Appends events as one batch.
  func append(
    _ events: [Event], in turn: inout Turn<ExperimentsState>
  ) throws(ExperimentError) {
    do throws(NotRecorded) {
      try turn.record(events)
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}
