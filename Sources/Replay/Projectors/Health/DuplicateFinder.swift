/// Finds duplicate decisions, goals and conversions of a unit: events of the same time, kind, experiment, arm or goal,
/// point and slot that a goal names, and number. Other fields (ids, metadata, context) are not compared.
struct DuplicateFinder: Sendable {
  /// The events at the current time.
  private var events: [(event: UnitEvent, named: UInt32?)] = []

  /// The number of events up to which all pairs are compared.
  private static let few = 8

  /// Processes the next event of the unit; calls the closure with the duplicates of the time that ended before it.
  mutating func take(_ event: UnitEvent, naming named: UInt32?, _ body: (UnitEvent) -> Void) {
    guard event.kind.isDecision || Self.isSignal(event.kind) else { return }
    if let first = events.first, first.event.time != event.time { end(body) }
    events.append((event, named))
  }

  /// Ends the current time; calls the closure with every event that has an equal one before it.
  ///
  /// - Complexity: O(n log n) in the events of that time.
  mutating func end(_ body: (UnitEvent) -> Void) {
    defer { events.removeAll(keepingCapacity: true) }
    guard events.count > 1 else { return }
    guard events.count > Self.few else {
      for index in events.indices.dropFirst()
      where events[..<index].contains(where: { Self.key($0) == Self.key(events[index]) }) {
        body(events[index].event)
      }
      return
    }
    events.sort { Self.key($0) < Self.key($1) }
    for index in events.indices.dropFirst()
    where Self.key(events[index - 1]) == Self.key(events[index]) {
      body(events[index].event)
    }
  }

  private static func isSignal(_ kind: UnitEvent.Kind) -> Bool {
    kind == .goal || kind == .refusedGoal || kind == .conversion
  }

  /// Returns the fields that are compared.
  private static func key(
    _ entry: (event: UnitEvent, named: UInt32?)
  ) -> (UInt8, UInt64, UInt32, UInt64, UInt8) {
    let event = entry.event
    let flags: UInt8 = (event.hasNumber ? 1 : 0) | (event.isNegative ? 2 : 0)
    // A goal that names no place differs from all that do.
    let place = entry.named.map { UInt64($0) + 1 } ?? 0
    return (
      event.kind.rawValue, UInt64(event.experiment) << 32 | place, event.subject,
      event.number.bitPattern, flags
    )
  }
}
