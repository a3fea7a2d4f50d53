internal import Replay
internal import Specifications

/// Collects the reward of every counted decision of some arms, by situation, place and variant.
///
/// Decisions and rewards are those of ``RewardProjector``. Memory: 8 bytes per reward that is not 0, and some 80 for
/// each distinct combination, in addition to that of ``RewardProjector``.
struct SituationRewardProjector: UngroupedProjector {
  /// A situation at a place with the variant that was chosen in it.
  struct Key: Hashable, Comparable, Sendable {
    var situation: UInt32
    var place: UInt32
    /// The code of the variant.
    var variant: UInt32

    static func < (a: Key, b: Key) -> Bool {
      (a.situation, a.place, a.variant) < (b.situation, b.place, b.variant)
    }
  }

  /// The rewards of a combination.
  struct Row: Sendable {
    var key: Key
    var sample: RewardSampleProjector.Sample
  }

  struct State: Sendable {
    var units: RewardedUnits
    var samples: [Key: RewardSampleProjector.Sample] = [:]
    /// For each arm, whether its rewards are collected.
    let isTaken: [Bool]
  }

  let target: RewardTarget

  var needs: UnitNeeds { target.metric.needs.union(.situations) }

  func makeState(_ context: UnitContext) -> State {
    State(units: RewardedUnits(context, target.attribution), isTaken: context.arms.map(target.contains))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for decision in state.units.decisions {
      let arm = history[decision.index].subject
      guard state.isTaken[Int(arm)] else { continue }
      let key = Key(
        situation: history.situation(ofDecisionAt: decision.index),
        place: state.units.place(of: arm), variant: state.units.variant(of: arm))
      let reward = state.units.reward(of: decision)
      if reward == 0 {
        state.samples[key, default: RewardSampleProjector.Sample()].zeros += 1
      } else {
        state.samples[key, default: RewardSampleProjector.Sample()].others.append(reward)
      }
    }
  }

  func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    state.samples.merge(other.samples) { mine, theirs in
      RewardSampleProjector.Sample(
        others: mine.others + theirs.others, zeros: mine.zeros + theirs.zeros)
    }
  }

  /// Returns the rewards by ascending keys.
  func result(of state: State, _ context: UnitContext) -> [Row] {
    state.samples.map { Row(key: $0.key, sample: $0.value) }.sorted { $0.key < $1.key }
  }
}

extension Span<UnitEvent> {
  /// Returns the index of the situation of the decision at an index; only if ``UnitNeeds/situations`` are needed.
  func situation(ofDecisionAt index: Int) -> UInt32 {
    var note = index - 1
    while note >= 0, self[note].kind.isDecisionNote {
      if self[note].kind == .situation { return self[note].subject }
      note -= 1
    }
    return 0
  }
}
