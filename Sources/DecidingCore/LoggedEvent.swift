public import Events

/// An event with its position in the log. Replaying these is preferred, because positions tell which events a
/// snapshot already includes, even if others have been left out or erased in between.
public struct LoggedEvent: Hashable, Sendable {
  /// The position in the log.
  public var position: UInt64
  /// The event.
  public var event: Event

  /// Creates an event with its position.
  public init(position: UInt64, event: Event) {
    self.position = position
    self.event = event
  }
}

/// An element that a system can be rebuilt from: an event with its position in the log, or an event alone,
/// which is assumed to directly follow the previous one.
public protocol ReplayableEvent: Sendable {
  /// The event, and its position where known.
  var replayed: (event: Event, position: UInt64?) { get }
}

extension LoggedEvent: ReplayableEvent {
  public var replayed: (event: Event, position: UInt64?) { (event, position) }
}

extension Event: ReplayableEvent {
  public var replayed: (event: Event, position: UInt64?) { (self, nil) }
}
