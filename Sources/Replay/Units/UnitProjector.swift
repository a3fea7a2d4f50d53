internal import EventLog
public import Specifications

/// A computation over the events of one unit at a time, each unit's in the order of ``UnitHistory``: by event time, at
/// equal times decisions first, then by the position in the log.
///
/// The contribution of a unit to the state must not depend on other units, and merging must be exact and commutative
/// (integers, `ExactSum`, `Moments`, sets): results then do not depend on the number of threads, on how a log is
/// split, or on late events. The size of a state is bounded in the number of units unless its projector says
/// otherwise.
public protocol UnitProjector: Sendable {
  /// The accumulated state.
  associatedtype State: Sendable
  /// The result of the computation.
  associatedtype Result: Sendable

  /// The events that the projector needs. It may receive more if it shares a replay with others.
  var needs: UnitNeeds { get }

  /// Returns the state before the first unit.
  func makeState(_ context: UnitContext) -> State

  /// Applies all events of a unit to a state.
  ///
  /// - Parameters:
  ///   - history: The events in order; at least one.
  ///   - state: The state to update.
  func apply(_ history: Span<UnitEvent>, to state: inout State)

  /// Applies all events of a unit to a state, given their lateness; only projectors that report lateness implement
  /// this.
  ///
  /// - Parameters:
  ///   - history: The events in order; at least one.
  ///   - lateness: The largest time by which one of them is earlier than the latest one before it in the log, in
  ///     microseconds.
  ///   - state: The state to update.
  func apply(_ history: Span<UnitEvent>, lateness: Int64, to state: inout State)

  /// Merges the state of other units into a state.
  func merge(_ other: State, into state: inout State)

  /// Returns the result of a state.
  func result(of state: State, _ context: UnitContext) -> Result

  /// Writes a state between two units. Equal states of equal contexts have equal bytes, whatever the order of the
  /// units.
  ///
  /// - Throws: `StateError` if the states of the projector cannot be written, which is the default.
  func write(_ state: State, to writer: inout StateWriter) throws(StateError)

  /// Reads a state.
  ///
  /// - Throws: `StateError` if the bytes are not a state.
  func read(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) -> State

  /// The bytes that each group (a variant, or a value of the dimension within it) takes in the state; 0 if the state
  /// does not grow with groups.
  var bytesPerGroup: Int { get }

  /// The bytes of the report rows of a group: some 16 for each cell.
  var bytesPerRow: Int { get }

  /// Returns the number of groups of a state; 0 if it does not grow with groups.
  func groupCount(of state: State) -> Int

  /// The kind of its groups.
  var groupKind: GroupLimitError.Kind { get }
}

extension UnitProjector {
  /// Applies all events of a unit, ignoring their lateness.
  public func apply(_ history: Span<UnitEvent>, lateness: Int64, to state: inout State) {
    apply(history, to: &state)
  }

  /// Throws an error: the states of the projector cannot be written.
  public func write(_ state: State, to writer: inout StateWriter) throws(StateError) {
    throw StateError("the states of \(Self.self) cannot be written")
  }

  /// Throws an error: the states of the projector cannot be written.
  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    throw StateError("the states of \(Self.self) cannot be read")
  }

  /// One row of 16 cells.
  public var bytesPerRow: Int { 16 * 16 }

  /// Variants, by the values of the dimension.
  public var groupKind: GroupLimitError.Kind { .variants }
}

extension UnitProjector where State: StateField {
  public func merge(_ other: State, into state: inout State) { state.merge(other) }

  public func write(_ state: State, to writer: inout StateWriter) { state.write(to: &writer) }

  /// Reads a state in place of one before the first unit.
  ///
  /// - Throws: `StateError` if the bytes are not a state.
  public func read(
    _ reader: inout StateReader, _ codes: StateCodes
  ) throws(StateError) -> State {
    var state = makeState(codes.context)
    try codes.read(&state, from: &reader)
    return state
  }
}

/// The kinds of events that a unit projector needs.
public struct UnitNeeds: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Decisions of every status, and the dimension.
  public static let decisions = UnitNeeds(rawValue: 1)
  /// Goals, including refused ones.
  public static let goals = UnitNeeds(rawValue: 2)
  /// Conversions.
  public static let conversions = UnitNeeds(rawValue: 4)
  /// All other signs of activity of a unit.
  public static let activity = UnitNeeds(rawValue: 8)
  /// The propensities of decisions, which are NaN otherwise.
  public static let propensities = UnitNeeds(rawValue: 16)
  /// The probabilities that decisions gave their choices, in a separate event right before the decision.
  public static let probabilities = UnitNeeds(rawValue: 32)
  /// The choices of decisions, the ``UnitSelection/contextAttributes`` of their context, and the
  /// ``UnitSelection/variantFeatures`` of variants, in a separate event right before the decision.
  public static let situations = UnitNeeds(rawValue: 64)
  /// The hashes of the names of units, by which units are ordered and draw random numbers: they do not depend on the
  /// order in which units appear, as codes do.
  public static let hashes = UnitNeeds(rawValue: 128)
  /// The choices of decisions whose probabilities were not logged, in a separate event right before the decision. Only
  /// together with ``probabilities``.
  public static let choices = UnitNeeds(rawValue: 256)

  /// The columns that these events are read from, without those of dimensions and left out reasons.
  var columns: EventColumns {
    var columns: EventColumns = [.time, .unit]
    if contains(.decisions) {
      columns.formUnion([.experiment, .point, .slot, .variant, .status])
      if contains(.propensities) { columns.insert(.propensity) }
      if contains(.probabilities) { columns.formUnion([.choices, .probabilities]) }
      if contains(.situations) { columns.insert(.choices) }
    }
    if contains(.goals) {
      columns.formUnion([.experiment, .point, .slot, .goal, .status, .value])
    }
    if contains(.conversions) { columns.formUnion([.goal, .revenue, .negative]) }
    return columns
  }
}
