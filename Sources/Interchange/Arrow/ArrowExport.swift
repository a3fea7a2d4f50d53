internal import Arrow
public import EventLog
public import Events
internal import Threads

/// The export of a log as one Arrow stream.
///
/// The names in the stream are those of the log, sent once before the first events; each batch has the events of one
/// frame of the log.
public struct ArrowExport: Sendable {
  private let log: LogReader
  private let names: LogNames
  private let columns: ArrowColumns
  private let dictionaries: ArrowNames
  private let encoder: ArrowStreamEncoder

  /// Creates the export of the events of some kinds.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - kinds: The kinds; nil for all that the log has.
  ///   - check: Called now and then, to end the export by throwing.
  /// - Throws: `LogError` if the log cannot be read, and errors of the closure.
  /// - Complexity: O(events): they are read once for the names and types of their attributes.
  public init(
    _ log: LogReader, kinds: Set<EventKind>? = nil, check: () throws -> Void = {}
  ) throws {
    self.log = log
    var attributes = ArrowAttributes()
    var occurring: Set<EventKind> = []
    try log.forEachEvent { event, _ in
      try check()
      occurring.insert(event.kind)
      if kinds?.contains(event.kind) ?? true { attributes.add(event) }
    }
    try log.forEachEvent { event, _ in
      if kinds?.contains(event.kind) ?? true, !attributes.show(event) { attributes.needsJSON = true }
    }
    columns = ArrowColumns(kinds ?? occurring, attributes)
    names = try LogNames(log, Set(Vocabulary.allCases))
    dictionaries = ArrowNames(columns.fixed, names)
    encoder = ArrowStreamEncoder(columns.schema)
  }

  /// Writes the stream.
  ///
  /// - Parameters:
  ///   - progress: Called with the number of events of the log that were written or passed over.
  ///   - write: Receives the bytes in order.
  /// - Throws: `LogError` if the log cannot be read, and errors of the closures.
  /// - Complexity: O(events), on all processors; memory for one frame on each.
  public func write(
    progress: (Int) throws -> Void = { _ in }, to write: ([UInt8]) throws -> Void
  ) throws {
    var bytes: [UInt8] = []
    encoder.appendSchema(to: &bytes)
    dictionaries.append(columns.fixed, encoder, to: &bytes)
    try write(bytes)
    let frames = log.admittedFrames(where: FrameFilter())
    let threads = min(Workers.processorCount, 8)
    var next = frames.startIndex
    while next < frames.endIndex {
      let part = frames[next..<min(next + threads, frames.endIndex)]
      for batch in try Workers.run(part.count, { try batch(part[part.startIndex + $0]) }) {
        try write(batch)
      }
      next = part.endIndex
      try progress(part.last.map { Int(log.frames[$0].endPosition) } ?? 0)
    }
    bytes.removeAll()
    encoder.appendEnd(to: &bytes)
    try write(bytes)
  }

  /// Returns the message with the events of a frame; empty if it has none of the exported kinds.
  private func batch(_ frame: Int) throws -> [UInt8] {
    let rows = ArrowRows(columns, dictionaries)
    var bytes: [UInt8] = []
    func flush() {
      let count = rows.count
      if count > 0 { encoder.appendBatch(rows.take(), count: count, to: &bytes) }
    }
    try log.forEachEvent(ofFrame: frame, names) { event in
      guard columns.kinds.contains(event.kind) else { return }
      rows.append(event)
      if rows.isFull { flush() }
    }
    flush()
    return bytes
  }
}

extension ArrowEvents: LogExportFormat {
  public static func export(
    _ log: LogReader, kinds: Set<EventKind>?, progress: (Int) throws -> Void,
    to write: ([UInt8]) throws -> Void
  ) throws {
    let export = try ArrowExport(log, kinds: kinds) { try progress(0) }
    try export.write(progress: progress, to: write)
  }
}
