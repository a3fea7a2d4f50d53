extension LogReader {
  /// The codes of the attributes in the contexts of decisions; nil if the log has so many names that some are stored
  /// in its frames themselves, where only a replay finds them.
  ///
  /// - Complexity: O(number of columns of all frames); no event is read.
  package var contextAttributes: Set<UInt32>? {
    var codes: Set<UInt32> = []
    let columns = Set(
      ValueType.allCases.map { ColumnID.attribute(.context, $0) })
    for frame in frames where frame.isKnown {
      for entry in frame.entries {
        if entry.column == ColumnID.context.literals { return nil }
        if columns.contains(entry.column) { codes.insert(entry.key) }
      }
    }
    return codes
  }
}
