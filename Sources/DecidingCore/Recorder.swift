package import Events
package import Threads

/// Why events were not recorded, and which.
package struct NotRecorded: Error {
  package let reason: String

  /// The sink did not take a batch.
  @usableFromInline
  init(_ events: [Event], _ error: any Error) {
    let first = events.first.map(Self.name) ?? "no event"
    reason = (events.count > 1 ? "\(first) and \(events.count - 1) more" : first) + ": \(error)"
  }

  /// An event could not be read back.
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
  /// The text in double quotes and on one line, as JSON has it.
  fileprivate var quoted: String { JSONValue.string(self).description }
}

/// What every front keeps behind one lock: the state, the generator, and the sink that hears of every change.
///
/// State changes in one way only: events are appended to the sink and, once it took them, applied. So the
/// state is a projection of the log by construction, and the order in the log is the order in which it
/// changed. What each call goes through is inlinable, so that each system has it made for its own state.
package final class Recorder<State: DecidingState>: Sendable {
  @usableFromInline let turn: Monitor<Turn<State>>
  @usableFromInline let time: any TimeSource

  /// Starts from what the events say.
  package convenience init(
    _ surroundings: Surroundings, instance: InstanceID? = nil,
    replaying events: some Sequence<some ReplayableEvent>
  ) {
    let nothing = Snapshot(position: 0, instance: instance, state: State())
    self.init(surroundings, snapshot: nothing, replaying: events)
  }

  /// Starts from a snapshot and the events after its position; those before it are passed over.
  package init(
    _ surroundings: Surroundings, snapshot: Snapshot<State>,
    replaying events: some Sequence<some ReplayableEvent>
  ) {
    var snapshot = snapshot
    for event in events { snapshot.replay(event.replayed) }
    turn = Monitor(Turn(surroundings, snapshot))
    time = surroundings.time
  }

  /// Calls the closure when no other thread is at the state. It must not come back to the recorder.
  @inlinable
  package func read<Answer: Sendable>(_ body: (State) -> Answer) -> Answer {
    turn.withLock { body($0.state) }
  }

  /// Calls the closure when no other thread is at the state, with the time read once. It must not come back
  /// to the recorder.
  @inlinable
  package func perform<Answer: Sendable, Problem: Error>(
    _ body: (inout Turn<State>) throws(Problem) -> Answer
  ) throws(Problem) -> Answer {
    try turn.withLock { turn throws(Problem) in
      turn.now = time.now
      return try body(&turn)
    }
  }

  /// State and position, taken together.
  package var snapshot: Snapshot<State> {
    turn.withLock {
      Snapshot(position: $0.position, instance: $0.origin.instance, state: $0.state)
    }
  }
}

/// Makes events of one moment.
package struct EventStamp: Sendable {
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

  /// An event of now, with a fresh id.
  @usableFromInline
  package func event(_ unit: UnitID, _ payload: Payload) -> Event {
    Event(
      time: now, unit: unit, id: EventID(ids.next()), system: origin.system,
      instance: origin.instance, payload: payload)
  }
}

/// One call's turn at the state.
package struct Turn<State: DecidingState>: Sendable {
  /// What is known.
  @usableFromInline package internal(set) var state: State
  /// The position in the log after the last event that was replayed or appended.
  @usableFromInline package internal(set) var position: UInt64
  /// Which front writes the events.
  @usableFromInline package let origin: Origin
  /// Draws come from here.
  package var random: any RandomNumberGenerator & Sendable
  /// When the call came.
  @usableFromInline package internal(set) var now = Timestamp(microseconds: 0)

  @usableFromInline let ids: any IDSource
  @usableFromInline let sink: any EventSink
  /// What was applied and not appended yet; nil outside a batch.
  @usableFromInline var pending: [Event]?
  /// Filled with each event before the sink gets it, again and again, so that its buffers are allocated once.
  @usableFromInline var scratch = EventRecord()

  fileprivate init(_ surroundings: Surroundings, _ snapshot: Snapshot<State>) {
    state = snapshot.state
    position = snapshot.position
    origin = Origin(State.system, instance: snapshot.instance)
    random = surroundings.random
    ids = surroundings.ids
    sink = surroundings.sink
  }

  /// A fresh id, for an event or a session.
  @inlinable package func nextID() -> String { ids.next() }

  /// An event of now, with a fresh id.
  @inlinable
  package func event(_ unit: UnitID, _ payload: Payload) -> Event { stamp.event(unit, payload) }

  /// What makes the events of this call, for whoever has no turn.
  @inlinable package var stamp: EventStamp { EventStamp(now: now, origin: origin, ids: ids) }

  /// Appends the events as one batch and applies them. When the sink does not take them, or one of them could not
  /// be read back, nothing changes.
  @inlinable
  package mutating func record(_ events: [Event]) throws(NotRecorded) {
    guard !events.isEmpty else { return }
    if pending != nil {
      pending?.append(contentsOf: events)
    } else {
      try append(events)
    }
    // By index, as a loop over the elements would copy each event with all its parts.
    for index in events.indices { state.take(events[index]) }
  }

  /// Takes over something that no event says: it is not recorded, and a replay does not bring it back.
  @inlinable
  package mutating func adopt<Answer>(_ body: (inout State) -> Answer) -> Answer { body(&state) }

  /// Makes one batch of all that the closure records: each part is applied at once, so that the next one sees
  /// it, and in the end the sink gets everything together. Nobody else sees what is not appended yet, as the
  /// turn is not over.
  ///
  /// - Parameters:
  ///   - body: Records whatever it likes.
  ///   - undo: Puts the state back as it was, when the sink does not take the batch.
  /// - Returns: What the body answers.
  /// - Throws: ``NotRecorded``, when nothing has changed.
  @inlinable
  package mutating func together<Answer>(
    _ body: (inout Turn) -> Answer, undo: (inout State) -> Void
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

  /// Others may append to the same log meanwhile; what they write is not for this front. A sink that does not
  /// go on where the events ended that were replayed is counted on from there.
  @inlinable
  mutating func append(_ events: [Event]) throws(NotRecorded) {
    // Whatever the sink: what it takes is answered for.
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
