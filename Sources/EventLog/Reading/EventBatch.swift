internal import Events

/// The columns of the log that a replay reads. Columns that are not requested are neither read nor decompressed.
public struct EventColumns: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

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
  /// Whether a conversion is marked as negative: see `Conversion.isReversal`.
  public static let negative = EventColumns(rawValue: 1 << 11)
  /// Codes of policies.
  public static let policy = EventColumns(rawValue: 1 << 12)
  /// Codes of reasons.
  public static let reason = EventColumns(rawValue: 1 << 13)
  /// Codes of the kinds of data points.
  public static let dataKind = EventColumns(rawValue: 1 << 14)
  /// Codes of the keys of data points.
  public static let key = EventColumns(rawValue: 1 << 15)
  /// The choices of decisions.
  public static let choices = EventColumns(rawValue: 1 << 16)
  /// The probabilities of a decision's choices.
  public static let probabilities = EventColumns(rawValue: 1 << 17)
}

/// The events of a frame as columns: element i of each column belongs to the event at position `basePosition + i`. A
/// column that was not requested is empty.
///
/// Codes are those of the log's vocabularies, 0 if an event has no such name.
///
/// ``LogReader/forEachBatch(_:_:where:_:)`` reuses the memory of a batch for the next one. A copy of a batch or a
/// column keeps its values; the next batch then gets new memory.
public struct EventBatch: Sendable {
  /// The position of the first event.
  public private(set) var basePosition: UInt64 = 0
  /// The number of events.
  public private(set) var count = 0
  /// The raw values of `EventKind`; a kind that this version does not know is to be skipped. Always present.
  public private(set) var kinds: [UInt8] = []
  /// Microseconds since 1970.
  public private(set) var times: [Int64] = []
  /// Codes of units.
  public private(set) var units: [UInt32] = []
  /// Codes of experiments.
  public private(set) var experiments: [UInt32] = []
  /// Codes of points: of decisions and confirmations, and of goals that name one.
  public private(set) var points: [UInt32] = []
  /// Codes of slots: of decisions and confirmations, and of goals that name one.
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
  /// The raw values of `EventStatus`, 0 if not given.
  public private(set) var statuses: [UInt8] = []
  /// 0 not given, 1 false, 2 true.
  public private(set) var negatives: [UInt8] = []
  /// Propensities of decisions.
  public private(set) var propensities = NumberColumn()
  /// Values of goals.
  public private(set) var values = NumberColumn()
  /// Revenue of conversions.
  public private(set) var revenues = NumberColumn()
  /// The choices of decisions.
  public internal(set) var choices = ChoiceColumn()
  /// The probabilities of decisions.
  public private(set) var probabilities = ProbabilityColumn()
  /// The requested attributes of contexts, metadata and data points, in the requested order.
  public internal(set) var attributes: [AttributeColumn] = []
  /// The requested attributes of variants, in the requested order.
  public internal(set) var features: [FeatureColumn] = []

  init() {}

  /// Reads the columns of a frame, reusing the memory of this batch.
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
      _ column: EventColumns, _ field: EventRecord.TextField, _ codes: inout [UInt32]
    ) throws(LogError) {
      guard columns.contains(column), let vocabulary = field.vocabulary else { return }
      try reader.codes(field.column, in: vocabulary, into: &codes, &buffers)
    }
    try load(.unit, .unit, &units)
    try load(.experiment, .experiment, &experiments)
    try load(.point, .point, &points)
    try load(.slot, .slot, &slots)
    try load(.variant, .variant, &variants)
    try load(.goal, .goal, &goals)
    try load(.policy, .policy, &policies)
    try load(.reason, .reason, &reasons)
    try load(.dataKind, .dataKind, &dataKinds)
    try load(.key, .key, &keys)
  }

  /// Makes room for a number of attributes.
  mutating func makeAttributes(_ count: Int) {
    while attributes.count < count { attributes.append(AttributeColumn()) }
  }

  /// Makes room for a number of attributes of variants.
  mutating func makeFeatures(_ count: Int) {
    while features.count < count { features.append(FeatureColumn()) }
  }

  /// Treats an event as lost: readers skip its kind.
  mutating func hide(row: Int) { kinds[row] = AbsentKind.lost }
}
