internal import Statistics

/// A state that says the probabilities of its next decision beforehand, so that whoever asks may draw from them.
///
/// They follow from the decisions and rewards so far alone: no random word but that of the draw has a part in it, which
/// is why a log of decisions with their rewards is enough to get the state back.
protocol ForetellingState: PolicyState {
  /// Whether it can do so with the parameters that it has.
  var canForetell: Bool { get }

  /// The probabilities of all variants at the next decision; nothing changes by asking.
  var allocation: Allocation { get }

  /// Notes which variant the next decision chose, as ``PolicyState/choose(_:_:)`` does by itself.
  ///
  /// It may be one without a probability, where somebody else had a say.
  mutating func note(_ variant: Int)

  /// Whether it tosses coins for some rewards, those that it refuses.
  var learnsAtRandom: Bool { get }

  /// Why it can make nothing of a reward, in one line that says how to mend it; nil when it can.
  func refusal(of reward: Double) -> String?
}

extension ForetellingState {
  /// Whatever the parameters are.
  var canForetell: Bool { true }

  /// Decisions alone change nothing.
  mutating func note(_ variant: Int) {}

  /// What it learns is sure.
  var learnsAtRandom: Bool { false }

  /// Any finite number will do.
  func refusal(of reward: Double) -> String? { nil }
}

extension SharingState {
  /// The probabilities of so many variants.
  func sharing(_ count: Int) -> Allocation {
    Allocation(probabilities: (0..<count).map { probability(of: $0) })
  }
}

/// A state that draws from what another one foretells, as an agent does.
struct ForetoldState: SharingState, ProbabilityTelling {
  private var state: any ForetellingState
  /// Those of the last choice.
  private(set) var probabilities: [Double] = []

  init(_ state: any ForetellingState) { self.state = state }

  func probability(of variant: Int) -> Double { state.allocation.probabilities[variant] }

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    probabilities = state.allocation.probabilities
    let variant = Draw.index(weights: probabilities, using: &random)
    state.note(variant)
    return Choice(variant, propensity: probabilities[variant])
  }

  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    state.learn(choice, reward, context)
  }

  var wantsAllRewards: Bool { state.wantsAllRewards }

  mutating func learnAll(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    state.learnAll(choice, rewards, context)
  }

  var recommendation: Int? { state.recommendation }
  var hasStopped: Bool { state.hasStopped }
}

extension ArmTable {
  /// The probabilities with which ``unchosen(_:)`` takes the variants; nil when it takes none.
  var unchosenAllocation: Allocation? {
    guard unchosenShare(of: 0) != nil else { return nil }
    return Allocation(probabilities: indices.map { unchosenShare(of: $0) ?? 0 })
  }

  /// Those of ``unchosen(_:)``, or else equal parts for the variants with the largest index.
  func foretell(_ index: (Int) -> Double) -> Allocation {
    unchosenAllocation ?? .shared(amongLargest: indices.map(index))
  }
}
