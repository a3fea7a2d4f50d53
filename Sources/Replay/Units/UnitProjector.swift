/// Something that is computed from the events of one unit after the other, each unit's in the order of ``UnitHistory``: by
/// event time, at equal times decisions first, then by the position in the log.
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

  /// Takes all events of a unit, and how late they came; only projectors that report lateness say what to do with it.
  ///
  /// - Parameters:
  ///   - history: The events in order; at least one.
  ///   - lateness: How far one of them stands behind the latest one before it in the log, at most, in microseconds.
  ///   - state: What it is added to.
  func apply(_ history: Span<UnitEvent>, lateness: Int64, to state: inout State)

  /// Takes what was seen of other units.
  func merge(_ other: State, into state: inout State)

  /// The result of everything seen.
  func result(of state: State, _ context: UnitContext) -> Result

  /// What each group (a variant, or a value of the dimension within it) takes of the state in bytes; 0 when the state
  /// does not grow with groups.
  var bytesPerGroup: Int { get }

  /// What the rows of a group take in the report in bytes: some 16 for each of their cells.
  var bytesPerRow: Int { get }

  /// How many groups the state has.
  func groupCount(of state: State) -> Int
}

extension UnitProjector {
  /// Takes all events of a unit, however late they came.
  public func apply(_ history: Span<UnitEvent>, lateness: Int64, to state: inout State) {
    apply(history, to: &state)
  }

  /// The state does not grow with groups.
  public var bytesPerGroup: Int { 0 }

  /// A row of 16 cells.
  public var bytesPerRow: Int { 16 * 16 }

  /// None.
  public func groupCount(of state: State) -> Int { 0 }
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
  /// The probabilities that decisions gave their choices, in an event of their own right before the decision.
  public static let probabilities = UnitNeeds(rawValue: 32)
}
