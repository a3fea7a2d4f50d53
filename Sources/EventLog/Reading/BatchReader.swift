/// Reads columns of a log, batch by batch: what must be known of the whole log first is found once, when the
/// reader is made. Any number of threads may then read frames with it at once.
package struct BatchReader: Sendable {
  private let log: LogReader
  private let columns: EventColumns
  private let unnamed: UnnamedCodes

  /// A reader of some columns.
  ///
  /// - Throws: ``LogError`` when names that are needed cannot be read.
  /// - Complexity: O(1) in a log from which nothing was erased, unless damage is passed over; else O(length
  ///   of the names).
  package init(_ log: LogReader, _ columns: EventColumns) throws(LogError) {
    self.log = log
    self.columns = columns
    unnamed = try UnnamedCodes(log, columns)
  }

  /// Calls the closure with the events of each of the frames, in the order of the indices.
  ///
  /// - Parameters:
  ///   - frames: Indices into the log's frames, as ``LogReader/admittedFrames(where:)`` gives them; frames
  ///     without events that this version knows, and indices that no frame has, are passed over.
  ///   - body: What is done with each batch. The memory of a batch is used again for the next one.
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  package func forEach(
    frames: some Sequence<Int>, _ body: (EventBatch) throws -> Void
  ) throws {
    var batch = EventBatch()
    var buffers = ReadBuffers()
    for index in frames where log.rowCount(ofFrame: index) > 0 {
      let frame = log.frames[index]
      let loaded: Void? = try log.passingOver { () throws(LogError) in
        try batch.load(FrameReader(log: log, frame: frame), columns, &buffers)
      }
      guard loaded != nil else { continue }
      try unnamed.hide(in: &batch, frame, of: log)
      try body(batch)
    }
  }
}

extension LogReader {
  /// Calls the closure with the events of each frame, in order.
  ///
  /// - Parameters:
  ///   - columns: The columns that the closure uses.
  ///   - filter: The frames that are read at all.
  ///   - body: What is done with each batch.
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  /// - Complexity: O(number of events); memory for one frame.
  public func forEachBatch(
    _ columns: EventColumns, where filter: FrameFilter = FrameFilter(),
    _ body: (EventBatch) throws -> Void
  ) throws {
    try forEachBatch(columns, frames: admittedFrames(where: filter), body)
  }

  /// Calls the closure with the events of some frames, in the order of the indices. Several threads may each
  /// read frames of their own at once; what damage is passed over is listed the same whoever finds it first.
  ///
  /// - Parameters:
  ///   - columns: The columns that the closure uses.
  ///   - frames: Indices into ``frames``, as ``admittedFrames(where:)`` gives them.
  ///   - body: What is done with each batch.
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  /// - Complexity: O(number of events); memory for one frame. Whoever reads frame by frame makes one
  ///   ``BatchReader`` for all, which need not find the names that were erased or lost again.
  package func forEachBatch(
    _ columns: EventColumns, frames: some Sequence<Int>, _ body: (EventBatch) throws -> Void
  ) throws {
    try BatchReader(self, columns).forEach(frames: frames, body)
  }
}
