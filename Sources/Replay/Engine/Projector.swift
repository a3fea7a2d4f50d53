public import EventLog
public import Specifications

/// A computation over a log by replay: an initial state, the application of a batch of columns to a state, and the
/// merging of two states.
///
/// A projector is a value that describes the computation; the state accumulates its result. Nothing else may influence
/// a result: no clock, no random generator, no order other than that of the log. The same log then gives the same
/// bytes, however the work is divided. A computation that needs all events of a unit together is a ``UnitProjector``.
public protocol Projector: Sendable {
  /// The accumulated state.
  associatedtype State: Sendable

  /// The columns that ``apply(_:to:)`` reads. Columns that are not requested are never decompressed.
  var columns: EventColumns { get }

  /// The attributes that ``apply(_:to:)`` reads, in the order of the batch's attributes; none by default.
  var attributes: [AttributeSelection] { get }

  /// The filter that selects the frames to read.
  var filter: FrameFilter { get }

  /// Returns the state before the first event.
  func makeState() -> State

  /// Applies the next batch of events of a part of the log to the state of that part.
  ///
  /// - Throws: An error if the state cannot be updated, such as a full disk.
  func apply(_ batch: EventBatch, to state: inout State) throws

  /// Merges the state of the following part of the log into a state.
  func merge(_ later: State, into state: inout State)
}

extension Projector {
  /// No attributes.
  public var attributes: [AttributeSelection] { [] }
}

extension Projector where State: StateField {
  public func merge(_ later: State, into state: inout State) { state.merge(later) }
}
