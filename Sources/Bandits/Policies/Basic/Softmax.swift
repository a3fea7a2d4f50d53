public import Specifications
internal import Statistics

/// `softmax:temperature=0.1`: probabilities proportional to exp(mean/temperature), where the mean is 0 before the first
/// decision.
///
/// Also called Boltzmann exploration: R. S. Sutton and A. G. Barto, *Reinforcement Learning* (1st edition, 1998),
/// equation 2.2.
public struct Softmax: AllocationPolicy {
  private static let temperature = Parameter.number(
    "temperature", default: 0.1, in: 1e-9...1e9,
    "temperature: the larger, the closer to uniform, {range}")

  public static let info = SpecificationInfo(
    "softmax", "probabilities proportional to exp(mean / temperature)",
    [
      temperature
    ],
    source: "Sutton and Barto 1998, equation 2.2")

  public static let supportsUnavailableVariants = true

  public let specification: Specification
  private let temperature: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(temperature: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.temperature.written(temperature)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    temperature = try Self.temperature.value(in: specification)
  }

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
