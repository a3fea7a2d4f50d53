/// Reads columns of a log, batch by batch: what must be known of the whole log first is found once, when the
/// reader is made. Any number of threads may then read frames with it at once.
package struct BatchReader: Sendable {
  private let log: LogReader
  private let columns: EventColumns
  private let unnamed: UnnamedCodes
  private let choices: ChoiceReader?
  private let attributes: SelectedAttributes?

  /// A reader of some columns and attributes.
  ///
  /// - Throws: ``LogError`` when names that are needed cannot be read.
  /// - Complexity: O(1) for columns, in a log from which nothing was erased, unless damage is passed over; O(length
  ///   of the names) else, and for choices and attributes.
  package init(
    _ log: LogReader, _ columns: EventColumns, _ selections: [AttributeSelection] = []
  ) throws(LogError) {
    self.log = log
    self.columns = columns
    unnamed = try UnnamedCodes(log, columns)
    var vocabularies = SelectedAttributes.vocabularies(selections)
    if columns.contains(.choices) { vocabularies.formUnion([.lists, .variants]) }
    let names = vocabularies.isEmpty ? nil : try LogNames(log, vocabularies)
    choices = columns.contains(.choices) ? names.map { ChoiceReader(log, $0) } : nil
    attributes =
      selections.isEmpty ? nil : names.map { SelectedAttributes(log, $0, selections) }
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
    var lists = choices?.makeBuffers() ?? ChoiceReader.Buffers()
    var streams = attributes?.makeBuffers() ?? SelectedAttributes.Buffers()
    for index in frames where log.rowCount(ofFrame: index) > 0 {
      let frame = log.frames[index]
      let loaded: Void? = try log.passingOver { () throws(LogError) in
        let reader = FrameReader(log: log, frame: frame)
        try batch.load(reader, columns, &buffers)
        if let choices { try choices.load(reader, into: &batch, &lists, &buffers) }
        if let attributes {
          try attributes.load(reader, into: &batch, &streams, &buffers)
        }
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
  ///   - selections: The attributes that the closure uses: ``EventBatch/attributes`` has them in this order.
  ///   - filter: The frames that are read at all.
  ///   - body: What is done with each batch.
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  /// - Complexity: O(number of events); memory for one frame. Choices and attributes need the names of the log as
  ///   well, in time and memory.
  public func forEachBatch(
    _ columns: EventColumns, _ selections: [AttributeSelection] = [],
    where filter: FrameFilter = FrameFilter(),
    _ body: (EventBatch) throws -> Void
  ) throws {
    try forEachBatch(columns, selections, frames: admittedFrames(where: filter), body)
  }

  /// Calls the closure with the events of some frames, in the order of the indices. Several threads may each
  /// read frames of their own at once; what damage is passed over is listed the same whoever finds it first.
  ///
  /// - Parameters:
  ///   - columns: The columns that the closure uses.
  ///   - selections: The attributes that the closure uses.
  ///   - frames: Indices into ``frames``, as ``admittedFrames(where:)`` gives them.
  ///   - body: What is done with each batch.
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  /// - Complexity: O(number of events); memory for one frame. Whoever reads frame by frame makes one
  ///   ``BatchReader`` for all, which finds what it needs of the names once.
  package func forEachBatch(
    _ columns: EventColumns, _ selections: [AttributeSelection] = [], frames: some Sequence<Int>,
    _ body: (EventBatch) throws -> Void
  ) throws {
    try BatchReader(self, columns, selections).forEach(frames: frames, body)
  }
}
