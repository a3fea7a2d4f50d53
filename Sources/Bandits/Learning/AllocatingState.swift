internal import Statistics

/// A policy state that can compute the probabilities of its next decision before the draw.
///
/// Agents, which draw for themselves and log each propensity, need this, as do recorded simulations. The probabilities
/// must be a function of the decisions and rewards so far: apart from the draw, no random number may influence them, so
/// that the state can be rebuilt from a log of decisions and rewards. If the probabilities follow from counts and sums
/// alone, prefer an ``AllocationPolicy``, whose ``AllocatedState`` derives them.
public protocol AllocatingState: PolicyState {
  /// Whether the probabilities are available with the given parameters (default: true).
  var canAllocate: Bool { get }

  /// The probabilities of all variants at the next decision.
  var allocation: Allocation { get }

  /// Records which variant the next decision chose, as ``PolicyState/choose(_:_:)`` does by itself.
  ///
  /// The variant may have zero probability, when something other than the policy made the choice. Does nothing by
  /// default.
  mutating func note(_ variant: Int)

  /// Whether learning draws random numbers for some rewards, those that ``refusal(of:)`` rejects (default: false).
  var learningIsRandomized: Bool { get }

  /// Returns why the policy cannot use a reward, in one line that says how to fix it; nil (the default) if it can.
  func refusal(of reward: Double) -> String?
}

extension AllocatingState {
  public var canAllocate: Bool { true }

  public mutating func note(_ variant: Int) {}

  public var learningIsRandomized: Bool { false }

  public func refusal(of reward: Double) -> String? { nil }
}

extension SharingState {
  /// Returns the probabilities of a number of variants.
  func sharing(_ count: Int) -> Allocation {
    Allocation(probabilities: (0..<count).map { probability(of: $0) })
  }
}

/// A state that draws from the probabilities of another one, as an agent does, and keeps those of its last choice.
struct DrawingState: PolicyState {
  private var state: any AllocatingState
  /// The probabilities of the last choice.
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

  var usesFullInformation: Bool { state.usesFullInformation }

  mutating func learnFullInformation(_ choice: Choice, _ rewards: [Double], _ context: Context) {
    state.learnFullInformation(choice, rewards, context)
  }

  mutating func offer(_ available: [Bool]) { state.offer(available) }
  var recommendation: Int? { state.recommendation }
  var hasStopped: Bool { state.hasStopped }
}

extension ArmTable {
  /// The probabilities with which ``unchosen(_:)`` picks the variants; nil if it picks none.
  var unchosenAllocation: Allocation? {
    guard unchosenShare(of: 0) != nil else { return nil }
    return Allocation(probabilities: indices.map { unchosenShare(of: $0) ?? 0 })
  }

  /// Returns the probabilities of ``unchosen(_:)``, or equal probabilities for the variants with the largest index.
  func allocation(_ index: (Int) -> Double) -> Allocation {
    unchosenAllocation ?? .shared(amongLargest: indices.map(index))
  }
}
