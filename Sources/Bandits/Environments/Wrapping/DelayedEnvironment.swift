public import Statistics

/// `delayed:environment=(bernoulli:means=0.1;0.9),mean=100`: rewards that a policy is told later.
///
/// With `mean=m` the delay of a reward is geometric, P(delay ≥ d) = (m/(1 + m))^d, drawn for each step alone; with
/// `steps=d` it is always d. After a delay of d steps, d decisions are made without the reward; those that are not due
/// before the last decision are never told.
public struct DelayedEnvironment: WrappingEnvironment {
  private static let mean = Parameter.optionalNumber(
    "mean", in: 0...1e9, "mean of geometric delays in steps, {range}; instead of steps")
  private static let steps = Parameter.optionalInteger(
    "steps", in: 0...1_000_000_000_000, "a fixed delay in steps, 0 to 1e12; instead of mean")

  /// What there is to say about it.
  public static let guide = Guide(
    "delayed", "another environment whose rewards are told later",
    [
      Guide.Parameter(
        "environment", nil, "the environment, in parentheses: (bernoulli:means=0.1;0.9)"),
      mean, steps,
    ],
    source: "Joulani, György and Szepesvári 2013")

  private enum Delay: Sendable {
    case fixed(Int)
    /// 1/ln(m/(1 + m)) for a mean above 0.
    case geometric(scale: Double)
  }

  /// How it is written.
  public let specification: Specification
  /// The environment that gives the rewards.
  public let inner: any Environment
  private let delay: Delay

  /// Delays rewards by geometric delays.
  ///
  /// - Throws: `SpecificationError`: the mean is out of its range.
  public init(_ inner: any Environment, mean: Double) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(.nesting(inner), Self.mean.written(mean)), around: inner)
  }

  /// Delays rewards by a fixed number of steps.
  ///
  /// - Throws: `SpecificationError`: the number is out of its range.
  public init(_ inner: any Environment, steps: Int) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(.nesting(inner), Self.steps.written(steps)), around: inner)
  }

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: neither mean nor steps are given, or both, or they are out of range.
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

  /// The distributions are those of the other environment.
  public var arms: [RewardDistribution]? { inner.arms }

  /// Begins a run.
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
