public import Events

/// What a deciding system knows: a pure value, made of the log alone.
public protocol DecidingState: Sendable, Equatable, Codable {
  /// The name of the system in the log.
  static var system: SystemID { get }

  /// What is known before the first event.
  init()

  /// Takes an event into account that is of this system or of none. It reads no clock and never fails: an event
  /// of an unknown kind, or that fits nothing, changes nothing.
  mutating func take(_ event: Event)
}

extension DecidingState {
  /// What is known after the events, in their order.
  public init(
    replaying events: some Sequence<some ReplayableEvent>, instance: InstanceID? = nil
  ) {
    self.init()
    for event in events { apply(event.replayed.event, instance: instance) }
  }

  /// Takes an event into account, unless another system or instance wrote it.
  public mutating func apply(_ event: Event, instance: InstanceID? = nil) {
    if Origin(Self.system, instance: instance).reads(event) { take(event) }
  }
}
