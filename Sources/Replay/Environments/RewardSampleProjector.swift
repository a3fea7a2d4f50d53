internal import Bandits

/// The reward of every counted decision of some arms, by variant and by value of the dimension.
///
/// Decisions and rewards are those of ``RewardProjector``: the reward of a decision is the sum of the goals credited to it,
/// rounded once. Points and slots are put together. What is drawn from the rewards does not depend on the order in which
/// they were met. Memory: 8 bytes for each reward that is not 0, besides what ``RewardProjector`` takes.
struct RewardSampleProjector: UnitProjector {
  /// The rewards of a variant for a value.
  struct Sample: Sendable {
    var others: [Double] = []
    var zeros = 0
  }

  /// What has been seen.
  struct State: Sendable {
    var units: RewardedUnits
    /// By code of the variant and index of the value.
    var samples = SegmentTable(Sample())
    /// By arm: whether it is one of those.
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

  /// The rewards by code of the variant, then by value.
  func result(of state: State, _ context: UnitContext) -> [UInt32: [DimensionValue: SeenRewards]] {
    var result: [UInt32: [DimensionValue: SeenRewards]] = [:]
    for (place, sample) in state.samples.tallies.enumerated() {
      let (variant, value) = state.samples.segment(at: place)
      result[variant, default: [:]][context.values[Int(value)]] = SeenRewards(
        sample.others, zeros: sample.zeros)
    }
    return result
  }
}
