internal import EventLog
public import Replay
internal import Specifications
internal import Statistics

/// The mean reward of the decisions of an experiment, or of its whole decisions: the value of the policy that made
/// them.
///
/// Decisions and rewards are those of ``RewardProjector``; decisions need no propensity.
public struct TrueValue: Sendable {
  /// The mean reward of a decision, with its standard error by unit.
  public internal(set) var sums: OffPolicySums
  /// The bootstrap replicates of the mean, with the same weight for a unit as in the estimates of other logs.
  public internal(set) var bootstrap: TermBootstrap?

  init(_ method: BootstrapInterval, ofWholeDecisions: Bool) {
    // With weights of 1 the inverse propensity estimate is the mean reward.
    let mean: any TermEstimator =
      ofWholeDecisions ? SlateInversePropensity() : InversePropensity()
    sums = OffPolicySums(mean)
    bootstrap = method.makeState(for: mean)
  }
}

extension LogReplay {
  /// Returns the mean reward of the decisions of an experiment of this log.
  ///
  /// - Parameters:
  ///   - experiment: The code of the experiment.
  ///   - attribution: How goals are credited to decisions.
  ///   - bootstrap: The number of replicates, and their seed.
  ///   - ofWholeDecisions: Whether a decision is a whole one, of several slots of a point at the same time.
  /// - Returns: The mean, identical for any number of threads.
  /// - Throws: `LogError` if the log cannot be read.
  public func trueValue(
    experiment: UInt32, _ attribution: Attribution, _ bootstrap: BootstrapInterval,
    ofWholeDecisions: Bool = false
  ) throws -> TrueValue {
    try trueValues([experiment], attribution, bootstrap, ofWholeDecisions: ofWholeDecisions)[0]
  }

  /// Returns the mean reward of the decisions of each experiment, like ``trueValue(experiment:_:_:ofWholeDecisions:)``,
  /// from one pass over the log unless memory is limited.
  package func trueValues(
    _ experiments: [UInt32], _ attribution: Attribution, _ bootstrap: BootstrapInterval,
    ofWholeDecisions: Bool
  ) throws -> [TrueValue] {
    let projector = TrueValueProjector(
      attribution: attribution, empty: TrueValue(bootstrap, ofWholeDecisions: ofWholeDecisions))
    return try SharedReplay.results(
      experiments.count > 1 ? SharedReplay(self) : nil,
      experiments.map { experiment in
        { computation in
          var selection = UnitSelection()
          selection.experiments = [experiment]
          return try LogUnits(self, selection, for: computation).run(units: projector)
        }
      })
  }
}

/// Sums the rewards of all counted decisions.
private struct TrueValueProjector: UngroupedProjector {
  struct State: Sendable {
    var units: RewardedUnits
    var value: TrueValue
    var decisions: [LoggedDecision] = []
    /// By number of the place, the code of its point.
    let points: [UInt32]
    let hashes: UnitHashes
  }

  let attribution: Attribution
  let empty: TrueValue

  var needs: UnitNeeds { attribution.metric.needs.union(.hashes) }

  func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, attribution), value: empty,
      points: Places(context.arms).names.map(\.point), hashes: context.hashes)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    state.decisions.removeAll(keepingCapacity: true)
    var whole = WholeDecisions()
    for decision in state.units.decisions.sorted(by: { $0.index < $1.index }) {
      let (event, reward) = (history[decision.index], state.units.reward(of: decision))
      let place = state.units.place(of: event.subject)
      let begins = whole.begins(time: event.time, point: state.points[Int(place)], place)
      guard var decision = LoggedDecision(reward: reward, weight: 1) else { continue }
      decision.isContinuation = !begins
      state.decisions.append(decision)
    }
    let decisions = state.decisions
    state.value.sums.add(unit: decisions.span)
    let key = state.hashes[history[0].unit]
    state.value.bootstrap?.add(unit: decisions.span, key: key)
  }

  func merge(_ other: State, into state: inout State) {
    state.value.sums.merge(other.value.sums)
    if let more = other.value.bootstrap { state.value.bootstrap?.merge(more) }
  }

  func result(of state: State, _ context: UnitContext) -> TrueValue { state.value }
}
