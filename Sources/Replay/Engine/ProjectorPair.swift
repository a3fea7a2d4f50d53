public import EventLog

/// A pair of projectors that share one pass over the log.
public struct ProjectorPair<First: Projector, Second: Projector>: Projector {
  /// The states of both.
  public struct State: Sendable {
    /// The state of the first projector.
    public var first: First.State
    /// The state of the second projector.
    public var second: Second.State
  }

  private let first: First
  private let second: Second

  /// Creates a pair. Each projector must tolerate frames that only the other one needs. Only the first one's
  /// attributes are read, so the second must need none.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// The attributes of the first projector.
  public var attributes: [AttributeSelection] { first.attributes }

  /// The columns that either projector reads.
  public var columns: EventColumns { first.columns.union(second.columns) }

  /// A filter that passes the frames that either projector needs.
  public var filter: FrameFilter { first.filter.widened(by: second.filter) }

  public func makeState() -> State {
    State(first: first.makeState(), second: second.makeState())
  }

  public func apply(_ batch: EventBatch, to state: inout State) throws {
    try first.apply(batch, to: &state.first)
    try second.apply(batch, to: &state.second)
  }

  public func merge(_ later: State, into state: inout State) {
    first.merge(later.first, into: &state.first)
    second.merge(later.second, into: &state.second)
  }
}

extension FrameFilter {
  /// Returns a filter that passes every frame that this one or the other passes.
  func widened(by other: FrameFilter) -> FrameFilter {
    FrameFilter(
      kinds: kinds.flatMap { kinds in other.kinds.map(kinds.union) },
      since: since.flatMap { since in other.since.map { min(since, $0) } },
      until: until.flatMap { until in other.until.map { max(until, $0) } },
      experiments: experiments.flatMap { codes in other.experiments.map(codes.union) },
      from: min(from, other.from))
  }
}
