/// What a replay knows of the log before it shows the first unit.
public struct UnitContext: Sendable {
  /// The arms of decisions, by ``UnitEvent/subject``.
  public var arms: [Arm]
  /// The values of the dimension by ``UnitEvent/subject``; the first one stands for units of which it is not known.
  public var values: [DimensionValue]
  /// The latest event time of the log in microseconds; the least there is when it has no event.
  public var latest: Int64
  /// What decisions gave their choices, by ``UnitEvent/subject`` of ``UnitEvent/Kind/probabilities``.
  var probabilities = ProbabilityRegister()

  /// Makes a context.
  public init(arms: [Arm] = [], values: [DimensionValue] = [.unknown], latest: Int64 = .min) {
    self.arms = arms
    self.values = values
    self.latest = latest
  }
}

/// A value that a unit or decision has in a dimension.
public enum DimensionValue: Hashable, Sendable {
  /// Nothing is known.
  case unknown
  /// A text, or a number or truth value as text.
  case text(String)

  /// The text; nil when nothing is known.
  public var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }
}

/// What of a log a replay of units looks at.
public struct UnitSelection: Hashable, Sendable {
  /// Codes of the experiments whose decisions and goals count; nil for all.
  public var experiments: Set<UInt32>?
  /// Events at this time or later, in microseconds; nil for all.
  public var since: Int64?
  /// Events before this time, in microseconds; nil for all.
  public var until: Int64?
  /// Codes of reasons whose decisions are left out, such as that of `forced`.
  public var leftOutReasons: Set<UInt32> = []
  /// The dimension by which results are broken down; nil for none.
  public var dimension: Dimension?
  /// The least position of an event; those before are not read.
  public var from: UInt64 = 0

  /// Everything.
  public init() {}

  /// Whether nothing but the position keeps an event out.
  var selectsEveryEvent: Bool { experiments == nil && since == nil && until == nil }
}
