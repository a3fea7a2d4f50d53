public import Events

/// What a deciding system knows: a pure value, made of the log alone.
public protocol DecidingState: Sendable, Equatable, Codable {
  /// What is known before the first event.
  init()

  /// Takes an event into account. It reads no clock and never fails: an event of another system, of an
  /// unknown kind, or that fits nothing changes nothing.
  mutating func apply(_ event: Event)
}

extension DecidingState {
  /// What is known after the events, in their order.
  public init(replaying events: some Sequence<Event>) {
    self.init()
    for event in events { apply(event) }
  }
}
