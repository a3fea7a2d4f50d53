internal import Events

/// Idempotent appending.
extension LogWriterState {
  /// Appends an event unless one with its id exists; nil if that is not known, because the ids are not indexed.
  mutating func appendOnce(_ record: EventRecord) throws(LogError) -> AppendedOnce? {
    if let failure { throw poisoned(failure) }
    if record[.id].isPresent {
      guard let event = ids?.identity(of: record) else { return nil }
      if let found = try ids?.find(event) { return found }
    }
    return AppendedOnce(.new(position: try append(record)), differs: false)
  }

  /// Adds the id of an event that is being appended to the index, or to what is added to it once it is built.
  mutating func noteID(_ record: borrowing EventRecord) throws(LogError) {
    guard record[.id].isPresent else { return }
    let position = nextPosition
    if let event = ids?.identity(of: record) { try ids?.add(event, position: position) }
    newIDs?.add(record, position: position)
  }

  /// Begins to index the ids: from now on those of new events are kept for the index.
  ///
  /// - Returns: The position before which all events are in frames, and the key of the index.
  /// - Throws: ``LogError`` if the events before it cannot be written.
  mutating func beginIndexing() throws(LogError) -> RecentIDs {
    try writeFrames()
    let recent = RecentIDs(key: .random(), firstPosition: writtenPosition)
    newIDs = recent
    return recent
  }

  /// Appends a batch of at most one frame of events, as a frame of its own, unless the producer's last sequence says
  /// that it exists.
  mutating func append(
    _ records: [EventRecord], producer: ProducerID, sequence: UInt64
  ) throws(LogError) -> Appended {
    if let failure { throw poisoned(failure) }
    guard try producers.isNext(sequence, of: producer, path: path) else {
      return .alreadyThere(position: nil)
    }
    try checkFitsFrame(records)
    try writeFrames()
    let position = writtenPosition
    for record in records { try take(record) }
    try writeFrame(producer: producer.rawValue, sequence: sequence)
    producers.note(sequence, of: producer)
    return .new(position: position)
  }

  // MARK: Limits of a frame

  /// The maximum number of attribute columns, and of bytes of texts, of a batch. A frame has room for 65,535 columns,
  /// of which an attribute may take two.
  private static let largestColumnCount = 30_000
  /// The maximum number of attributes of a batch: well below what readers treat as damage.
  private static let largestAttributeCount = 1 << 22
  private static let largestByteCount = 256 << 20

  /// Throws if the events cannot be a single frame, before any of them is appended.
  private func checkFitsFrame(_ records: [EventRecord]) throws(LogError) {
    let byteCount = records.reduce(0) { $0 + $1.bytes.count }
    guard byteCount <= Self.largestByteCount else {
      throw LogError(
        .badBatch, "a batch of \(byteCount) bytes; the maximum is 256 MiB: split it",
        path: path)
    }
    let attributeCount = records.reduce(0) {
      $0 + $1.context.count + $1.metadata.count + $1.features.count
    }
    guard attributeCount <= Self.largestAttributeCount else {
      throw LogError(
        .badBatch,
        "a batch of \(attributeCount) attributes; the most is \(Self.largestAttributeCount): make "
          + "smaller ones", path: path)
    }
    let lists = records.flatMap { record in
      [record.context, record.metadata, record.features].enumerated().map { (record, $0) }
    }.filter { $0.1.element.count <= BatchBuilder.largestShape }
    guard lists.reduce(0, { $0 + $1.1.element.count }) > Self.largestColumnCount else { return }
    var columns: Set<[UInt8]> = []
    for (record, (role, list)) in lists {
      for attribute in list {
        let type = ValueType(attribute.value).rawValue
        columns.insert([UInt8(role), type] + record.bytes[attribute.name.range])
      }
    }
    guard columns.count <= Self.largestColumnCount else {
      throw LogError(
        .badBatch, "a batch of \(columns.count) different attributes; split it", path: path
      )
    }
  }
}
