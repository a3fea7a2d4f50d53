public import Events

/// Appending that can be repeated without harm: whoever does not know whether a call of his was the last thing
/// before a crash makes it again.
extension LogWriter {
  /// Appends an event unless the log, or what was appended since, has one with the same id. An event without an
  /// id is always appended.
  ///
  /// The first call for an event with an id reads the ids of the whole log, while everybody else waits; the
  /// later ones look them up. Memory stays below 150 MB whatever the size of the log; the rest goes to
  /// temporary files in the log's folder.
  ///
  /// - Returns: Whether it was appended, and where it stands. Either way it is durable after the next
  ///   `commit()`.
  /// - Throws: ``LogError``: `badEvent` when `EventRecord.validate()` refuses the event, any other when the ids
  ///   cannot be read, or a full frame cannot be written.
  /// - Complexity: O(length of the id) and a few reads of a page once there are more than a million ids; the
  ///   first call O(events of the log).
  @discardableResult
  public func appendOnce(_ record: EventRecord) throws(LogError) -> Appended {
    try Self.validate(record)
    return try appendOnce(parsed: record)
  }

  /// Appends an event as a parser of this package has just filled it, unless one with its id is there.
  package func appendOnce(parsed record: EventRecord) throws(LogError) -> Appended {
    try commits.perform { state throws(LogError) in try state.appendOnce(record) }
  }

  /// Appends a batch of a producer, whole or not at all whatever happens, unless it is there.
  ///
  /// A producer numbers its batches 1, 2, 3 and so on, and goes on with the same batch until it has seen it
  /// committed. A number up to the last one is there already; a number beyond the next is refused. The batch
  /// becomes a frame of its own, so small batches take more room than events that are appended one by one.
  ///
  /// - Parameters:
  ///   - events: 1 to 65,536 events.
  ///   - producer: Who appends. A log has at most 1,048,576 producers.
  ///   - sequence: The number of the batch.
  /// - Returns: Whether it was appended, and where it begins. Either way it is durable after the next
  ///   `commit()`.
  /// - Throws: ``LogError``: `outOfSequence` for a gap, with the number that is expected; `badBatch` for too many
  ///   events or producers; `badEvent` for an event that does not say what its kind must say. The writer goes on
  ///   after these. Any other when the batch cannot be written.
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

  /// The number of the last batch of a producer, for one that starts again; 0 when it has none. It is durable
  /// after the next `commit()`.
  public func lastSequence(of producer: ProducerID) -> UInt64 {
    commits.settled { $0.producers.lastSequence(of: producer) }
  }

  /// Every producer with the number of its last batch, in ascending order of the producers.
  package var producers: [(producer: ProducerID, sequence: UInt64)] {
    commits.settled { state in state.producers.all.map { ($0.producer, $0.sequence) } }
  }
}
