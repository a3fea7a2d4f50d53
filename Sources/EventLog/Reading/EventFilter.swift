public import Events

/// A filter for the events of a log. An event must meet every condition; nil conditions are met by all.
public struct EventFilter: Hashable, Sendable {
  /// The range of positions.
  public var positions: Range<UInt64>
  /// The start of the time range, inclusive.
  public var since: Timestamp?
  /// The end of the time range, exclusive.
  public var until: Timestamp?
  /// The kinds of events.
  public var kinds: Set<EventKind>?
  /// The experiments; an event without an experiment matches none. Names are compared by their bytes.
  public var experiments: Set<[UInt8]>?
  /// The units; `""` stands for life-cycle events that concern everyone.
  public var units: Set<[UInt8]>?

  /// Creates a filter with the given conditions.
  public init(
    positions: Range<UInt64> = 0..<UInt64.max, since: Timestamp? = nil, until: Timestamp? = nil,
    kinds: Set<EventKind>? = nil, experiments: [String]? = nil, units: [String]? = nil
  ) {
    self.positions = positions
    self.since = since
    self.until = until
    self.kinds = kinds
    self.experiments = experiments.map { Set($0.map { Array($0.utf8) }) }
    self.units = units.map { Set($0.map { Array($0.utf8) }) }
  }
}

/// Reads the events of a log that match a filter, and later those that have been appended since.
public struct FilteredEvents {
  private var filter: EventFilter
  private var reader: LogReader
  private var names: LogNames
  /// The number of frames whose names have been read.
  private var namedFrames = 0
  private var experiments: Set<UInt32>?
  private var units: Set<UInt32>?
  private var searchedUnits: UInt32 = 0
  private var record = EventRecord()

  /// Creates a reader of the events that match the filter.
  public init(_ reader: LogReader, matching filter: EventFilter) {
    self.filter = filter
    self.reader = reader
    names = LogNames(path: reader.path, Set(Vocabulary.allCases))
    units = filter.units == nil ? nil : []
  }

  /// Whether events that are appended from now on may still match.
  public var mayHaveMore: Bool { !filter.positions.isEmpty }

  /// Refreshes the view of the log.
  ///
  /// - Returns: Whether the log has changed.
  /// - Throws: ``LogError`` if it cannot be opened.
  public mutating func refresh() throws(LogError) -> Bool {
    guard let reopened = try reader.reopened() else { return false }
    // Names stay the same as long as the frames that define them do; a log that was rewritten meanwhile may have given
    // them other codes.
    let last = namedFrames - 1
    if last >= 0,
      !reopened.frames.indices.contains(last)
        || reopened.frames[last].check != reader.frames[last].check
    {
      self = FilteredEvents(reopened, matching: filter)
    }
    reader = reopened
    return true
  }

  /// Calls the closure with each matching event that it has not been called with before, and its position, in order.
  ///
  /// Frames that are ruled out by their header are not read; of the others only the columns that the filter needs are
  /// read, unless an event matches.
  ///
  /// - Throws: ``LogError`` if a frame cannot be read, and errors of the closure.
  /// - Complexity: O(number of events of the frames that are read); memory for one frame and for all names.
  public mutating func forEach(_ body: (EventRecord, UInt64) throws -> Void) throws {
    try takeNames()
    let frames = FrameFilter(
      kinds: filter.kinds, since: filter.since, until: filter.until, experiments: experiments)
    for frame in reader.frames
    where frame.isKnown && frame.rows > 0 && frames.admits(frame)
      && filter.positions.overlaps(frame.basePosition..<frame.endPosition)
    {
      try read(frame, body)
    }
    let read = max(filter.positions.lowerBound, reader.eventCount)
    filter.positions = min(read, filter.positions.upperBound)..<filter.positions.upperBound
  }

  private mutating func takeNames() throws {
    for frame in reader.frames[namedFrames...] { try names.add(frame, of: reader) }
    namedFrames = reader.frames.count
    if let wanted = filter.experiments {
      experiments = Set(
        wanted.compactMap {
          names.code(of: String(decoding: $0, as: UTF8.self), in: .experiments)
        })
    }
    guard let wanted = filter.units else { return }
    let limit = reader.codeLimit(.units)
    for code in searchedUnits..<max(limit, searchedUnits) {
      if let name = try names.unit(code), wanted.contains(Array(name)) { units?.insert(code) }
    }
    searchedUnits = limit
  }

  private mutating func read(
    _ frame: FrameInfo, _ body: (EventRecord, UInt64) throws -> Void
  ) throws {
    let source = FrameReader(log: reader, frame: frame)
    let wanted = try reader.passingOver { () throws(LogError) in try wantedRows(source) } ?? []
    guard let last = wanted.last else { return }
    let rows = try reader.passingOver { () throws(LogError) in try RowReader(source, names) }
    guard var rows else { return }
    var next = 0
    for row in 0...last {
      let isKnown = try reader.passingOver { () throws(LogError) in try rows.next(into: &record) }
      guard let isKnown else { return }
      guard row == wanted[next] else { continue }
      next += 1
      if isKnown { try body(record, frame.basePosition + UInt64(row)) }
    }
  }

  /// Returns the rows of a frame that meet every condition, in ascending order.
  private func wantedRows(_ source: FrameReader) throws(LogError) -> [Int] {
    var columns: EventColumns = []
    if filter.since != nil || filter.until != nil { columns.insert(.time) }
    if experiments != nil { columns.insert(.experiment) }
    if units != nil { columns.insert(.unit) }
    var batch = EventBatch()
    var buffers = ReadBuffers()
    try batch.load(source, columns, &buffers)
    let kinds = filter.kinds.map { Set($0.map(\.rawValue)) }
    return (0..<batch.count).filter { row in
      if !filter.positions.contains(batch.basePosition + UInt64(row)) { return false }
      if let kinds, !kinds.contains(batch.kinds[row]) { return false }
      if let since = filter.since, batch.times[row] < since.microseconds { return false }
      if let until = filter.until, batch.times[row] >= until.microseconds { return false }
      if let experiments, !experiments.contains(batch.experiments[row]) {
        return isLost(batch.experiments[row], in: .experiments)
      }
      if let units, !units.contains(batch.units[row]) {
        return isLost(batch.units[row], in: .units)
      }
      return true
    }
  }

  /// Returns whether the name of a code is lost: the event may match, and is counted as lost when it is read.
  private func isLost(_ code: UInt32, in vocabulary: Vocabulary) -> Bool {
    guard reader.policy == .skip, code != 0 else { return false }
    if vocabulary == .units { return (try? names.unit(code)) == nil }
    return names.bytes(code, in: vocabulary) == nil
  }
}

extension LogReader {
  /// Calls the closure with each event that matches the filter and its position, in order.
  ///
  /// - Throws: ``LogError`` if a frame cannot be read, and errors of the closure.
  /// - Complexity: As that of ``FilteredEvents/forEach(_:)``.
  public func forEachEvent(
    matching filter: EventFilter, _ body: (EventRecord, UInt64) throws -> Void
  ) throws {
    var events = FilteredEvents(self, matching: filter)
    try events.forEach(body)
  }
}
