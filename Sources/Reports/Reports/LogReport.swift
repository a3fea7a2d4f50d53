public import EventLog
internal import Events
internal import Specifications
public import Tables

/// The reports of `log info`: the contents of a log, and the size of its columns.
public enum LogReport {
  /// Returns one row for each property of the log.
  ///
  /// - Throws: `LogError` if a frame cannot be read.
  /// - Complexity: O(number of events), to count the kinds.
  public static func info(_ log: LogReader) throws -> Table {
    var table = try Table(
      name: "log_info", title: "Log",
      columns: [
        .key("property", .text, "what is known"), .measure("value", .text, "what it is"),
      ])
    for (property, value) in try properties(log) {
      try table.append(row: [.text(property), .text(value)])
    }
    return table
  }

  private static func properties(_ log: LogReader) throws -> [(String, String)] {
    var kinds = [Int](repeating: 0, count: 256)
    try log.forEachBatch([]) { batch in
      for kind in batch.kinds { kinds[Int(kind)] += 1 }
    }
    var rows: [(String, String)] = [
      ("id", log.id.map(\.description) ?? ""), ("events", String(log.eventCount)),
    ]
    let names =
      EventKind.allCases.map { ($0.rawValue, $0.name) }
      + [(AbsentKind.erased, "erased"), (AbsentKind.lost, "lost")]
    for (kind, name) in names where kinds[Int(kind)] > 0 {
      rows.append(("events.\(name)", String(kinds[Int(kind)])))
    }
    rows += [
      ("earliest", log.earliest?.description ?? ""), ("latest", log.latest?.description ?? ""),
      ("segments", String(log.segments.count)), ("profile", profiles(log)),
      ("frames", String(log.frameCount)),
      ("bytes", String(log.byteCount)),
    ]
    if log.eventCount > 0 {
      let perEvent = Double(log.byteCount) / Double(log.eventCount)
      rows.append(("bytes_per_event", NumberText.fixed(perEvent, places: 2)))
    }
    for vocabulary in Vocabulary.allCases where log.nameCount(vocabulary) > 0 {
      rows.append(("names.\(vocabulary.name)", String(log.nameCount(vocabulary))))
      rows.append(("name_bytes.\(vocabulary.name)", String(log.nameByteCount(vocabulary))))
    }
    for (index, note) in try log.notes().enumerated() {
      rows.append(("note.\(index + 1)", note))
    }
    if let tail = log.tail { rows.append(("bytes_unfinished", String(tail.byteCount))) }
    return rows
  }

  /// Returns one row for each column and encoding.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  /// - Complexity: O(number of frames).
  public static func columns(_ log: LogReader) throws -> Table {
    var table = try Table(
      name: "log_columns", title: "Columns",
      columns: [
        .key("column", .text, "what the bytes hold"),
        .key("encoding", .text, "how they hold it"),
        .measure("deflated", .integer, "chunks that are compressed with DEFLATE as well"),
        .measure("chunks", .integer, "how many chunks"),
        .measure("values", .integer, "how many values"),
        .measure("bytes", .integer, "bytes in the log"),
        .measure("bytes_per_event", .decimal, "bytes divided by the events of the log"),
      ])
    for usage in log.columnUsage() {
      try table.append(row: [
        .text(usage.column), .text(usage.encoding), .integer(usage.deflated),
        .integer(usage.chunks), .integer(usage.values), .integer(usage.bytes),
        .decimal(Double(usage.bytes) / Double(max(1, log.eventCount))),
      ])
    }
    return table.sorted()
  }

  /// Returns the distinct profiles of the segments, in the order of the log.
  private static func profiles(_ log: LogReader) -> String {
    var names: [String] = []
    for segment in log.segments {
      let name = segment.profile?.rawValue ?? "unknown"
      if !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ", ")
  }
}
