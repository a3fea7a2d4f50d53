import Events

/// Events in the order in which they count: by time, at equal times decisions and their confirmations first, then as the log
/// has them.
enum EventOrder {
  /// Some events in order, each with its place in the log.
  static func sorted(_ events: [Event]) -> [(offset: Int, element: Event)] {
    events.enumerated().sorted { isBefore($0, $1) }
  }

  static func isBefore(
    _ a: (offset: Int, element: Event), _ b: (offset: Int, element: Event)
  ) -> Bool {
    (a.element.time, rank(a.element), a.offset) < (b.element.time, rank(b.element), b.offset)
  }

  /// The rank of an event among those of the same time.
  static func rank(_ event: Event) -> Int {
    switch event.payload {
    case .decision, .decisionConfirmed: 0
    default: 1
    }
  }
}
