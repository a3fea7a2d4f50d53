public import Specifications
internal import Statistics

/// `softmax:temperature=0.1`: probabilities proportional to exp(mean/temperature), where the mean is 0 before the first
/// decision.
///
/// Also called Boltzmann exploration: R. S. Sutton and A. G. Barto, *Reinforcement Learning* (1st edition, 1998),
/// equation 2.2.
public struct Softmax: AllocationPolicy {
  /// The temperature: the larger, the closer to uniform.
  public var temperature = 0.1
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "softmax", "probabilities proportional to exp(mean / temperature)",
    source: "Sutton and Barto 1998, equation 2.2", example: "softmax:temperature=0.1")

  public static var parameters: [Field] {
    Field.number(
      "temperature", \.temperature, in: 1e-9...1e9,
      "temperature: the larger, the closer to uniform, {range}")
  }

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) -> SoftmaxState { SoftmaxState(self, problem) }

  /// Returns the weight of a variant relative to that of the best one, so that no exponential overflows and one of them
  /// is 1.
  @inline(__always)
  func weight(_ mean: Double, best: Double) -> Double { Double.exp((mean - best) / temperature) }

  /// Returns probabilities proportional to exp(mean/temperature).
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = arms.flaw { return .equal(arms.count, refusal: flaw) }
    let means = arms.map(\.mean)
    let best = means.reduce(-Double.infinity) { max($0, $1) }
    let weights = means.map { weight($0, best: best) }
    // In ascending order, so that the result does not depend on the order of the variants.
    let total = weights.sorted().reduce(0, +)
    return Allocation(probabilities: weights.map { $0 / total })
  }
}
