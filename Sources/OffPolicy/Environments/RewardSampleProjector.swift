internal import Replay
internal import Specifications

/// Collects the reward of every counted decision of some arms, by variant and by value of the dimension or by situation
/// and place.
///
/// Decisions and rewards are those of ``RewardProjector``: the reward of a decision is the sum of the goals credited
/// to it, rounded once. Samples drawn from the rewards do not depend on the order in which the rewards were read.
/// Memory: 8 bytes per reward that is not 0, and some 80 for each distinct combination.
struct RewardSampleProjector: UngroupedProjector {
  /// By what rewards are divided besides the variant.
  enum Division {
    /// By the value of the dimension and place.
    case values
    /// By situation and place.
    case situations
  }

  /// What the rewards of a sample have in common; 0 for what they are not divided by.
  struct Key: Hashable, Comparable, Sendable {
    var situation: UInt32 = 0
    var place: UInt32 = 0
    /// The code of the variant.
    var variant: UInt32
    /// The index of the value.
    var value: UInt32 = 0

    static func < (a: Key, b: Key) -> Bool {
      (a.situation, a.place, a.variant, a.value) < (b.situation, b.place, b.variant, b.value)
    }
  }

  /// Rewards.
  struct Sample: Sendable {
    var others: [Double] = []
    var zeros = 0

    mutating func merge(_ other: Sample) {
      others += other.others
      zeros += other.zeros
    }
  }

  struct State: Sendable {
    var units: RewardedUnits
    var samples: [Key: Sample] = [:]
    /// For each arm, whether its rewards are collected.
    let isTaken: [Bool]
  }

  /// The samples by ascending keys.
  typealias Output = [(key: Key, value: Sample)]

  private let target: RewardTarget
  private let division: Division

  init(_ target: RewardTarget, _ division: Division) {
    (self.target, self.division) = (target, division)
  }

  var needs: UnitNeeds {
    division == .situations ? target.metric.needs.union(.situations) : target.metric.needs
  }

  func makeState(_ context: UnitContext) -> State {
    State(
      units: RewardedUnits(context, target.attribution, fillingTable: false),
      isTaken: context.arms.map(target.contains))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for rewarded in state.units.decisions
    where state.isTaken[Int(history[rewarded.index].subject)] {
      let decision = state.units.record(rewarded, of: history)
      state.samples[key(of: decision), default: Sample()].add(decision.reward)
    }
  }

  private func key(of decision: CreditedDecision) -> Key {
    switch division {
    case .values: Key(place: decision.place, variant: decision.variant, value: decision.value)
    case .situations:
      Key(situation: decision.situation, place: decision.place, variant: decision.variant)
    }
  }

  func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    for (key, sample) in other.samples { state.samples[key, default: Sample()].merge(sample) }
  }

  func result(of state: State, _ context: UnitContext) -> Output {
    state.samples.sorted { $0.key < $1.key }
  }
}

extension RewardSampleProjector.Sample {
  fileprivate mutating func add(_ reward: Double) {
    if reward == 0 { zeros += 1 } else { others.append(reward) }
  }
}
