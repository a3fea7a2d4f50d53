internal import Arrow
public import EventLog
public import Events
internal import Platform
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
  /// The most attributes that are read as columns, of which each has a number for every row.
  private static let mostSelections = 64
  /// Reads all columns of a frame; nil if events are read row by row.
  private let batches: BatchReader?

  /// Creates the export of the events of some kinds.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - kinds: The kinds; nil for all that the log has.
  ///   - check: Called now and then, to end the export by throwing.
  /// - Throws: `LogError` if the log cannot be read, and errors of the closure.
  /// - Complexity: O(names), and O(events) for the few columns that tell which attributes there are.
  public init(
    _ log: LogReader, kinds: Set<EventKind>? = nil, check: () throws -> Void = {}
  ) throws {
    try self.init(log, kinds: kinds, rowByRow: false, check: check)
  }

  /// Creates an export that reads events row by row, or by columns where it can. Both write the same bytes.
  init(
    _ log: LogReader, kinds: Set<EventKind>?, rowByRow: Bool, check: () throws -> Void = {}
  ) throws {
    self.log = log
    names = try LogNames(log, Set(Vocabulary.allCases))
    var survey = FrameSurvey(log, kinds)
    var (attributes, surveyed) = (ArrowAttributes(), [Int]())
    var occurring: Set<EventKind> = []
    for frame in log.admittedFrames(where: FrameFilter()) {
      try check()
      occurring.formUnion(log.kinds(ofFrame: frame))
      guard try rowByRow || survey.hasNews(frame) else { continue }
      surveyed.append(frame)
      try log.forEachEvent(ofFrame: frame, names) { event, _ in
        if kinds?.contains(event.kind) ?? true { attributes.add(event) }
      }
    }
    for frame in surveyed where !attributes.needsJSON {
      try check()
      try log.forEachEvent(ofFrame: frame, names) { event, _ in
        if kinds?.contains(event.kind) ?? true, !attributes.show(event) {
          attributes.needsJSON = true
        }
      }
    }
    columns = ArrowColumns(kinds ?? occurring, attributes)
    dictionaries = ArrowNames(columns.fixed, names)
    encoder = ArrowStreamEncoder(columns.schema)
    let selections = columns.selections
    batches =
      rowByRow || attributes.needsJSON || selections.count > Self.mostSelections
      ? nil : try BatchReader(log, .all, selections)
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
    let threads = min(SystemLimits.processorCount, 8)
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
    if let batches, let bytes = try columns(of: frame, batches) { return bytes }
    let rows = ArrowRows(columns, dictionaries)
    var bytes: [UInt8] = []
    func flush() {
      let count = rows.count
      if count > 0 { encoder.appendBatch(rows.take(), count: count, to: &bytes) }
    }
    try log.forEachEvent(ofFrame: frame, names) { event, _ in
      guard columns.kinds.contains(event.kind) else { return }
      rows.append(event)
      if rows.isFull { flush() }
    }
    flush()
    return bytes
  }

  /// Returns the message with the events of a frame, from its columns; nil if they do not show everything.
  private func columns(of frame: Int, _ batches: BatchReader) throws -> [UInt8]? {
    var bytes: [UInt8]?
    try batches.forEach(frames: [frame]) { batch in
      guard let events = try FrameEvents(log, frame, names, batch) else { return }
      var columns = ArrowFrameColumns(events, self.columns, dictionaries, names)
      let count = columns.count
      guard count > 0 else { return bytes = [] }
      guard let arrays = try columns.columns() else { return }
      var message: [UInt8] = []
      encoder.appendBatch(arrays, count: count, to: &message)
      bytes = message
    }
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
