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
  /// Codes of points: of decisions and confirmations, and of goals that name one.
  public static let point = EventColumns(rawValue: 1 << 3)
  /// Codes of slots: of decisions and confirmations, and of goals that name one.
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
  /// Codes of the kinds of data points.
  public static let dataKind = EventColumns(rawValue: 1 << 14)
  /// Codes of the keys of data points.
  public static let key = EventColumns(rawValue: 1 << 15)
  /// What decisions could choose from.
  public static let choices = EventColumns(rawValue: 1 << 16)
  /// The probabilities of a decision's choices.
  public static let probabilities = EventColumns(rawValue: 1 << 17)
}

/// The events of a frame as columns: entry i of each column belongs to the event of position
/// `basePosition + i`. A column that was not asked for is empty.
///
/// Codes are those of the log's vocabularies, 0 where an event has no such name.
///
/// ``LogReader/forEachBatch(_:_:where:_:)`` uses the memory of a batch again for the next one. Whoever keeps a
/// batch or a column keeps its values; the next one then gets new memory.
public struct EventBatch: Sendable {
  /// Position of the first event.
  public private(set) var basePosition: UInt64 = 0
  /// How many events there are.
  public private(set) var count = 0
  /// Raw values of `EventKind`; a kind that this version does not know is to be skipped. Always there.
  public private(set) var kinds: [UInt8] = []
  /// Microseconds since 1970.
  public private(set) var times: [Int64] = []
  /// Codes of units.
  public private(set) var units: [UInt32] = []
  /// Codes of experiments.
  public private(set) var experiments: [UInt32] = []
  /// Codes of points: of decisions and confirmations, and of goals that are credited at one only.
  public private(set) var points: [UInt32] = []
  /// Codes of slots: of decisions and confirmations, and of goals that are credited in one only.
  public private(set) var slots: [UInt32] = []
  /// Codes of variants.
  public private(set) var variants: [UInt32] = []
  /// Codes of goals.
  public private(set) var goals: [UInt32] = []
  /// Codes of policies.
  public private(set) var policies: [UInt32] = []
  /// Codes of reasons.
  public private(set) var reasons: [UInt32] = []
  /// Codes of the kinds of data points.
  public private(set) var dataKinds: [UInt32] = []
  /// Codes of the keys of data points.
  public private(set) var keys: [UInt32] = []
  /// Raw values of `EventStatus`, 0 where none is given.
  public private(set) var statuses: [UInt8] = []
  /// 0 not given, 1 false, 2 true.
  public private(set) var negatives: [UInt8] = []
  /// Propensities of decisions.
  public private(set) var propensities = NumberColumn()
  /// Values of goals.
  public private(set) var values = NumberColumn()
  /// Revenue of conversions.
  public private(set) var revenues = NumberColumn()
  /// What decisions could choose from.
  public internal(set) var choices = ChoiceColumn()
  /// The probabilities of decisions.
  public private(set) var probabilities = ProbabilityColumn()
  /// The attributes that were asked for, in the order in which they were.
  public internal(set) var attributes: [AttributeColumn] = []

  init() {}

  /// Reads the columns of a frame into the memory of this batch.
  mutating func load(
    _ reader: FrameReader, _ columns: EventColumns, _ buffers: inout ReadBuffers
  ) throws(LogError) {
    basePosition = reader.frame.basePosition
    count = reader.frame.rows
    try reader.integers(.kind, into: &kinds, &buffers)
    if columns.contains(.time) { try reader.integers(.time, into: &times, &buffers) }
    if columns.contains(.status) { try reader.integers(.status, into: &statuses, &buffers) }
    if columns.contains(.negative) { try reader.integers(.negative, into: &negatives, &buffers) }
    try loadCodes(reader, columns, &buffers)
    if columns.contains(.propensity) {
      try reader.numbers(.propensity, into: &propensities, &buffers)
    }
    if columns.contains(.value) { try reader.numbers(.value, into: &values, &buffers) }
    if columns.contains(.revenue) { try reader.numbers(.revenue, into: &revenues, &buffers) }
    if columns.contains(.probabilities) { try probabilities.load(reader, &buffers) }
  }

  private mutating func loadCodes(
    _ reader: FrameReader, _ columns: EventColumns, _ buffers: inout ReadBuffers
  ) throws(LogError) {
    func load(
      _ column: EventColumns, _ id: ColumnID, _ vocabulary: Vocabulary, _ codes: inout [UInt32]
    ) throws(LogError) {
      guard columns.contains(column) else { return }
      try reader.codes(id, in: vocabulary, into: &codes, &buffers)
    }
    try load(.unit, .unit, .units, &units)
    try load(.experiment, .experiment, .experiments, &experiments)
    try load(.point, .point, .points, &points)
    try load(.slot, .slot, .slots, &slots)
    try load(.variant, .variant, .variants, &variants)
    try load(.goal, .goal, .goals, &goals)
    try load(.policy, .policy, .policies, &policies)
    try load(.reason, .reason, .reasons, &reasons)
    try load(.dataKind, .dataKind, .dataKinds, &dataKinds)
    try load(.key, .key, .keys, &keys)
  }

  /// Makes room for as many attributes.
  mutating func makeAttributes(_ count: Int) {
    while attributes.count < count { attributes.append(AttributeColumn()) }
  }

  /// Takes an event for lost: readers pass over its kind.
  mutating func hide(row: Int) { kinds[row] = AbsentKind.lost }
}
