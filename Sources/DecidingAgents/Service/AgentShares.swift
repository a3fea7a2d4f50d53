internal import Bandits
internal import DecidingCore
internal import Events
internal import Statistics

/// The probabilities with which the choices of a slot are drawn.
struct AgentShares {
  /// The probabilities by the fixed weights; zero for choices that are not permitted.
  let fixed: [Double]
  /// The probabilities by the policy; nil for an agent without one.
  let learned: [Double]?
  /// The overall probabilities, which are logged.
  let total: [Double]
  /// Why the policy could not use what was learned and fell back to equal probabilities; nil when it
  /// could.
  let refusal: String?
  /// Whether the fixed weights are equal.
  let isUniform: Bool

  /// The share of decisions that are drawn by the fixed weights.
  private let controlShare: Double

  /// Computes the probabilities of the choices; nil when no permitted one has a weight.
  ///
  /// - Parameters:
  ///   - choices: The choices in order.
  ///   - options: The options of the choices; nil when all weights are 1.
  ///   - permitted: Which choices can be drawn; nil for all.
  ///   - plan: The plan of the agent.
  ///   - policy: Returns the policy's probabilities for the choices at the given indices; called only when
  ///     there is a policy.
  init?(
    _ choices: [VariantID], options: OrderedMap<String, AgentOption>?, permitted: [Bool]?,
    plan: AgentPlan, learned policy: ([Int]) -> Allocation
  ) {
    var isUniform = true
    guard
      let fixed = Self.weights(
        choices, options: options, permitted: permitted, isUniform: &isUniform)
    else { return nil }
    self.fixed = fixed
    self.isUniform = isUniform
    guard plan.hasPolicy else {
      (learned, total, controlShare, refusal) = (nil, fixed, 0, nil)
      return
    }
    let indices = choices.indices.filter { permitted?[$0] ?? true }
    let allocation = policy(indices)
    refusal = allocation.refusal
    let shares = Self.shares(
      allocation.probabilities, count: indices.count, floor: plan.explorationFloor)
    var learned = [Double](repeating: 0, count: choices.count)
    for (index, share) in zip(indices, shares) { learned[index] = share }
    let control = plan.controlShare
    self.learned = learned
    controlShare = control
    total = zip(fixed, learned).map { min(1, control * $0 + (1 - control) * $1) }
  }

  private static func weights(
    _ choices: [VariantID], options: OrderedMap<String, AgentOption>?, permitted: [Bool]?,
    isUniform: inout Bool
  ) -> [Double]? {
    if options == nil, permitted == nil {
      return [Double](repeating: 1 / Double(choices.count), count: choices.count)
    }
    var weights: [Double] = []
    weights.reserveCapacity(choices.count)
    var first: Double?
    for (index, choice) in choices.enumerated() {
      guard permitted?[index] ?? true else {
        weights.append(0)
        continue
      }
      let weight = max(0, options?[choice.rawValue]?.weight ?? 1)
      if weight != first ?? weight { isUniform = false }
      first = first ?? weight
      weights.append(weight)
    }
    return normalised(weights)
  }

  /// Returns the weights divided by their sum; nil when that is zero.
  private static func normalised(_ weights: [Double]) -> [Double]? {
    // If the sum overflows, the weights are first divided by the largest one.
    let sum = weights.reduce(0, +)
    if sum.isFinite { return sum > 0 ? weights.map { $0 / sum } : nil }
    let greatest = weights.max() ?? 1
    return normalised(weights.map { $0 / greatest })
  }

  /// Returns the probabilities of a policy, raised to the floor where they are below it; equal ones when the
  /// policy returned none.
  private static func shares(_ probabilities: [Double], count: Int, floor: Double) -> [Double] {
    let even = 1 / Double(count)
    var shares = [Double](repeating: even, count: count)
    if probabilities.count == count, probabilities.allSatisfy({ $0 >= 0 && $0.isFinite }) {
      shares = normalised(probabilities) ?? shares
    }
    guard floor > 0 else { return shares }
    let least = min(floor, even)
    return shares.map { least + (1 - Double(count) * least) * $0 }
  }

  /// Draws a choice. For an agent with a policy, first draws whether it belongs to the control share.
  ///
  /// - Complexity: One random number, two for an agent with a policy; none where the outcome is certain.
  func draw(using random: inout some RandomNumberGenerator) -> (index: Int, reason: Reason) {
    guard let learned else { return (Self.pick(from: fixed, using: &random), .random) }
    return Self.isHit(controlShare, using: &random)
      ? (Self.pick(from: fixed, using: &random), .control)
      : (Self.pick(from: learned, using: &random), .adaptive)
  }

  /// Returns whether an event of the given probability occurs; without a random number when that is certain.
  static func isHit(_ share: Double, using random: inout some RandomNumberGenerator) -> Bool {
    share >= 1 || share > 0 && Draw.unit(using: &random) < share
  }

  /// Returns the index drawn from the shares; without a random number when one choice has all of the
  /// probability.
  private static func pick(from shares: [Double], using random: inout some RandomNumberGenerator)
    -> Int
  {
    if let only = shares.firstIndex(where: { $0 >= 1 }) { return only }
    return Shares.pick(Draw.unit(using: &random), from: shares)
      ?? shares.lastIndex { $0 > 0 } ?? 0
  }
}
