/// The last sequence of each producer, as recorded in the frames of the log.
///
/// A frame that is written and not yet durable may be truncated if the writer fails, so for each producer the register
/// keeps the previous values: one from before the last sync began, and while a sync runs, one from before the frames
/// that it covers.
///
/// Memory: about 32 bytes for each producer, and as much again for each that appended since the last sync.
struct ProducerRegister {
  /// The maximum number of producers of a log.
  static let largestCount = 1 << 20

  private var last: [UInt64: UInt64] = [:]
  /// The value before the first frame of each producer that no sync covers yet; 0 for none.
  private var beforeNext: [UInt64: UInt64] = [:]
  /// The value before the frames that the running sync covers.
  private var beforeRunning: [UInt64: UInt64] = [:]

  /// Returns the last sequence of a producer; 0 if it has none.
  func lastSequence(of producer: ProducerID) -> UInt64 { last[producer.rawValue] ?? 0 }

  /// Every producer with its last sequence, in ascending order of the producers.
  var all: [(producer: ProducerID, sequence: UInt64)] {
    last.compactMap { pair in ProducerID(rawValue: pair.key).map { ($0, pair.value) } }
      .sorted { $0.0 < $1.0 }
  }

  /// Returns whether a batch with the sequence is to be appended; false if it has been already.
  ///
  /// - Throws: ``LogError`` if there is a gap before it, or there are too many producers.
  func isNext(
    _ sequence: UInt64, of producer: ProducerID, path: String
  ) throws(LogError) -> Bool {
    let last = lastSequence(of: producer)
    guard sequence > 0 else {
      throw LogError(.outOfSequence, "sequence 0; a producer counts from 1", path: path)
    }
    guard sequence > last else { return false }
    guard sequence == last + 1 else {
      throw LogError(
        .outOfSequence,
        "sequence \(sequence) of producer \(producer.rawValue) where \(last + 1) is expected; append "
          + "what is missing first", path: path)
    }
    guard last > 0 || self.last.count < Self.largestCount else { throw Self.tooMany(path) }
    return true
  }

  private static func tooMany(_ path: String) -> LogError {
    LogError(
      .badBatch,
      "the log has \(largestCount) producers, which is the maximum; use the name of an existing one",
      path: path)
  }

  /// Records that a frame of the producer was written.
  mutating func note(_ sequence: UInt64, of producer: ProducerID) {
    let before = last.updateValue(sequence, forKey: producer.rawValue) ?? 0
    if beforeNext[producer.rawValue] == nil { beforeNext[producer.rawValue] = before }
  }

  // MARK: Syncs

  /// Begins a sync that covers every frame written so far.
  mutating func beginSync() {
    swap(&beforeRunning, &beforeNext)
    beforeNext.removeAll(keepingCapacity: true)
  }

  /// Ends a sync: the frames that it covers are durable.
  mutating func endSync() {
    beforeRunning.removeAll(keepingCapacity: true)
  }

  /// Restores the previous values after every frame that is not durable was truncated.
  mutating func forgetUnsynced() {
    for before in [beforeNext, beforeRunning] {
      for (producer, sequence) in before { last[producer] = sequence == 0 ? nil : sequence }
    }
    beforeNext = [:]
    beforeRunning = [:]
  }

  // MARK: Reading

  /// Adds the sequences in a frame of the log: in its header, or in columns if it was rewritten.
  ///
  /// - Throws: ``LogError`` if the columns cannot be read or do not match.
  mutating func take(_ frame: FrameInfo, of log: LogReader) throws(LogError) {
    guard frame.isKnown else { return }
    if frame.header.producer != 0 {
      try take(frame.header.sequence, of: frame.header.producer, path: log.path)
    }
    for pair in try FrameReader(log: log, frame: frame).producers() {
      try take(pair.sequence, of: pair.producer, path: log.path)
    }
  }

  private mutating func take(
    _ sequence: UInt64, of producer: UInt64, path: String
  ) throws(LogError) {
    guard sequence > last[producer] ?? 0 else { return }
    last[producer] = sequence
    if last.count > Self.largestCount { throw Self.tooMany(path) }
  }
}
