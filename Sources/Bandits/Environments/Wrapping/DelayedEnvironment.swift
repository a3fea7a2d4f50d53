public import Specifications
public import Statistics

/// `delayed:environment=(bernoulli:means=0.1;0.9),mean=100`: delayed rewards.
///
/// With `mean=m` delays are geometric, P(delay ≥ d) = (m/(1 + m))^d, drawn independently for each step; with `steps=d`
/// the delay is always d. With a delay of d, d decisions are made before the reward is known; rewards not due before
/// the last decision are never delivered.
public struct DelayedEnvironment: WrappingEnvironment {
  private static let mean = Parameter.optionalNumber(
    "mean", in: 0...1e9, "mean of geometric delays in steps, {range}; instead of steps")
  private static let steps = Parameter.optionalInteger(
    "steps", in: 0...1_000_000_000_000, "a fixed delay in steps, 0 to 1e12; instead of mean")

  public static let info = SpecificationInfo(
    "delayed", "another environment with delayed rewards",
    [
      SpecificationInfo.Parameter(
        "environment", nil, "the environment, in parentheses: (bernoulli:means=0.1;0.9)"),
      mean, steps,
    ],
    source: "Joulani, György and Szepesvári 2013")

  private enum Delay: Sendable {
    case fixed(Int)
    /// 1/ln(m/(1 + m)) for a mean above 0.
    case geometric(scale: Double)
  }

  public let specification: Specification
  public let inner: any Environment
  private let delay: Delay

  /// Delays rewards geometrically.
  ///
  /// - Throws: `SpecificationError` if the mean is out of range.
  public init(_ inner: any Environment, mean: Double) throws(SpecificationError) {
    try self.init(
      Self.info.specification(.nesting(inner), Self.mean.written(mean)), around: inner)
  }

  /// Delays rewards by a fixed number of steps.
  ///
  /// - Throws: `SpecificationError` if the number is out of range.
  public init(_ inner: any Environment, steps: Int) throws(SpecificationError) {
    try self.init(
      Self.info.specification(.nesting(inner), Self.steps.written(steps)), around: inner)
  }

  public init(
    _ specification: Specification, around inner: any Environment
  ) throws(SpecificationError) {
    self.specification = specification
    self.inner = inner
    if specification["steps"] != nil { try specification.refuse(["mean"], beside: "steps") }
    if let steps = try Self.steps.value(in: specification) {
      delay = .fixed(steps)
    } else {
      guard let mean = try Self.mean.value(in: specification) else {
        throw SpecificationError(
          "delayed needs mean or steps; write delayed:environment=(...),mean=100 for geometric delays, steps=100 for "
            + "fixed ones")
      }
      delay = mean > 0 ? .geometric(scale: -1 / Double.log(onePlus: 1 / mean)) : .fixed(0)
    }
  }

  /// The reward distributions, which are those of the wrapped environment.
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
