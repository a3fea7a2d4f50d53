public import EventLog
public import Specifications

/// Counts the positions of a log whose event has been removed, whatever its time and experiment.
public struct AbsentEventProjector: Projector {
  /// The number of positions without an event.
  public struct State: StateFields, Equatable {
    /// Events that were erased on purpose.
    public var erased = 0
    /// Events that were damaged, and dropped when the log was repaired.
    public var lost = 0

    /// Creates counts of 0.
    public init() {}

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&erased, other.erased)
      visit(&lost, other.lost)
    }
  }

  /// The first position to read.
  private let from: UInt64

  /// Creates a projector of a log.
  ///
  /// - Parameter from: The first position to read; the whole log by default.
  public init(from: UInt64 = 0) {
    self.from = from
  }

  /// Only the kinds, which are always available.
  public var columns: EventColumns { [] }

  /// Every frame from the position on.
  public var filter: FrameFilter { FrameFilter(from: from) }

  public func makeState() -> State { State() }

  public func apply(_ batch: EventBatch, to state: inout State) {
    let kinds = batch.kinds
    let (isErased, isLost) = (AbsentKind.erased, AbsentKind.lost)
    let first = from > batch.basePosition ? Int(clamping: from - batch.basePosition) : 0
    var (erased, lost) = (0, 0)
    for row in min(first, kinds.count)..<kinds.count {
      erased += kinds[row] == isErased ? 1 : 0
      lost += kinds[row] == isLost ? 1 : 0
    }
    state.erased += erased
    state.lost += lost
  }
}
