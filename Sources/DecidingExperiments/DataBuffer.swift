internal import Events

/// A bounded buffer of visitor data that were added and not yet sent, oldest first.
///
/// It is not part of the state: its contents are known to this process only.
struct DataBuffer: Sendable {
  /// A datum, as the events that will be logged.
  private struct Entry: Sendable {
    let number: UInt64
    let events: [Event]
    /// Whether it will be sent; otherwise it is for targeting only.
    let isTracked: Bool
  }

  /// The maximum number of data.
  let capacity: Int
  /// Data about the visitor that targeting sees in addition, until the current call returns.
  var passing: [Event] = []
  /// The number of data dropped to make room for newer ones.
  private(set) var dropped = 0

  private var entries: [UnitID: [Entry]] = [:]
  private var count = 0
  private var nextNumber: UInt64 = 0
  /// The data in the order in which they were added; can include data that have been sent since.
  private var order: [(unit: UnitID, number: UInt64)] = []
  private var oldest = 0

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Whether the buffer is empty.
  var isEmpty: Bool { count == 0 }

  /// Adds a datum, and drops the oldest one when the buffer is full.
  mutating func add(_ events: [Event], of unit: UnitID, isTracked: Bool) {
    guard !events.isEmpty else { return }
    if count >= capacity { dropOldest() }
    let entry = Entry(number: nextNumber, events: events, isTracked: isTracked)
    nextNumber += 1
    entries[unit, default: []].append(entry)
    order.append((unit, entry.number))
    count += 1
    if order.count > 2 * count + 64 { forgetGone() }
  }

  /// Returns all events of a visitor that targeting can see and that are not logged yet, oldest first.
  func known(of unit: UnitID) -> [Event] { (entries[unit] ?? []).flatMap(\.events) + passing }

  /// Returns the events of a visitor that are to be sent, oldest first.
  func pending(of unit: UnitID) -> [Event] {
    guard count > 0, let entries = entries[unit] else { return [] }
    return entries.lazy.filter(\.isTracked).flatMap(\.events)
  }

  /// The visitors with data to be sent, by id.
  var units: [UnitID] {
    entries.filter { $0.value.contains(where: \.isTracked) }.keys.sorted()
  }

  /// Removes the data of a visitor that were sent.
  mutating func sent(_ unit: UnitID) {
    guard count > 0, let before = entries[unit] else { return }
    let rest = before.filter { !$0.isTracked }
    entries[unit] = rest.isEmpty ? nil : rest
    count -= before.count - rest.count
  }

  private mutating func dropOldest() {
    while oldest < order.count {
      let (unit, number) = order[oldest]
      oldest += 1
      guard let index = entries[unit]?.firstIndex(where: { $0.number == number }) else { continue }
      entries[unit]?.remove(at: index)
      if entries[unit]?.isEmpty == true { entries[unit] = nil }
      count -= 1
      dropped += 1
      return
    }
  }

  /// Removes entries of the order that are no longer in the buffer.
  private mutating func forgetGone() {
    order = entries.flatMap { unit, entries in entries.map { (unit, $0.number) } }
      .sorted { $0.1 < $1.1 }
    oldest = 0
  }
}
