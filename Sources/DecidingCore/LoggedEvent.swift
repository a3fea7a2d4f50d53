public import Events

/// An event of a log and where it stands there: what a front is best made from, because then it knows which
/// events its snapshot has seen already, whatever was left out or erased between them.
public struct LoggedEvent: Hashable, Sendable {
  /// The event's place in the log.
  public var position: UInt64
  /// What happened.
  public var event: Event

  /// Names an event and its place.
  public init(position: UInt64, event: Event) {
    self.position = position
    self.event = event
  }
}

/// What a front can be made from: an event with its position in the log, or one that is taken to stand right
/// after the one before.
public protocol ReplayableEvent: Sendable {
  /// The event, and its position where it is known.
  var replayed: (event: Event, position: UInt64?) { get }
}

extension LoggedEvent: ReplayableEvent {
  /// The event and its position.
  public var replayed: (event: Event, position: UInt64?) { (event, position) }
}

extension Event: ReplayableEvent {
  /// The event alone.
  public var replayed: (event: Event, position: UInt64?) { (self, nil) }
}
