public import Specifications
public import Statistics

/// `delayed:environment=(bernoulli:means=0.1;0.9),mean=100`: delayed rewards.
///
/// With `mean=m` delays are geometric, P(delay ≥ d) = (m/(1 + m))^d, drawn independently for each step; with `steps=d`
/// the delay is always d. With a delay of d, d decisions are made before the reward is known; rewards not due before
/// the last decision are never delivered.
public struct DelayedEnvironment: WrappingEnvironment {
  /// The wrapped environment, which is required.
  public var environment: (any Environment)?
  /// The mean of geometric delays in steps, instead of ``steps``.
  public var mean: Double?
  /// A fixed delay in steps, instead of ``mean``.
  public var steps: Int?
  public var specification = Self.info.specification()

  /// Creates the environment without the wrapped one and the delay that it needs.
  public init() {}

  public static let info = SpecificationInfo(
    "delayed", "another environment with delayed rewards",
    source: "Joulani, György and Szepesvári 2013",
    example: "delayed:environment=(bernoulli:means=0.1;0.9),mean=100")

  public static var parameters: [Field] {
    Field.environment
    Field.number(
      "mean", \.mean, in: 0...1e9, "mean of geometric delays in steps, {range}; instead of steps")
    Field.integer(
      "steps", \.steps, in: 0...1_000_000_000_000,
      "a fixed delay in steps, 0 to 1e12; instead of mean")
  }

  public mutating func validate() throws(SpecificationError) {
    if steps != nil { try specification.refuse(["mean"], beside: "steps") }
    guard steps != nil || mean != nil else {
      throw SpecificationError(
        "delayed needs mean or steps; write delayed:environment=(...),mean=100 for geometric delays, steps=100 for "
          + "fixed ones")
    }
  }

  private enum Delay: Sendable {
    case fixed(Int)
    case geometric(scale: Double)
  }

  private var delay: Delay {
    if let mean, mean > 0 { return .geometric(scale: -1 / Double.log(onePlus: 1 / mean)) }
    return .fixed(steps ?? 0)
  }

  public var arms: [RewardDistribution]? { inner.arms }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(
      DelayedRun(
        inner: inner.makeRun(key, horizon: horizon).stepwise, own: delay,
        stream: RewardStream(key.adding("delay"))))
  }

  private struct DelayedRun: ChangingRun {
    var inner: any ChangingRun
    let own: Delay
    let stream: RewardStream
    var step = 0

    mutating func begin(_ step: Int) {
      self.step = step
      inner.begin(step)
    }

    var variantCount: Int { inner.variantCount }
    var context: Context { inner.context }
    func mean(_ variant: Int) -> Double { inner.mean(variant) }
    func means(into means: inout [Double]) { inner.means(into: &means) }
    var optimum: Double { inner.optimum }
    mutating func reward(_ variant: Int) -> Double { inner.reward(variant) }
    var available: [Bool]? { inner.available }

    mutating func delay() -> Int { inner.delay() + draw() }

    private func draw() -> Int {
      switch own {
      case .fixed(let steps): return steps
      case .geometric(let scale):
        var random = stream.generator(UInt64(truncatingIfNeeded: step))
        // At most 37 times a mean of 1e9.
        return Int((Double.log(Draw.openUnit(using: &random)) * scale).rounded(.down))
      }
    }
  }
}
