public import Events

/// The state of a deciding system: a pure value, derived from the log alone.
public protocol DecidingState: Sendable, Equatable, Codable {
  /// The name of the system in the log.
  static var system: SystemID { get }

  /// Creates the state before the first event.
  init()

  /// Applies an event of this system or without a system. It reads no clock and never fails: events of an
  /// unknown kind, or that do not apply, change nothing.
  mutating func take(_ event: Event)
}

extension DecidingState {
  /// Creates the state after the events, in order.
  public init(
    replaying events: some Sequence<some ReplayableEvent>, instance: InstanceID? = nil
  ) {
    self.init()
    for event in events { apply(event.replayed.event, instance: instance) }
  }

  /// Applies an event, unless another system or instance wrote it.
  public mutating func apply(_ event: Event, instance: InstanceID? = nil) {
    if Origin(Self.system, instance: instance).reads(event) { take(event) }
  }
}
