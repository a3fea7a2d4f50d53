/// Reads columns of a log, batch by batch. What must be known of the whole log is looked up once, on creation; any
/// number of threads may then read frames with it concurrently.
package struct BatchReader: Sendable {
  private let log: LogReader
  private let columns: EventColumns
  private let unnamed: UnnamedCodes
  private let choices: ChoiceReader?
  private let attributes: SelectedAttributes?
  private let features: SelectedFeatures?

  /// Creates a reader of some columns and attributes.
  ///
  /// - Throws: ``LogError`` if needed names cannot be read.
  /// - Complexity: O(1) for columns, in a log without erased events, unless damage is skipped; O(length of the names)
  ///   otherwise, and for choices and attributes.
  package init(
    _ log: LogReader, _ columns: EventColumns, _ selections: [AttributeSelection] = []
  ) throws(LogError) {
    self.log = log
    self.columns = columns
    unnamed = try UnnamedCodes(log, columns)
    var vocabularies = AttributeSelection.vocabularies(selections)
    if columns.contains(.choices) { vocabularies.formUnion([.lists, .variants]) }
    let names = vocabularies.isEmpty ? nil : try LogNames(log, vocabularies)
    choices = columns.contains(.choices) ? names.map { ChoiceReader(log, $0) } : nil
    let others = selections.filter { $0.role != .features }
    attributes = others.isEmpty ? nil : names.map { SelectedAttributes(log, $0, others) }
    let ofVariants = selections.filter { $0.role == .features }.compactMap(\.name)
    features = ofVariants.isEmpty ? nil : names.map { SelectedFeatures(log, $0, ofVariants) }
  }

  /// Calls the closure with the events of each of the frames, in the order of the indices.
  ///
  /// - Parameters:
  ///   - frames: Indices into the log's frames, as returned by ``LogReader/admittedFrames(where:)``; frames without
  ///     events that this version knows, and invalid indices, are skipped.
  ///   - body: Receives each batch. The memory of a batch is reused for the next one.
  /// - Throws: ``LogError`` if a frame cannot be read, and errors of the closure.
  package func forEach(
    frames: some Sequence<Int>, _ body: (EventBatch) throws -> Void
  ) throws {
    var batch = EventBatch()
    var buffers = ReadBuffers()
    var lists = choices?.makeBuffers() ?? ChoiceReader.Buffers()
    var streams = attributes?.makeBuffers() ?? SelectedAttributes.Buffers()
    var groups = features?.makeBuffers() ?? SelectedFeatures.Buffers()
    for index in frames where log.rowCount(ofFrame: index) > 0 {
      let frame = log.frames[index]
      let loaded: Void? = try log.passingOver { () throws(LogError) in
        let reader = FrameReader(log: log, frame: frame)
        try batch.load(reader, columns, &buffers)
        if let choices { try choices.load(reader, into: &batch, &lists, &buffers) }
        if let attributes {
          try attributes.load(reader, into: &batch, &streams, &buffers)
        }
        if let features { try features.load(reader, into: &batch, &groups, &buffers) }
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
  ///   - columns: The columns to read.
  ///   - selections: The attributes to read: ``EventBatch/features`` has those of variants in this order, and
  ///     ``EventBatch/attributes`` the others.
  ///   - filter: Selects the frames to read.
  ///   - body: Receives each batch.
  /// - Throws: ``LogError`` if a frame cannot be read, and errors of the closure.
  /// - Complexity: O(number of events); memory for one frame. Choices and attributes need the names of the log as
  ///   well, in time and memory.
  public func forEachBatch(
    _ columns: EventColumns, _ selections: [AttributeSelection] = [],
    where filter: FrameFilter = FrameFilter(),
    _ body: (EventBatch) throws -> Void
  ) throws {
    try forEachBatch(columns, selections, frames: admittedFrames(where: filter), body)
  }

  /// Calls the closure with the events of some frames, in the order of the indices. Several threads may read different
  /// frames at once; the list of skipped damage does not depend on which thread finds it first.
  ///
  /// - Parameters:
  ///   - columns: The columns to read.
  ///   - selections: The attributes to read.
  ///   - frames: Indices into ``frames``, as returned by ``admittedFrames(where:)``.
  ///   - body: Receives each batch.
  /// - Throws: ``LogError`` if a frame cannot be read, and errors of the closure.
  /// - Complexity: O(number of events); memory for one frame. To read frame by frame, create one ``BatchReader`` for
  ///   all, which looks up the needed names once.
  package func forEachBatch(
    _ columns: EventColumns, _ selections: [AttributeSelection] = [], frames: some Sequence<Int>,
    _ body: (EventBatch) throws -> Void
  ) throws {
    try BatchReader(self, columns, selections).forEach(frames: frames, body)
  }
}
