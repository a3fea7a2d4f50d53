public import EventLog

/// Two projectors that share one reading of the log.
public struct ProjectorPair<First: Projector, Second: Projector>: Projector {
  /// The states of both.
  public struct State: Sendable {
    /// The state of the first.
    public var first: First.State
    /// The state of the second.
    public var second: Second.State
  }

  private let first: First
  private let second: Second

  /// Makes a pair. Each must do with frames that only the other one needs; the attributes are the first one's, so the
  /// second must need none.
  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// What the first reads.
  public var attributes: [AttributeSelection] { first.attributes }

  /// What either reads.
  public var columns: EventColumns { first.columns.union(second.columns) }

  /// The frames that either needs.
  public var filter: FrameFilter { first.filter.widened(by: second.filter) }

  /// Nothing seen by either.
  public func makeState() -> State {
    State(first: first.makeState(), second: second.makeState())
  }

  /// Hands the batch to both.
  public func apply(_ batch: EventBatch, to state: inout State) throws {
    try first.apply(batch, to: &state.first)
    try second.apply(batch, to: &state.second)
  }

  /// Merges both.
  public func merge(_ later: State, into state: inout State) {
    first.merge(later.first, into: &state.first)
    second.merge(later.second, into: &state.second)
  }
}

extension FrameFilter {
  /// The filter that lets every frame pass that this one or the other lets pass.
  func widened(by other: FrameFilter) -> FrameFilter {
    FrameFilter(
      kinds: kinds.flatMap { kinds in other.kinds.map(kinds.union) },
      since: since.flatMap { since in other.since.map { min(since, $0) } },
      until: until.flatMap { until in other.until.map { max(until, $0) } },
      experiments: experiments.flatMap { codes in other.experiments.map(codes.union) },
      from: min(from, other.from))
  }
}
