public import EventLog

/// Something that is computed from a log by replaying it: an initial state, what a batch of columns does to
/// it, how two states become one, and the result.
///
/// A projector is a value that says what to compute; the state is what has been seen. Nothing else may
/// influence a result: no clock, no generator, no order other than that of the log. Then the same log gives
/// the same bytes, however the work is divided.
public protocol Projector: Sendable {
  /// What has been seen so far.
  associatedtype State: Sendable
  /// What is computed.
  associatedtype Result: Sendable

  /// The columns that ``apply(_:to:)`` reads. What nobody asks for is never inflated.
  var columns: EventColumns { get }

  /// The frames that need to be read at all.
  var filter: FrameFilter { get }

  /// The state before the first event.
  func makeState() -> State

  /// Takes a batch of events, the next one of the log.
  func apply(_ batch: EventBatch, to state: inout State)

  /// Takes the state of the part of the log that follows.
  func merge(_ later: State, into state: inout State)

  /// The result of everything seen.
  func result(of state: consuming State) -> Result
}

/// A projector that must see all events of a unit, but units apart from each other: the log can be replayed
/// for one part of the units after the other, so that memory is bounded by the largest part.
public protocol UnitPartitionedProjector: Projector {
  /// Bytes of memory that an event takes until the result is there, at most.
  var bytesPerEvent: Int { get }

  /// The same projector for a part of the units only.
  func restricted(to partition: UnitPartition) -> Self

  /// Takes the result for other units.
  func combine(_ other: Result, into result: inout Result)
}

/// A part of the units: those whose code leaves the rest `index` when divided by `count`. Codes are the
/// log's own, so a unit is in the same part on every machine.
public struct UnitPartition: Hashable, Sendable {
  /// Which part, from 0.
  public var index: UInt32
  /// How many parts there are, at least 1.
  public var count: UInt32

  /// Every unit.
  public static let all = UnitPartition(index: 0, count: 1)

  /// Whether the unit of the code belongs to the part.
  @inlinable
  public func contains(_ unit: UInt32) -> Bool {
    count == 1 || unit % count == index
  }
}
