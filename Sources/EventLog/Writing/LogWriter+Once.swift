public import Events

/// Idempotent appending: a caller that does not know whether a call succeeded before a crash repeats it.
extension LogWriter {
  /// Appends an event unless the log, or what was appended since, has one of the same kind, id and slot. An event
  /// without an id is always appended.
  ///
  /// The first call for an event with an id builds the index of the log's ids, unless ``indexIDs()`` has; later ones
  /// look them up. Memory stays below 250 MB whatever the size of the log; the rest spills to temporary files in the
  /// log's folder.
  ///
  /// - Returns: Whether it was appended, and its position. Either way it is durable after the next `commit()`.
  /// - Throws: ``LogError``: `badEvent` if `EventRecord.validate()` refuses the event, any other if the ids cannot be
  ///   read, or a full frame cannot be written.
  /// - Complexity: O(length of the id) and a few reads of a page once there are more than a million ids; the first
  ///   call O(events of the log).
  @discardableResult
  public func appendOnce(_ record: EventRecord) throws(LogError) -> Appended {
    try Self.validate(record)
    return try appendOnce(parsed: record)
  }

  /// Appends an event just filled by a parser of this package, unless one with its id exists.
  package func appendOnce(parsed record: EventRecord) throws(LogError) -> Appended {
    try appendComparing(parsed: record).result
  }

  /// Appends an event likewise, and returns whether the one that exists has other content.
  package func appendComparing(parsed record: EventRecord) throws(LogError) -> AppendedOnce {
    while true {
      let appended = try commits.perform { state throws(LogError) in try state.appendOnce(record) }
      if let appended { return appended }
      try commits.indexIDs()
    }
  }

  /// Builds the index of the ids of the log's events, which ``appendOnce(_:)`` needs, unless it exists. A service calls
  /// it when it starts, so that no event has to wait for it.
  ///
  /// Other threads append and commit meanwhile; what they append is added at the end. A call that finds another one
  /// building the index, or an ``appendOnce(_:)`` of an event with an id, waits for it. The index lasts as long as the
  /// writer.
  ///
  /// - Throws: ``LogError``: `damaged` or `inputOutput` if the ids of a frame cannot be read, or a temporary file
  ///   fails: the writer remains usable, and the next call tries again; `poisoned` if the writer has failed.
  /// - Complexity: O(events of the log with an id); only the column of ids is read.
  public func indexIDs() throws(LogError) {
    try commits.indexIDs()
  }

  /// Appends a batch of a producer atomically, whatever happens, unless it has been appended before.
  ///
  /// A producer numbers its batches 1, 2, 3 and so on, and retries the same batch until it has seen it committed. A
  /// number up to the last one is a duplicate; a number beyond the next is refused. The batch becomes a frame of its
  /// own, so small batches take more space than events that are appended one by one.
  ///
  /// - Parameters:
  ///   - events: 1 to 65,536 events.
  ///   - producer: The producer. A log has at most 1,048,576 producers.
  ///   - sequence: The number of the batch.
  /// - Returns: Whether it was appended, and its first position. Either way it is durable after the next `commit()`.
  /// - Throws: ``LogError``: `outOfSequence` for a gap, with the expected number; `badBatch` for too many events or
  ///   producers; `badEvent` for an event that lacks a field required by its kind. The writer remains usable after
  ///   these. Any other if the batch cannot be written.
  @discardableResult
  public func append(
    _ events: [Event], producer: ProducerID, sequence: UInt64
  ) throws(LogError) -> Appended {
    guard 1...FrameHeader.maximumRows ~= events.count else {
      throw LogError(
        .badBatch,
        "a batch of \(events.count) events; it must have 1 to \(FrameHeader.maximumRows)", path: "")
    }
    let records = try Self.records(events)
    return try commits.perform { state throws(LogError) in
      try state.append(records, producer: producer, sequence: sequence)
    }
  }

  /// Returns the number of the last batch of a producer, for one that restarts; 0 if it has none. The batch is durable
  /// after the next `commit()`.
  public func lastSequence(of producer: ProducerID) -> UInt64 {
    commits.settled { $0.producers.lastSequence(of: producer) }
  }

  /// Every producer with the number of its last batch, in ascending order of the producers.
  package var producers: [(producer: ProducerID, sequence: UInt64)] {
    commits.settled { state in state.producers.all.map { ($0.producer, $0.sequence) } }
  }
}
