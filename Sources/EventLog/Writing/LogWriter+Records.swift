public import Events

extension LogWriter {
  /// Appends events in order, under a single lock. That is faster than one call for each, and no other thread's events
  /// come between them.
  ///
  /// - Returns: The position of the first. They are durable after the next `commit()`.
  /// - Throws: ``LogError``: `badEvent` if `EventRecord.validate()` refuses an event, and then none is appended; any
  ///   other if a full frame cannot be written.
  @discardableResult
  public func append(contentsOf records: [EventRecord]) throws(LogError) -> UInt64 {
    for record in records { try Self.validate(record) }
    return try append(contentsOfParsed: records)
  }

  /// Appends events just filled by a parser or a reader of this package.
  @discardableResult
  package func append(contentsOfParsed records: [EventRecord]) throws(LogError) -> UInt64 {
    try commits.perform { state throws(LogError) in try state.append(contentsOf: records) }
  }

  /// Appends the records at some indices, in that order, which were just filled by a parser or a reader of this
  /// package.
  package func append(parsed records: [EventRecord], at indices: [Int]) throws(LogError) {
    try commits.perform { state throws(LogError) in try state.append(records, at: indices) }
  }
}

extension LogWriterState {
  /// The number of events for which units are prefetched: enough for the processor to wait for many slots of the table
  /// of units at once instead of one after the other.
  private static let unitsAhead = 32

  /// Appends events in order.
  ///
  /// - Returns: The position of the first.
  mutating func append(contentsOf records: [EventRecord]) throws(LogError) -> UInt64 {
    let first = nextPosition
    try append(records, count: records.count) { $0 }
    return first
  }

  /// Appends the records at some indices, in that order.
  mutating func append(_ records: [EventRecord], at indices: [Int]) throws(LogError) {
    try append(records, count: indices.count) { indices[$0] }
  }

  @inline(__always)
  private mutating func append(
    _ records: [EventRecord], count: Int, place: (Int) -> Int
  ) throws(LogError) {
    // Safety: the pointer lives as long as the closure.
    let result = unsafe records.withUnsafeBufferPointer { records in
      Result { () throws(LogError) in try unsafe append(records, count, place) }
    }
    try result.get()
  }

  @inline(__always)
  private mutating func append(
    _ records: UnsafeBufferPointer<EventRecord>, _ count: Int, _ place: (Int) -> Int
  ) throws(LogError) {
    // Safety: every place is checked to be below the buffer's count, and nothing is written through the pointer: it is
    // mutable because Swift copies a record, with its nine arrays, for any other way to pass it on.
    guard let start = unsafe UnsafeMutablePointer(mutating: records.baseAddress) else { return }
    var fingerprints: [Fingerprint] = []
    fingerprints.reserveCapacity(Self.unitsAhead)
    for first in stride(from: 0, to: count, by: Self.unitsAhead) {
      let end = min(first + Self.unitsAhead, count)
      for index in first..<end {
        precondition(records.indices.contains(place(index)), "no such record")
        touched &+= Self.touch(&(unsafe start[place(index)]))
      }
      fingerprints.removeAll(keepingCapacity: true)
      for index in first..<end {
        fingerprints.append(names.fingerprint(ofUnitOf: &(unsafe start[place(index)])))
      }
      names.prefetchUnits(fingerprints)
      for index in first..<end {
        try append(inPlace: &(unsafe start[place(index)]), unit: fingerprints[index - first])
      }
    }
  }

  /// Prefetches the arrays of a record, so that the processor fetches those of many records at once instead of one
  /// after the other: an array's count is stored before its elements.
  ///
  /// - Returns: A dummy value that keeps the prefetch from being optimized away.
  @inline(__always)
  private static func touch(_ record: inout EventRecord) -> Int {
    var count = record.bytes.count
    if record.hasChoices { count &+= record.choices.count }
    if record.hasProbabilities { count &+= record.probabilities.count }
    if record.hasChanged { count &+= record.changed.count }
    if record.hasContext { count &+= record.context.count }
    if record.hasMetadata { count &+= record.metadata.count }
    if record.hasFeatures { count &+= record.featureGroups.count &+ record.features.count }
    return count
  }

  /// Appends an event in place, without modifying it.
  @inline(__always)
  private mutating func append(
    inPlace record: inout EventRecord, unit fingerprint: Fingerprint
  ) throws(LogError) {
    try append(record, unit: fingerprint)
  }
}
