internal import Events

/// The codes in some columns of a log whose names were erased or lost. An event with one of them is lost to readers of
/// that column.
struct UnnamedCodes: Sendable {
  private struct Column: Sendable {
    var id: ColumnID
    var codes: any KeyPath<EventBatch, [UInt32]> & Sendable
    /// By code.
    var isUnnamed: [Bool]
  }

  /// The columns that have such codes.
  private var columns: [Column] = []

  // Key paths to the batch's columns of names. Units are identified by their codes alone, so that reports need not
  // read all of their names.
  private static var candidates: [(EventColumns, ColumnID, Vocabulary, any KeyPath<EventBatch, [UInt32]> & Sendable)] {
    [
      (.experiment, .experiment, .experiments, \.experiments), (.point, .point, .points, \.points),
      (.slot, .slot, .slots, \.slots), (.variant, .variant, .variants, \.variants),
      (.goal, .goal, .goals, \.goals), (.policy, .policy, .policies, \.policies),
      (.reason, .reason, .reasons, \.reasons),
      (.dataKind, .dataKind, .dataKinds, \.dataKinds), (.key, .key, .keys, \.keys),
    ]
  }

  /// Finds the codes without a name in the requested columns.
  ///
  /// - Complexity: O(1) in a log without erased events, unless damage is skipped; else O(length of the names).
  init(_ log: LogReader, _ wanted: EventColumns) throws(LogError) {
    let asked = Self.candidates.filter { wanted.contains($0.0) }
    let mayBeUnnamed = asked.filter { _, _, vocabulary, _ in
      log.policy == .skip
        || log.frames.contains {
          $0.entries.contains { $0.hasGaps && $0.column == .names(vocabulary) }
        }
    }
    guard !mayBeUnnamed.isEmpty else { return }
    let names = try LogNames(log, Set(mayBeUnnamed.map(\.2)))
    for (_, id, vocabulary, path) in mayBeUnnamed {
      let isUnnamed = (0..<log.codeLimit(vocabulary)).map { code in
        code != 0 && names.bytes(code, in: vocabulary) == nil
      }
      if isUnnamed.contains(true) {
        columns.append(Column(id: id, codes: path, isUnnamed: isUnnamed))
      }
    }
  }

  /// Treats the events that have such a code as lost.
  ///
  /// - Throws: ``LogError`` if that may not be skipped.
  func hide(in batch: inout EventBatch, _ frame: FrameInfo, of log: LogReader) throws(LogError) {
    for column in columns {
      let codes = batch[keyPath: column.codes]
      for row in codes.indices where column.isUnnamed[Int(codes[row])] {
        try log.passOver(log.unnamed(column.id, codes[row], row: row, of: frame))
        batch.hide(row: row)
      }
    }
  }
}
