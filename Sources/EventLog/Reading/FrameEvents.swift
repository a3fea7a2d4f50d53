package import Events

/// All that the events of one frame have, as columns, except for features and texts, which are read row by row: for
/// exports, which need everything. It is tested against ``RowReader``, which reassembles whole rows.
package struct FrameEvents {
  /// A column of texts of which few rows have one.
  package struct TextColumn {
    private let present: Bitmap
    private let texts: TextList
    private var next = 0

    fileprivate init?(_ reader: FrameReader, _ column: ColumnID) throws(LogError) {
      guard let (present, texts) = try reader.texts(column) else { return nil }
      (self.present, self.texts) = (present, texts)
    }

    /// Returns the text of a row; nil if it has none. Rows must be requested in order, each once.
    package mutating func text(_ row: Int) -> ArraySlice<UInt8>? {
      guard present[row] else { return nil }
      defer { next += 1 }
      return texts[next]
    }
  }

  /// The columns with a number, code or list for each row.
  package let batch: EventBatch
  /// Codes of systems.
  package let systems: [UInt32]
  /// Codes of instances, among those of systems.
  package let instances: [UInt32]
  /// The ids of the events; nil if none has one.
  package var ids: TextColumn?
  /// Whether an event has features.
  package let hasFeatures: Bool
  private let reader: FrameReader
  private var attributes: AttributeReader

  /// Reads a frame; nil if it has something that only whole rows show: fields of other systems or configurations, or
  /// damage that is skipped.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - index: An index into ``LogReader/frames``.
  ///   - names: All names of the log.
  ///   - batch: Its columns, as a ``BatchReader`` of all columns reads them.
  /// - Throws: ``LogError`` if the frame cannot be read.
  package init?(
    _ log: LogReader, _ index: Int, _ names: LogNames, _ batch: EventBatch
  ) throws(LogError) {
    let frame = log.frames[index]
    let needRows: [ColumnID] = [.unknown, .configuration, .changed]
    guard log.policy == .strict, needRows.allSatisfy({ frame.entry($0) == nil }) else { return nil }
    self.batch = batch
    reader = FrameReader(log: log, frame: frame)
    systems = try reader.codes(.system, in: .systems)
    instances = try reader.codes(.instance, in: .systems)
    ids = try TextColumn(reader, .id)
    attributes = try AttributeReader(reader, names, onlyFeatures: true)
    hasFeatures = frame.entry(.features) != nil
  }

  /// Whether the event of a row has features, even if there are none of them.
  package func hasFeatures(_ row: Int) -> Bool { attributes.hasFeatures(row) }

  /// Appends the features of a row to a record, with their texts. Rows must be requested in order, each once; rows
  /// without features may be passed over.
  ///
  /// - Returns: Whether all names are there.
  /// - Throws: ``LogError`` if they cannot be read.
  package mutating func features(
    _ row: Int, into record: inout EventRecord
  ) throws(LogError) -> Bool {
    do throws(ColumnError) {
      try attributes.next(row, into: &record)
    } catch {
      throw reader.log.damage("row \(row): \(error.reason)", reader.frame)
    }
    return attributes.unnamed == nil
  }
}

extension EventColumns {
  /// All columns.
  package static let all = EventColumns(rawValue: (1 << 18) - 1)
}

extension LogReader {
  /// Returns the kinds of the events of a frame.
  package func kinds(ofFrame index: Int) -> Set<EventKind> {
    let bits = frames[index].header.kinds
    return Set(EventKind.allCases.filter { bits >> UInt64($0.rawValue) & 1 != 0 })
  }
}

/// Finds the frames of a log whose events have other attributes, or other fields that few events have, than those of
/// the frames before. Who has seen the events of these frames has seen every list of names and types of attributes.
package struct FrameSurvey {
  private let log: LogReader
  private let kinds: Set<UInt8>?
  private var shapes: [ColumnID: Set<UInt32>] = [:]
  private var fields: Set<ColumnID> = []
  private var dataTypes: Set<UInt8> = []

  /// Creates a survey of the events of some kinds; of all if there is none.
  package init(_ log: LogReader, _ kinds: Set<EventKind>?) {
    self.log = log
    self.kinds = kinds.map { Set($0.map(\.rawValue)) }
  }

  /// Returns whether a frame has something new. Frames must be passed in order.
  ///
  /// - Throws: ``LogError`` if the frame cannot be read.
  /// - Complexity: O(events) for the few columns that are read.
  package mutating func hasNews(_ index: Int) throws(LogError) -> Bool {
    let frame = log.frames[index]
    let reader = FrameReader(log: log, frame: frame)
    let rows = try reader.integers(.kind, as: UInt8.self)
    var isNew = false
    // What only whole rows show is always new.
    for column in [ColumnID.unknown] where frame.entry(column) != nil { isNew = true }
    for column in [ColumnID.system, .instance] where frame.entry(column) != nil {
      let codes = try reader.codes(column, in: .systems)
      if rows.indices.contains(where: { codes[$0] != 0 && isWanted(rows[$0]) }),
        fields.insert(column).inserted
      {
        isNew = true
      }
    }
    for column in [ColumnID.context, .features, .metadata] where frame.entry(column) != nil {
      let codes = try reader.codes(column, in: .shapes)
      var last: UInt32 = 0
      for (row, code) in codes.enumerated() where code != 0 && code != last && isWanted(rows[row]) {
        last = code
        if code == Vocabulary.literalCode || shapes[column, default: []].insert(code).inserted {
          isNew = true
        }
      }
    }
    if frame.entry(.dataType) != nil {
      for (row, type) in try reader.integers(.dataType, as: UInt8.self).enumerated()
      where type == ValueType.integer.rawValue && isWanted(rows[row]) {
        if dataTypes.insert(type).inserted { isNew = true }
      }
    }
    return isNew
  }

  private func isWanted(_ kind: UInt8) -> Bool { kinds?.contains(kind) ?? true }
}
