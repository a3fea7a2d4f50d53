public import Events
public import Threads

/// The error for events that could not be recorded.
public struct NotRecorded: Error {
  /// The event that was not recorded, and why.
  public let reason: String

  /// Creates the error for a batch that the sink did not accept.
  @usableFromInline
  init(_ events: [Event], _ error: any Error) {
    let first = events.first.map(Self.name) ?? "no event"
    reason = (events.count > 1 ? "\(first) and \(events.count - 1) more" : first) + ": \(error)"
  }

  /// Creates the error for an event that could not be read back.
  @usableFromInline
  init(_ event: Event, _ problem: EventProblem) {
    reason = "\(Self.name(event)) could not be read back from a log: \(problem)"
  }

  private static func name(_ event: Event) -> String {
    let id = event.id.map { " " + $0.rawValue.quoted } ?? ""
    return "\(event.kind.name)\(id) of "
      + (event.unit.rawValue.isEmpty
        ? "everyone" : event.unit.rawValue.quoted)
  }
}

extension String {
  /// The text in double quotes and on one line, as a JSON string.
  fileprivate var quoted: String { JSONValue.string(self).description }
}

/// The parts that every system keeps behind one lock: the state, the generator, and the sink that every change is
/// appended to.
///
/// There is one way to change the state: events are appended to the sink and, once it has accepted them,
/// applied. So the state is a projection of the log by construction, and the order of events in the log is
/// the order of changes. The code that every call runs is inlinable, so that each system specializes it for
/// its own state; and public, because the compiler inlines nothing that is only of the package into other modules.
public final class Recorder<State: DecidingState>: Sendable {
  @usableFromInline let transaction: Monitor<Transaction<State>>
  @usableFromInline let time: any TimeSource

  /// Creates a recorder whose state is rebuilt from the events.
  package convenience init(
    _ surroundings: Surroundings, instance: InstanceID? = nil,
    replaying events: some Sequence<some ReplayableEvent>
  ) {
    let nothing = Snapshot(position: 0, instance: instance, state: State())
    self.init(surroundings, snapshot: nothing, replaying: events)
  }

  /// Restores a recorder from a snapshot and the events after its position; earlier ones are skipped.
  package init(
    _ surroundings: Surroundings, snapshot: Snapshot<State>,
    replaying events: some Sequence<some ReplayableEvent>
  ) {
    var snapshot = snapshot
    for event in events { snapshot.replay(event.replayed) }
    transaction = Monitor(Transaction(surroundings, snapshot))
    time = surroundings.time
  }

  /// Calls the closure with exclusive access to the state. The closure must not call the recorder.
  @inlinable
  public func read<Answer: Sendable>(_ body: (State) -> Answer) -> Answer {
    transaction.withLock { body($0.state) }
  }

  /// Calls the closure with exclusive access to the state, with the time read once. The closure must not call
  /// the recorder.
  @inlinable
  public func perform<Answer: Sendable, Problem: Error>(
    _ body: (inout Transaction<State>) throws(Problem) -> Answer
  ) throws(Problem) -> Answer {
    try transaction.withLock { transaction throws(Problem) in
      transaction.now = time.now
      return try body(&transaction)
    }
  }

  /// The state and its position, read together.
  package var snapshot: Snapshot<State> {
    transaction.withLock {
      Snapshot(position: $0.position, instance: $0.origin.instance, state: $0.state)
    }
  }
}

/// The time and ids for the events of one call.
public struct EventStamp: Sendable {
  /// The time of the call.
  package let now: Timestamp
  private let origin: Origin
  private let ids: any IDSource

  @usableFromInline
  init(now: Timestamp, origin: Origin, ids: any IDSource) {
    self.now = now
    self.origin = origin
    self.ids = ids
  }

  /// Returns an event at the time of the call, with a fresh id.
  @usableFromInline
  package func event(_ unit: UnitID, _ payload: Payload) -> Event {
    Event(
      time: now, unit: unit, id: EventID(ids.next()), system: origin.system,
      instance: origin.instance, payload: payload)
  }
}

/// The exclusive access of one call to the state.
public struct Transaction<State: DecidingState>: Sendable {
  /// The current state.
  @usableFromInline package internal(set) var state: State
  /// The position in the log after the last event that was replayed or appended.
  @usableFromInline package internal(set) var position: UInt64
  /// The system and instance that write the events.
  @usableFromInline package let origin: Origin
  /// The random generator.
  package var random: any RandomNumberGenerator & Sendable
  /// The time of the call.
  @usableFromInline package internal(set) var now = Timestamp(microseconds: 0)

  @usableFromInline let ids: any IDSource
  @usableFromInline let sink: any EventSink
  /// The events applied but not yet appended; nil outside a batch.
  @usableFromInline var pending: [Event]?
  /// Reused for each event before it goes to the sink, so that its buffers are allocated once.
  @usableFromInline var scratch = EventRecord()

  fileprivate init(_ surroundings: Surroundings, _ snapshot: Snapshot<State>) {
    state = snapshot.state
    position = snapshot.position
    origin = Origin(State.system, instance: snapshot.instance)
    random = surroundings.random
    ids = surroundings.ids
    sink = surroundings.sink
  }

  /// Returns a fresh id, for an event or a session.
  @inlinable public func nextID() -> String { ids.next() }

  /// Returns an event at the time of the call, with a fresh id.
  @inlinable
  public func event(_ unit: UnitID, _ payload: Payload) -> Event { stamp.event(unit, payload) }

  /// The time and ids for the events of this call, for use outside the transaction.
  @inlinable public var stamp: EventStamp { EventStamp(now: now, origin: origin, ids: ids) }

  /// Appends the events as one batch and applies them. When the sink does not accept them, or one of them
  /// could not be read back, nothing changes.
  @inlinable
  public mutating func record(_ events: [Event]) throws(NotRecorded) {
    guard !events.isEmpty else { return }
    if pending != nil {
      pending?.append(contentsOf: events)
    } else {
      try append(events)
    }
    // By index, because iterating over the elements would copy each event with all its parts.
    for index in events.indices { state.take(events[index]) }
  }

  /// Applies events that were appended to the log by someone else, or before the system was started. Events before
  /// the position are reflected in the state already, and are skipped.
  ///
  /// - Parameter events: Events with their positions, in the order of the log.
  @inlinable
  public mutating func absorb(_ events: [LoggedEvent]) {
    let events = events.span
    for index in events.indices where events[index].position >= position {
      if origin.reads(events[index].event) { state.take(events[index].event) }
      position = events[index].position &+ 1
    }
  }

  /// Changes the state without an event: the change is not recorded, and a replay does not restore it.
  @inlinable
  public mutating func adopt<Answer>(_ body: (inout State) -> Answer) -> Answer { body(&state) }

  /// Combines all events that the closure records into one batch: each part is applied at once, so that the
  /// next one sees it, and at the end all are appended to the sink together. No one else sees events that are
  /// not appended yet, because the transaction has not ended.
  ///
  /// - Parameters:
  ///   - body: Records any number of events.
  ///   - undo: Restores the earlier state, when the sink does not accept the batch.
  /// - Returns: The result of the body.
  /// - Throws: ``NotRecorded``, when nothing has changed.
  @inlinable
  public mutating func together<Answer>(
    _ body: (inout Transaction) -> Answer, undo: (inout State) -> Void
  ) throws(NotRecorded) -> Answer {
    pending = []
    let answer = body(&self)
    let events = pending ?? []
    pending = nil
    guard !events.isEmpty else { return answer }
    do {
      try append(events)
    } catch {
      undo(&state)
      throw error
    }
    return answer
  }

  /// Appends events. Others may append to the same log in the meantime; their events are not for this system.
  /// If the sink's positions do not continue those of the replayed events, positions are counted from the latter.
  @inlinable
  mutating func append(_ events: [Event]) throws(NotRecorded) {
    // Checked here for any sink: events that could not be read back are rejected.
    for index in events.indices {
      do throws(EventProblem) {
        try scratch.load(events[index])
      } catch {
        throw NotRecorded(events[index], error)
      }
    }
    do {
      let positions = try sink.append(events)
      position = max(position &+ UInt64(events.count), positions.upperBound)
    } catch {
      throw NotRecorded(events, error)
    }
  }
}
