public import EventLog

/// Counts the positions of a log whose event is no longer there, of whatever time and experiment it was.
public struct AbsentEventProjector: Projector {
  /// Positions without an event.
  public struct State: Sendable, Equatable {
    /// Events that were erased on purpose.
    public var erased = 0
    /// Events that were damaged, and given up when the log was repaired.
    public var lost = 0
  }

  /// A projector of the whole log.
  public init() {}

  /// Only the kinds, which are always there.
  public var columns: EventColumns { [] }

  /// Every frame.
  public var filter: FrameFilter { FrameFilter() }

  /// None seen.
  public func makeState() -> State { State() }

  /// Counts the positions of a batch.
  public func apply(_ batch: EventBatch, to state: inout State) {
    for kind in batch.kinds where AbsentKind.contains(kind) {
      if kind == AbsentKind.erased { state.erased += 1 } else { state.lost += 1 }
    }
  }

  /// Adds those of another part.
  public func merge(_ later: State, into state: inout State) {
    state.erased += later.erased
    state.lost += later.lost
  }
}
