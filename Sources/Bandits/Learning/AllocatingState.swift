internal import Statistics

/// A policy state that knows the probabilities of its next decision before that is drawn.
///
/// This is what agents need, which draw by themselves and log each propensity, and recorded simulations. The
/// probabilities must follow from the decisions and rewards so far: no random number but that of the draw may have a
/// part in them, so that the state can be rebuilt from a log of decisions and their rewards. A policy whose probabilities
/// follow from counts and sums alone is better an ``AllocationPolicy``, whose ``AllocatedState`` has them from there.
public protocol AllocatingState: PolicyState {
  /// Whether it can do so with the parameters that it has.
  var canAllocate: Bool { get }

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

extension AllocatingState {
  /// Whatever the parameters are.
  public var canAllocate: Bool { true }

  /// Decisions alone change nothing.
  public mutating func note(_ variant: Int) {}

  /// What it learns is sure.
  public var learnsAtRandom: Bool { false }

  /// Any finite number will do.
  public func refusal(of reward: Double) -> String? { nil }
}

extension SharingState {
  /// The probabilities of so many variants.
  func sharing(_ count: Int) -> Allocation {
    Allocation(probabilities: (0..<count).map { probability(of: $0) })
  }
}

/// A state that draws from the probabilities of another one, as an agent does, and keeps those of its last choice.
struct DrawingState: PolicyState {
  private var state: any AllocatingState
  /// Those of the last choice.
  private(set) var probabilities: [Double] = []

  init(_ state: any AllocatingState) { self.state = state }

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

  mutating func offer(_ available: [Bool]) { state.offer(available) }
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
  func allocation(_ index: (Int) -> Double) -> Allocation {
    unchosenAllocation ?? .shared(amongLargest: indices.map(index))
  }
}
