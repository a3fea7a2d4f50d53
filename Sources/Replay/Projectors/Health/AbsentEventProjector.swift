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

  /// The least position that is looked at.
  private let from: UInt64

  /// A projector of a log.
  ///
  /// - Parameter from: The least position that is looked at; the whole log by default.
  public init(from: UInt64 = 0) {
    self.from = from
  }

  /// Only the kinds, which are always there.
  public var columns: EventColumns { [] }

  /// Every frame from the position on.
  public var filter: FrameFilter { FrameFilter(from: from) }

  /// None seen.
  public func makeState() -> State { State() }

  /// Counts the positions of a batch.
  public func apply(_ batch: EventBatch, to state: inout State) {
    let first = from > batch.basePosition ? Int(clamping: from - batch.basePosition) : 0
    for kind in batch.kinds.dropFirst(first) where AbsentKind.contains(kind) {
      if kind == AbsentKind.erased { state.erased += 1 } else { state.lost += 1 }
    }
  }

  /// Adds those of another part.
  public func merge(_ later: State, into state: inout State) {
    state.erased += later.erased
    state.lost += later.lost
  }
}
