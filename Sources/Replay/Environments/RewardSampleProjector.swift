internal import Bandits

/// Collects the reward of every counted decision of some arms, by variant and by value of the dimension.
///
/// Decisions and rewards are those of ``RewardProjector``: the reward of a decision is the sum of the goals credited
/// to it, rounded once. Points and slots are pooled. Samples drawn from the rewards do not depend on the order in
/// which the rewards were read. Memory: 8 bytes per reward that is not 0, in addition to that of ``RewardProjector``.
struct RewardSampleProjector: UnitProjector {
  /// The rewards of a variant for a value of the dimension.
  struct Sample: Sendable {
    var others: [Double] = []
    var zeros = 0
  }

  struct State: Sendable {
    var units: RewardedUnits
    /// By code of the variant and index of the value.
    var samples = SegmentTable(Sample())
    /// For each arm, whether its rewards are collected.
    let isTaken: [Bool]
  }

  let target: RewardTarget
  let attribution = Attribution()

  var needs: UnitNeeds { [.decisions, .goals] }

  func makeState(_ context: UnitContext) -> State {
    State(units: RewardedUnits(context, attribution), isTaken: context.arms.map(target.contains))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for decision in state.units.decisions {
      let (arm, value) = state.units.table.segment(at: decision.segment)
      guard state.isTaken[Int(arm)] else { continue }
      let place = state.samples.place(of: state.units.variant(of: arm), value)
      let reward = state.units.reward(of: decision)
      if reward == 0 {
        state.samples.tallies[place].zeros += 1
      } else {
        state.samples.tallies[place].others.append(reward)
      }
    }
  }

  func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    state.samples.merge(other.samples) { theirs, mine in
      mine.others += theirs.others
      mine.zeros += theirs.zeros
    }
  }

  /// Returns the rewards by code of the variant, then by value.
  func result(of state: State, _ context: UnitContext) -> [UInt32: [DimensionValue:
    ObservedRewards]]
  {
    var result: [UInt32: [DimensionValue: ObservedRewards]] = [:]
    for (place, sample) in state.samples.tallies.enumerated() {
      let (variant, value) = state.samples.segment(at: place)
      result[variant, default: [:]][context.values[Int(value)]] = ObservedRewards(
        sample.others, zeros: sample.zeros)
    }
    return result
  }
}
