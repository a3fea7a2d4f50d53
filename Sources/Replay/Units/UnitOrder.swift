/// Sorts the events of a bucket: unit by unit, each unit's events in the order of ``UnitHistory``.
package struct UnitOrder {
  /// The number of bits of a unit's code that select its bucket.
  private let shift: UInt32
  /// By the other bits of a unit's code, or for those units alone that have events, the start of its events among the
  /// sorted ones; the last entry is the end.
  private var starts: [Int32] = []
  private var next: [Int32] = []
  private var sorted: [UnitEvent] = []
  /// The places of events by their units: the code in the upper half.
  private var keys: [UInt64] = []
  private var history = UnitHistory()
  /// The events read from the temporary file.
  private var events: [UnitEvent] = []
  private var bytes: [UInt8] = []

  /// Creates a sorter for the given number of buckets, a power of two.
  package init(bucketCount: Int) {
    shift = UInt32(bucketCount.trailingZeroBitCount)
  }

  /// Calls the closure with the history of each unit of a bucket, by ascending codes, and with its largest lateness.
  ///
  /// - Throws: `LogError` if the temporary file cannot be read back, and errors of the closure.
  /// - Complexity: O(events + units / number of buckets), or O(n log n) for n events of few of the units, and O(n log
  ///   n) for the events of a unit that are not in order.
  mutating func forEachUnit(
    ofBucket bucket: Int, of units: CollectedUnits,
    _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) throws {
    try load(bucket, of: units)
    try show(units.context.arms, body)
  }

  /// Calls the closure with the events of each unit of a bucket in the order of their arrival, by ascending codes.
  ///
  /// - Throws: Errors like the method above.
  mutating func forEachArrival(
    ofBucket bucket: Int, of units: CollectedUnits, _ body: (Span<UnitEvent>) throws -> Void
  ) throws {
    try load(bucket, of: units)
    try showArrivals(body)
  }

  private mutating func load(_ bucket: Int, of units: CollectedUnits) throws {
    if units.isInMemory {
      sortRuns(bucket, units)
    } else {
      try units.read(bucket, into: &events, &bytes)
      sort(events)
    }
  }

  /// Calls the closure with the history of each unit of a bucket's events, like the method above.
  package mutating func forEachUnit(
    _ events: [UnitEvent], arms: [Arm], _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) rethrows {
    guard !events.isEmpty else { return }
    sort(events)
    try show(arms, body)
  }

  /// Calls the closure with the events of each unit in the order of their arrival, by ascending codes.
  ///
  /// - Complexity: O(events + highest code / number of buckets).
  package mutating func forEachArrival(
    _ events: [UnitEvent], _ body: (Span<UnitEvent>) throws -> Void
  ) rethrows {
    guard !events.isEmpty else { return }
    sort(events)
    try showArrivals(body)
  }

  private func showArrivals(_ body: (Span<UnitEvent>) throws -> Void) rethrows {
    for unit in 0..<starts.count - 1 where starts[unit] < starts[unit + 1] {
      try body(sorted.span.extracting(Int(starts[unit])..<Int(starts[unit + 1])))
    }
  }

  /// Calls the closure with the events of each unit in the order of their arrival and with its history, which can be
  /// empty, by ascending codes.
  ///
  /// - Complexity: As for the history alone.
  package mutating func forEachArrival(
    _ events: [UnitEvent], arms: [Arm],
    _ body: (_ arrived: Span<UnitEvent>, _ history: Span<UnitEvent>) -> Void
  ) {
    guard !events.isEmpty else { return }
    sort(events)
    var complete = UnitHistory()
    for unit in 0..<starts.count - 1 where starts[unit] < starts[unit + 1] {
      let range = Int(starts[unit])..<Int(starts[unit + 1])
      let arrived = sorted.span.extracting(range)
      if UnitHistory.isInOrder(arrived) {
        body(arrived, arrived)
      } else {
        complete.load(sorted[range], arms: arms)
        body(arrived, complete.events.span)
      }
    }
  }

  /// Calls the closure with the earlier and the complete history of each unit, by ascending codes; either can be empty.
  ///
  /// - Parameters:
  ///   - before: The earlier events, in log order.
  ///   - events: The new ones, in log order.
  ///   - arms: The arms of the log.
  ///   - body: Called with both histories, and with whether the first is the beginning of the second.
  /// - Complexity: As for the method above.
  package mutating func forEachRevision(
    _ before: [UnitEvent], _ events: [UnitEvent], arms: [Arm],
    _ body: (_ before: Span<UnitEvent>, _ all: Span<UnitEvent>, _ isExtended: Bool) -> Void
  ) {
    guard !before.isEmpty || !events.isEmpty else { return }
    count(before, events)
    place(before)
    let firstNew = next
    place(events)
    var (earlier, complete) = (UnitHistory(), UnitHistory())
    for unit in 0..<starts.count - 1 where starts[unit] < starts[unit + 1] {
      let range = Int(starts[unit])..<Int(starts[unit + 1])
      let middle = Int(firstNew[unit])
      let all = sorted.span.extracting(range)
      if UnitHistory.isInOrder(all) {
        body(all.extracting(..<(middle - range.lowerBound)), all, true)
      } else {
        earlier.load(sorted[range.lowerBound..<middle], arms: arms)
        complete.load(sorted[range], arms: arms)
        body(earlier.events.span, complete.events.span, false)
      }
    }
  }

  private mutating func show(
    _ arms: [Arm], _ body: (Span<UnitEvent>, _ lateness: Int64) throws -> Void
  ) rethrows {
    for unit in 0..<starts.count - 1 where starts[unit] < starts[unit + 1] {
      let range = Int(starts[unit])..<Int(starts[unit + 1])
      if UnitHistory.isInOrder(sorted.span.extracting(range)) {
        try body(sorted.span.extracting(range), 0)
      } else {
        history.load(sorted[range], arms: arms)
        if !history.events.isEmpty { try body(history.events.span, history.largestLateness) }
      }
    }
  }

  // MARK: Counting sorts by unit

  /// Sorts the events of a bucket without copying them first.
  private mutating func sortRuns(_ bucket: Int, _ units: CollectedUnits) {
    let shift = shift
    let codes = Int(units.unitLimit >> shift) + 2
    guard codes / 16 <= units.eventCount(ofBucket: bucket) else { return sortFew(bucket, units) }
    clearStarts(codes)
    // Safety: codes of units are below the limit that the starts were made for, and these add up to the number of
    // events, for which room is made, so each has a place of its own.
    unsafe starts.withUnsafeMutableBufferPointer { starts in
      unsafe units.forEachRun(bucket) { events, _ in
        for index in 0..<events.count {
          unsafe starts[Int(events[index].unit >> shift) + 1] &+= 1
        }
      }
    }
    makeRoom()
    unsafe sorted.withUnsafeMutableBufferPointer { sorted in
      unsafe next.withUnsafeMutableBufferPointer { next in
        unsafe units.forEachRun(bucket) { events, part in
          for index in 0..<events.count {
            let event = units.translate(unsafe events[index], ofPart: part)
            let unit = Int(event.unit >> shift)
            unsafe sorted[Int(next[unit])] = event
            unsafe next[unit] &+= 1
          }
        }
      }
    }
  }

  /// Sorts the events of a bucket which has few of the units that it could have.
  private mutating func sortFew(_ bucket: Int, _ units: CollectedUnits) {
    events.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    // Safety: the events are copied within the call.
    unsafe units.forEachRun(bucket) { run, part in
      for index in 0..<run.count {
        let event = unsafe run[index]
        keys.append(UInt64(event.unit) << 32 | UInt64(events.count))
        events.append(units.translate(event, ofPart: part))
      }
    }
    keys.sort()
    starts.removeAll(keepingCapacity: true)
    sorted.removeAll(keepingCapacity: true)
    for (place, key) in keys.enumerated() {
      if place == 0 || keys[place - 1] >> 32 != key >> 32 { starts.append(Int32(place)) }
      sorted.append(events[Int(key & 0xFFFF_FFFF)])
    }
    starts.append(Int32(keys.count))
  }

  private mutating func sort(_ events: [UnitEvent]) {
    count(events)
    place(events)
  }

  /// Counts the events of each unit of a bucket, and makes room for all.
  private mutating func count(_ batches: [UnitEvent]...) {
    var largest: UInt32 = 0
    for batch in batches { for event in batch { largest = max(largest, event.unit >> shift) } }
    clearStarts(Int(largest) + 2)
    for batch in batches { for event in batch { starts[Int(event.unit >> shift) + 1] += 1 } }
    makeRoom()
  }

  private mutating func place(_ events: [UnitEvent]) {
    for event in events {
      let unit = Int(event.unit >> shift)
      sorted[Int(next[unit])] = event
      next[unit] += 1
    }
  }

  private mutating func clearStarts(_ count: Int) {
    starts.removeAll(keepingCapacity: true)
    starts.append(contentsOf: repeatElement(0, count: count))
  }

  /// Turns the counts of units into their start indices, and makes room for all events.
  private mutating func makeRoom() {
    for unit in 1..<starts.count { starts[unit] += starts[unit - 1] }
    next.removeAll(keepingCapacity: true)
    next.append(contentsOf: starts)
    let more = Int(starts[starts.count - 1]) - sorted.count
    guard more > 0 else { return }
    let none = UnitEvent(
      time: 0, number: 0, unit: 0, experiment: 0, subject: 0, kind: .activity)
    sorted.append(contentsOf: repeatElement(none, count: more))
  }
}
