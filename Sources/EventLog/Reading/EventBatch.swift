public import Events

/// Which columns of the log a replay reads. What nobody asks for is neither read nor inflated.
public struct EventColumns: OptionSet, Hashable, Sendable {
  /// One bit for each column.
  public let rawValue: UInt32

  /// Columns by their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Event times.
  public static let time = EventColumns(rawValue: 1 << 0)
  /// Codes of units.
  public static let unit = EventColumns(rawValue: 1 << 1)
  /// Codes of experiments.
  public static let experiment = EventColumns(rawValue: 1 << 2)
  /// Codes of points.
  public static let point = EventColumns(rawValue: 1 << 3)
  /// Codes of slots.
  public static let slot = EventColumns(rawValue: 1 << 4)
  /// Codes of variants.
  public static let variant = EventColumns(rawValue: 1 << 5)
  /// Codes of goals.
  public static let goal = EventColumns(rawValue: 1 << 6)
  /// Statuses of decisions and goals.
  public static let status = EventColumns(rawValue: 1 << 7)
  /// Propensities of decisions.
  public static let propensity = EventColumns(rawValue: 1 << 8)
  /// Values of goals.
  public static let value = EventColumns(rawValue: 1 << 9)
  /// Revenue of conversions.
  public static let revenue = EventColumns(rawValue: 1 << 10)
  /// Whether a conversion takes an earlier one back.
  public static let negative = EventColumns(rawValue: 1 << 11)
  /// Codes of policies.
  public static let policy = EventColumns(rawValue: 1 << 12)
  /// Codes of reasons.
  public static let reason = EventColumns(rawValue: 1 << 13)
}

/// The events of a frame as columns: entry i of each column belongs to the event of position
/// `basePosition + i`. A column that was not asked for is empty.
///
/// Codes are those of the log's vocabularies, 0 where an event has no such name.
public struct EventBatch: Sendable {
  /// Position of the first event.
  public let basePosition: UInt64
  /// How many events there are.
  public let count: Int
  /// Raw values of `EventKind`; a kind that this version does not know is to be skipped. Always there.
  public private(set) var kinds: [UInt8]
  /// Microseconds since 1970.
  public let times: [Int64]
  /// Codes of units.
  public let units: [UInt32]
  /// Codes of experiments.
  public let experiments: [UInt32]
  /// Codes of points.
  public let points: [UInt32]
  /// Codes of slots.
  public let slots: [UInt32]
  /// Codes of variants.
  public let variants: [UInt32]
  /// Codes of goals.
  public let goals: [UInt32]
  /// Codes of policies.
  public let policies: [UInt32]
  /// Codes of reasons.
  public let reasons: [UInt32]
  /// Raw values of `EventStatus`, 0 where none is given.
  public let statuses: [UInt8]
  /// 0 not given, 1 false, 2 true.
  public let negatives: [UInt8]
  /// Propensities of decisions.
  public let propensities: NumberColumn
  /// Values of goals.
  public let values: NumberColumn
  /// Revenue of conversions.
  public let revenues: NumberColumn

  init(_ reader: FrameReader, _ columns: EventColumns) throws(LogError) {
    let read = { (column: EventColumns, id: ColumnID, vocabulary) throws(LogError) -> [UInt32] in
      columns.contains(column) ? try reader.codes(id, in: vocabulary) : []
    }
    let readNumbers = { (column: EventColumns, id: ColumnID) throws(LogError) -> NumberColumn in
      columns.contains(column) ? try reader.numbers(id) : NumberColumn(count: 0)
    }
    basePosition = reader.frame.basePosition
    count = reader.frame.rows
    kinds = try reader.integers(.kind, as: UInt8.self)
    times = columns.contains(.time) ? try reader.integers(.time, as: Int64.self) : []
    units = try read(.unit, .unit, .units)
    experiments = try read(.experiment, .experiment, .experiments)
    points = try read(.point, .point, .points)
    slots = try read(.slot, .slot, .slots)
    variants = try read(.variant, .variant, .variants)
    goals = try read(.goal, .goal, .goals)
    policies = try read(.policy, .policy, .policies)
    reasons = try read(.reason, .reason, .reasons)
    statuses = columns.contains(.status) ? try reader.integers(.status, as: UInt8.self) : []
    negatives = columns.contains(.negative) ? try reader.integers(.negative, as: UInt8.self) : []
    propensities = try readNumbers(.propensity, .propensity)
    values = try readNumbers(.value, .value)
    revenues = try readNumbers(.revenue, .revenue)
  }

  /// Takes an event for lost: readers pass over its kind.
  mutating func hide(row: Int) { kinds[row] = AbsentKind.lost }
}

/// Rules out frames by what their headers say, before anything of them is read.
public struct FrameFilter: Hashable, Sendable {
  /// Only frames with an event of one of these kinds; all frames when nil.
  public var kinds: Set<EventKind>?
  /// Only frames with an event at or after this time; all frames when nil.
  public var since: Timestamp?
  /// Only frames with an event before this time; all frames when nil.
  public var until: Timestamp?
  /// Only frames that may have an event of an experiment with one of these codes; all frames when nil. A
  /// header has 64 bits for all experiments, so a frame may pass that has none of them.
  public var experiments: Set<UInt32>?

  /// A filter that lets every frame pass that none of its conditions rules out.
  public init(
    kinds: Set<EventKind>? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
    experiments: Set<UInt32>? = nil
  ) {
    self.kinds = kinds
    self.since = since
    self.until = until
    self.experiments = experiments
  }

  func admits(_ frame: FrameInfo) -> Bool {
    let header = frame.header
    if let kinds, !kinds.contains(where: { header.kinds >> UInt64($0.rawValue) & 1 != 0 }) {
      return false
    }
    if let since, header.latest < since.microseconds { return false }
    if let until, header.earliest >= until.microseconds { return false }
    guard let experiments else { return true }
    return experiments.contains { header.experiments >> UInt64($0 % 64) & 1 != 0 }
  }
}

extension LogReader {
  /// Calls the closure with the events of each frame, in order.
  ///
  /// - Parameters:
  ///   - columns: The columns that the closure uses.
  ///   - filter: The frames that are read at all.
  ///   - body: What is done with each batch.
  /// - Throws: ``LogError`` when a frame cannot be read, and what the closure throws.
  /// - Complexity: O(number of events); memory for one frame.
  public func forEachBatch(
    _ columns: EventColumns, where filter: FrameFilter = FrameFilter(),
    _ body: (EventBatch) throws -> Void
  ) throws {
    let unnamed = try UnnamedCodes(self, columns)
    for frame in frames where frame.isKnown && frame.rows > 0 && filter.admits(frame) {
      let batch = try passingOver { () throws(LogError) in
        try EventBatch(FrameReader(log: self, frame: frame), columns)
      }
      guard var batch else { continue }
      try unnamed.hide(in: &batch, frame, of: self)
      try body(batch)
    }
  }
}

extension LogReader {
  /// How many events are in the frames that the filter lets pass.
  ///
  /// - Complexity: O(number of frames).
  public func eventCount(where filter: FrameFilter) -> UInt64 {
    frames.reduce(0) { $0 + ($1.isKnown && filter.admits($1) ? UInt64($1.rows) : 0) }
  }
}
