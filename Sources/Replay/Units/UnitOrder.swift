/// Puts the events of a bucket in order: unit by unit, each unit's by time, and among equal times as the log has them.
package struct UnitOrder {
  private let bucketCount: Int
  private var starts: [Int32] = []
  private var next: [Int32] = []
  private var sorted: [UnitEvent] = []
  private var history = UnitHistory()

  package init(bucketCount: Int) {
    self.bucketCount = bucketCount
  }

  /// Calls the closure with the history of each unit that has one, by ascending codes.
  ///
  /// - Complexity: O(events + highest code / number of buckets), and O(n log n) for the events of a unit that do not
  ///   come in order.
  package mutating func forEachUnit(
    _ events: [UnitEvent], arms: [Arm], _ body: (Span<UnitEvent>) throws -> Void
  ) rethrows {
    guard !events.isEmpty else { return }
    sort(events)
    for unit in 0..<starts.count - 1 where starts[unit] < starts[unit + 1] {
      let range = Int(starts[unit])..<Int(starts[unit + 1])
      if UnitHistory.isInOrder(sorted.span.extracting(range)) {
        try body(sorted.span.extracting(range))
      } else {
        history.load(sorted[range], arms: arms)
        if !history.events.isEmpty { try body(history.events.span) }
      }
    }
  }

  /// Calls the closure with the events of each unit in the order in which they come, by ascending codes.
  ///
  /// - Complexity: O(events + highest code / number of buckets).
  package mutating func forEachArrival(
    _ events: [UnitEvent], _ body: (Span<UnitEvent>) throws -> Void
  ) rethrows {
    guard !events.isEmpty else { return }
    sort(events)
    for unit in 0..<starts.count - 1 where starts[unit] < starts[unit + 1] {
      try body(sorted.span.extracting(Int(starts[unit])..<Int(starts[unit + 1])))
    }
  }

  /// A counting sort by unit.
  private mutating func sort(_ events: [UnitEvent]) {
    let divisor = UInt32(bucketCount)
    var largest: UInt32 = 0
    for event in events { largest = max(largest, event.unit / divisor) }
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: Int(largest) + 2))
    for event in events { starts[Int(event.unit / divisor) + 1] += 1 }
    for unit in 1..<starts.count { starts[unit] += starts[unit - 1] }
    next.removeAll(keepingCapacity: true)
    next.append(contentsOf: starts)
    if sorted.count < events.count {
      sorted.append(contentsOf: events.suffix(events.count - sorted.count))
    }
    // Safety: the starts add up to the number of events, for which there is room, so each has a place of its own.
    unsafe sorted.withUnsafeMutableBufferPointer { sorted in
      unsafe next.withUnsafeMutableBufferPointer { next in
        for event in events {
          let unit = Int(event.unit / divisor)
          unsafe sorted[Int(next[unit])] = event
          unsafe next[unit] &+= 1
        }
      }
    }
  }
}
