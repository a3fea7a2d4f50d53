/// The sorted events of one unit, with provisional decisions at the time they begin to count.
///
/// Events are in order of time. At equal times decisions and their confirmations come first, then goals, conversions
/// and data points, and within each of the two groups the position in the log decides. Annotations of an event come
/// right before it.
public struct UnitHistory: Sendable {
  /// The events in order.
  public private(set) var events: [UnitEvent] = []
  /// The largest time by which an event of the history is earlier than the latest one before it in the log, in
  /// microseconds; confirmations do not count. 0 if none is late.
  public private(set) var largestLateness: Int64 = 0
  private var held: [Int] = []

  /// Creates an empty history.
  public init() {}

  /// Returns whether events of a unit can be used as they are: in order, and without anything provisional.
  static func isInOrder(_ events: Span<UnitEvent>) -> Bool {
    var last = (time: Int64.min, rank: 0 as UInt32)
    for index in 0..<events.count {
      let event = events[index]
      guard isOrdered(last, event), event.kind != .provisional, event.kind != .confirmation else {
        return false
      }
      last = (event.time, event.kind.rank)
    }
    return true
  }

  /// Returns whether an event belongs after one with a time and rank.
  @inline(__always)
  private static func isOrdered(_ last: (time: Int64, rank: UInt32), _ event: UnitEvent) -> Bool {
    event.time > last.time || event.time == last.time && event.kind.rank >= last.rank
  }

  /// Loads the events of a unit, given in log order.
  ///
  /// - Complexity: O(n log n); O(n) if they are in order already.
  public mutating func load(_ arrived: some Sequence<UnitEvent>, arms: [Arm]) {
    events.removeAll(keepingCapacity: true)
    var latest = Int64.min
    var last = (time: Int64.min, rank: 0 as UInt32)
    var isOrdered = true
    largestLateness = 0
    for var event in arrived {
      event.isLate = event.time < latest
      if event.isLate, event.kind != .confirmation {
        let (lateness, isOver) = latest.subtractingReportingOverflow(event.time)
        largestLateness = max(largestLateness, isOver ? .max : lateness)
      }
      isOrdered = isOrdered && Self.isOrdered(last, event)
      last = (event.time, event.kind.rank)
      latest = max(latest, event.time)
      events.append(event)
    }
    if !isOrdered { sort() }
    if events.contains(where: { $0.kind == .provisional || $0.kind == .confirmation }) {
      confirm(arms)
    }
  }

  private mutating func sort() {
    if insertLateEvents() { return }
    // The standard library's sort is stable, but does not guarantee it: ties are broken by index.
    events = events.enumerated().sorted {
      ($0.element.time, $0.element.kind.rank, $0.offset)
        < ($1.element.time, $1.element.kind.rank, $1.offset)
    }.map(\.element)
  }

  /// Moves each event back to where it belongs among those before it: few events are late, and most by little.
  ///
  /// - Returns: False if that takes too many moves. Events with the same time and rank are still in log order then.
  private mutating func insertLateEvents() -> Bool {
    var moves = 8 * events.count
    var events = events.mutableSpan
    for index in events.indices.dropFirst() {
      let event = events[index]
      var place = index
      while place > 0, moves > 0,
        !Self.isOrdered((events[place - 1].time, events[place - 1].kind.rank), event)
      {
        events[place] = events[place - 1]
        place -= 1
        moves -= 1
      }
      events[place] = event
    }
    return moves > 0
  }

  /// Moves provisional decisions, with their annotations, to where they are confirmed, and removes the confirmations.
  /// A confirmation that has a number, such as its position, passes it on to them.
  private mutating func confirm(_ arms: [Arm]) {
    var result: [UnitEvent] = []
    var isGone = [Bool](repeating: false, count: events.count)
    // For each event of the result, its original index.
    var origins: [Int] = []
    held.removeAll(keepingCapacity: true)
    for (index, event) in events.enumerated() {
      guard event.kind == .confirmation else {
        if event.kind == .provisional { held.append(index) }
        result.append(event)
        origins.append(index)
        continue
      }
      let place = arms[Int(event.subject)]
      for held in held
      where !isGone[held] && Self.isConfirmed(arms[Int(events[held].subject)], place) {
        var first = held
        while first > 0, events[first - 1].kind.isDecisionNote { first -= 1 }
        for index in first...held {
          isGone[index] = true
          var moved = events[index]
          if index == held { moved.kind = .decision }
          moved.time = event.time
          if event.hasNumber { moved.number = event.number }
          result.append(moved)
          origins.append(-1)
        }
      }
      held.removeAll { isGone[$0] }
    }
    events = zip(result, origins).filter { $1 < 0 || !isGone[$1] }.map(\.0)
  }

  private static func isConfirmed(_ decision: Arm, _ place: Arm) -> Bool {
    decision.experiment == place.experiment && decision.point == place.point
      && (place.slot == ArmRegister.everySlot || decision.slot == place.slot)
  }
}
