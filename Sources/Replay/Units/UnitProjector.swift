public import EventLog

/// Something that is computed from the events of one unit after the other, each unit's in the order of event time, and
/// among equal times in the order of the log.
///
/// What one unit adds to the state must not depend on other units, and merging must be exact and free of order
/// (integers, `ExactSum`, `Moments`, sets): then neither the number of threads, nor how a log is split, nor late
/// events show in a result. A state is of bounded size in the number of units unless its projector says otherwise.
public protocol UnitProjector: Sendable {
  /// What has been seen so far.
  associatedtype State: Sendable
  /// What is computed.
  associatedtype Result: Sendable

  /// Which events the projector sees. It may be shown more, when it shares a replay with others.
  var needs: UnitNeeds { get }

  /// The state before the first unit.
  func makeState(_ context: UnitContext) -> State

  /// Takes all events of a unit.
  ///
  /// - Parameters:
  ///   - history: The events in order; at least one.
  ///   - state: What it is added to.
  func apply(_ history: Span<UnitEvent>, to state: inout State)

  /// Takes what was seen of other units.
  func merge(_ other: State, into state: inout State)

  /// The result of everything seen.
  func result(of state: State, _ context: UnitContext) -> Result
}

/// Kinds of events that a projector of units needs to see.
public struct UnitNeeds: OptionSet, Hashable, Sendable {
  /// One bit for each need.
  public let rawValue: UInt8

  /// Needs by their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Decisions of every status, and the dimension.
  public static let decisions = UnitNeeds(rawValue: 1)
  /// Goals, refused ones too.
  public static let goals = UnitNeeds(rawValue: 2)
  /// Conversions.
  public static let conversions = UnitNeeds(rawValue: 4)
  /// Everything else that shows that a unit was there.
  public static let activity = UnitNeeds(rawValue: 8)
  /// The propensities of decisions; without this they are NaN.
  public static let propensities = UnitNeeds(rawValue: 16)
}

/// What a replay knows of the log before it shows the first unit.
public struct UnitContext: Sendable {
  /// The arms of decisions, by ``UnitEvent/subject``.
  public var arms: [Arm]
  /// The values of the dimension by ``UnitEvent/subject``; the first one stands for units of which it is not known.
  public var values: [DimensionValue]
  /// The latest event time of the log in microseconds; the least there is when it has no event.
  public var latest: Int64

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
}

/// Something by which results are broken down: each decision belongs to the value that was known at its time.
public enum Dimension: Hashable, Sendable {
  /// An attribute of a decision's context.
  case context(String)
  /// The value of the unit's latest data point of a kind, and key if one is given.
  case data(kind: String, key: String?)
  /// The policy of a decision.
  case policy
  /// The reason of a decision.
  case reason
  /// The calendar day of a decision, in UTC.
  case day
}
