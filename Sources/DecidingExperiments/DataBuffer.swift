internal import Events

/// The data of visitors that were added and not yet sent, oldest first, of a bounded number.
///
/// It stands outside the state: what waits here is known to this process only.
struct DataBuffer: Sendable {
  /// One datum: the events that it goes out as.
  private struct Entry: Sendable {
    let number: UInt64
    let events: [Event]
    /// Whether it goes out at all; otherwise it serves targeting only.
    let isTracked: Bool
  }

  /// How many data are kept.
  let capacity: Int
  /// How many data had to go because newer ones came.
  private(set) var dropped = 0

  private var entries: [UnitID: [Entry]] = [:]
  private var count = 0
  private var nextNumber: UInt64 = 0
  /// Who added what, in order; it may name data that have gone out since.
  private var order: [(unit: UnitID, number: UInt64)] = []
  private var oldest = 0

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Whether nobody has data here.
  var isEmpty: Bool { count == 0 }

  /// Keeps a datum, and gives up the oldest of all when there is no room.
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

  /// Everything that a visitor's targeting may see, oldest first.
  func known(of unit: UnitID) -> [Event] { (entries[unit] ?? []).flatMap(\.events) }

  /// What is to be sent of a visitor, oldest first.
  func pending(of unit: UnitID) -> [Event] {
    guard count > 0, let entries = entries[unit] else { return [] }
    return entries.lazy.filter(\.isTracked).flatMap(\.events)
  }

  /// Who has something to be sent, by id.
  var units: [UnitID] {
    entries.filter { $0.value.contains(where: \.isTracked) }.keys.sorted()
  }

  /// Forgets what was sent of a visitor.
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

  /// Makes the order name only what is still here.
  private mutating func forgetGone() {
    order = entries.flatMap { unit, entries in entries.map { (unit, $0.number) } }
      .sorted { $0.1 < $1.1 }
    oldest = 0
  }
}
