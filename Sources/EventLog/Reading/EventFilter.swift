public import Events

/// Which events of a log are wanted. An event must meet every condition; one that is nil is met by all.
public struct EventFilter: Hashable, Sendable {
  /// The positions of the events.
  public var positions: Range<UInt64>
  /// Events at this time or later.
  public var since: Timestamp?
  /// Events before this time.
  public var until: Timestamp?
  /// Events of these kinds.
  public var kinds: Set<EventKind>?
  /// Events of these experiments; an event without an experiment is of none. Names are told apart by their
  /// bytes.
  public var experiments: Set<[UInt8]>?
  /// Events of these units; `""` stands for life-cycle events that concern everyone.
  public var units: Set<[UInt8]>?

  /// A filter by the given conditions.
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

/// Reads the events of a log that a filter wants, and later those that were appended since.
public struct FilteredEvents {
  private var filter: EventFilter
  private var reader: LogReader
  private var names: LogNames
  /// How many frames the names were taken from.
  private var namedFrames = 0
  private var experiments: Set<UInt32>?
  private var units: Set<UInt32>?
  private var searchedUnits: UInt32 = 0
  private var record = EventRecord()

  /// The events of a log that the filter wants.
  public init(_ reader: LogReader, matching filter: EventFilter) {
    self.filter = filter
    self.reader = reader
    names = LogNames(path: reader.path, Set(Vocabulary.allCases))
    units = filter.units == nil ? nil : []
  }

  /// Whether events that are appended from now on may still be wanted.
  public var mayHaveMore: Bool { !filter.positions.isEmpty }

  /// Takes the log as it is now.
  ///
  /// - Returns: Whether it has changed.
  /// - Throws: ``LogError`` when it cannot be opened.
  public mutating func refresh() throws(LogError) -> Bool {
    guard let reopened = try reader.reopened() else { return false }
    // Names stay what they were as long as the frames do that brought them; a log that was rewritten
    // meanwhile may have given them other codes.
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

  /// Calls the closure with each wanted event that it was not called with before, and its position, in
  /// order.
  ///
  /// Frames that their header rules out are not read; of the others only the columns that the filter needs,
  /// unless an event is wanted.
  ///
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
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

  /// The rows of a frame that meet every condition, in ascending order.
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

  /// Whether nobody can say any more what the code stood for: the event may be wanted, and is counted as lost
  /// when it is read.
  private func isLost(_ code: UInt32, in vocabulary: Vocabulary) -> Bool {
    guard reader.policy == .skip, code != 0 else { return false }
    if vocabulary == .units { return (try? names.unit(code)) == nil }
    return names.bytes(code, in: vocabulary) == nil
  }
}

extension LogReader {
  /// Calls the closure with each event that the filter wants and its position, in order.
  ///
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  /// - Complexity: As that of ``FilteredEvents/forEach(_:)``.
  public func forEachEvent(
    matching filter: EventFilter, _ body: (EventRecord, UInt64) throws -> Void
  ) throws {
    var events = FilteredEvents(self, matching: filter)
    try events.forEach(body)
  }
}
