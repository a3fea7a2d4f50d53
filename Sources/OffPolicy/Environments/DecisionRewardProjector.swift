internal import Replay
internal import Specifications

/// Collects every counted decision of some arms with its reward, in the order of the decisions.
///
/// Decisions and rewards are those of ``RewardProjector``; the order is that of ``DecisionOrder``: by time, at equal
/// times by the hash of the unit. Memory: 64 bytes per decision, in addition to that of ``RewardProjector``.
struct DecisionRewardProjector: UngroupedProjector {
  /// A decision and its reward.
  struct Rewarded: Sendable, Equatable {
    var key: DecisionOrder.Key
    /// The code of the variant.
    var variant: UInt32
    /// The index of the value of the dimension; with features, of the situation.
    var value: UInt32
    /// The number of the place.
    var place: UInt32
    var reward: Double
    /// The propensity; NaN if it was not logged.
    var propensity: Double
  }

  struct State: Sendable {
    var units: RewardedUnits
    var decisions: [Rewarded] = []
    /// For each arm, whether its decisions are collected.
    let isTaken: [Bool]
    let order: DecisionOrder
  }

  let target: RewardTarget
  /// Whether decisions get their situation in place of the value of the dimension.
  var hasFeatures = false

  var needs: UnitNeeds {
    let needs = target.metric.needs.union([.propensities, .hashes])
    return hasFeatures ? needs.union(.situations) : needs
  }

  func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, target.attribution), isTaken: context.arms.map(target.contains),
      order: DecisionOrder(context))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for decision in state.units.decisions {
      let (arm, value) = state.units.table.segment(at: decision.segment)
      guard state.isTaken[Int(arm)] else { continue }
      let event = history[decision.index]
      state.decisions.append(
        Rewarded(
          key: state.order.key(event, decision.index), variant: state.units.variant(of: arm),
          value: hasFeatures ? history.situation(ofDecisionAt: decision.index) : value,
          place: state.units.place(of: arm), reward: state.units.reward(of: decision),
          propensity: event.hasNumber ? event.number : .nan))
    }
  }

  func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    state.decisions += other.decisions
  }

  func result(of state: State, _ context: UnitContext) -> [Rewarded] {
    state.decisions.sorted { $0.key < $1.key }
  }
}
