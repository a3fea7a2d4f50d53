package import EventLog
public import Events
internal import Specifications

/// Properties of the log that are known to a replay before the first unit.
public struct UnitContext: Sendable {
  /// The arms of decisions, by ``UnitEvent/subject``.
  public var arms: [Arm]
  /// The values of the dimension by ``UnitEvent/subject``; the first one stands for unknown.
  public var values: [DimensionValue]
  /// The latest event time of the log in microseconds; the minimum value if it has no event.
  public var latest: Int64
  /// The probabilities that decisions gave their choices, by ``UnitEvent/subject`` of
  /// ``UnitEvent/Kind/probabilities``.
  package var probabilities = ProbabilityRegister()
  /// The situations of decisions, by ``UnitEvent/subject`` of ``UnitEvent/Kind/situation``.
  package var situations = SituationRegister()
  /// The hashes of the names of units; without ``UnitNeeds/hashes``, the codes of units stand in for them.
  package var hashes = UnitHashes(kept: [])

  /// Creates a context.
  public init(arms: [Arm] = [], values: [DimensionValue] = [.unknown], latest: Int64 = .min) {
    self.arms = arms
    self.values = values
    self.latest = latest
  }
}

/// The value of a unit or decision in a dimension. Texts are told apart by their UTF-8 bytes.
public enum DimensionValue: Hashable, Sendable {
  /// The value is unknown.
  case unknown
  /// A text, or a number or truth value as text.
  case text(String)

  /// The text; nil if the value is unknown.
  public var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// Compares the UTF-8 bytes of texts.
  public static func == (a: DimensionValue, b: DimensionValue) -> Bool {
    switch (a, b) {
    case (.unknown, .unknown): true
    case (.text(let a), .text(let b)): a.isSameName(as: b)
    default: false
    }
  }

  /// Hashes the UTF-8 bytes of a text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text.map(NameKey.init)) }

  /// Returns whether the value is before another: unknown first, then by the UTF-8 bytes.
  func isBefore(_ other: DimensionValue) -> Bool {
    switch (text, other.text) {
    case (let mine?, let theirs?): mine.isNameBefore(theirs)
    case (nil, _?): true
    default: false
    }
  }
}

/// The part of a log that a replay of units reads.
public struct UnitSelection: Hashable, Sendable {
  /// The codes of the experiments whose decisions and goals count; nil for all.
  public var experiments: Set<UInt32>?
  /// The start of the time range, inclusive, in microseconds; nil for no start.
  public var since: Int64?
  /// The end of the time range, exclusive, in microseconds; nil for no end.
  public var until: Int64?
  /// The codes of reasons whose decisions are excluded, such as that of `forced`.
  public var leftOutReasons: Set<UInt32> = []
  /// The dimension by which results are broken down; nil for none.
  public var dimension: Dimension?
  /// The attributes of the context that situations have, see ``UnitNeeds/situations``.
  public var contextAttributes: [String] = []
  /// The attributes of variants that are read with the choices of decisions, for ``UnitNeeds/situations``.
  public var variantFeatures: [String] = []
  /// The first position to read.
  public var from: UInt64 = 0
  /// The days of the time zone of the report, for ``Dimension/day``.
  public var calendar = DayCalendar.utc

  /// Selects everything.
  public init() {}

  /// Whether at most the position excludes events.
  var selectsEveryEvent: Bool { experiments == nil && since == nil && until == nil }
}
