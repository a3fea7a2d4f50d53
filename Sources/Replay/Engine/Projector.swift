public import EventLog

/// Something that is computed from a log by replaying it: an initial state, what a batch of columns does to
/// it, and how two states become one.
///
/// A projector is a value that says what to compute; the state is what has been seen. Nothing else may
/// influence a result: no clock, no generator, no order other than that of the log. Then the same log gives
/// the same bytes, however the work is divided. Whatever needs the events of one unit together is a
/// ``UnitProjector``.
public protocol Projector: Sendable {
  /// What has been seen so far.
  associatedtype State: Sendable

  /// The columns that ``apply(_:to:)`` reads. What nobody asks for is never inflated.
  var columns: EventColumns { get }

  /// The attributes that ``apply(_:to:)`` reads, by their place in the batch's; none by default.
  var attributes: [AttributeSelection] { get }

  /// The frames that need to be read at all.
  var filter: FrameFilter { get }

  /// The state before the first event.
  func makeState() -> State

  /// Takes a batch of events, the next one of the part of the log that the state is of.
  ///
  /// - Throws: What keeps the state from taking it, such as a full disk.
  func apply(_ batch: EventBatch, to state: inout State) throws

  /// Takes the state of the part of the log that follows.
  func merge(_ later: State, into state: inout State)
}

extension Projector {
  /// None.
  public var attributes: [AttributeSelection] { [] }
}
