internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications

/// Collects the reward of every counted decision of some arms, by variant and by value of the dimension.
///
/// Decisions and rewards are those of ``RewardProjector``: the reward of a decision is the sum of the goals credited
/// to it, rounded once. Points and slots are pooled. Samples drawn from the rewards do not depend on the order in
/// which the rewards were read. Memory: 8 bytes per reward that is not 0, in addition to that of ``RewardProjector``.
struct RewardSampleProjector: UngroupedProjector {
  /// The rewards of a variant for a value of the dimension.
  struct Sample: StateFields {
    var others: [Double] = []
    var zeros = 0

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&zeros, other.zeros)
      visit.values(&others, other.others)
    }
  }

  struct State: StateFields {
    var units: RewardedUnits
    /// By code of the variant and index of the value.
    var samples = SegmentTable(Sample(), .names(.variants), .values)
    /// For each arm, whether its rewards are collected.
    let isTaken: [Bool]

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&units, other.units)
      visit(&samples, other.samples)
    }
  }

  let target: RewardTarget

  var needs: UnitNeeds { target.metric.needs }

  func makeState(_ context: UnitContext) -> State {
    State(units: RewardedUnits(context, target.attribution), isTaken: context.arms.map(target.contains))
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
