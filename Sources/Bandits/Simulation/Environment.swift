public import Specifications
public import Statistics

/// A source of rewards, described by immutable parameters.
public protocol Environment: Specified where ParameterSources == EnvironmentSources {
  /// Returns the number of variants and of the features that describe them.
  func problem(horizon: Int) -> Problem

  /// The unique names of the variants; `1`, `2` and so on by default.
  var variantNames: [String] { get }

  /// Starts a run.
  ///
  /// - Parameters:
  ///   - key: The key of the random stream; the same key gives the same rewards, whatever is chosen.
  ///   - horizon: The number of steps.
  /// - Returns: The run before its first step.
  func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun

  /// The exact reward distribution of each variant; nil (the default) if rewards change over time or depend on a
  /// context.
  var arms: [RewardDistribution]? { get }

  /// Whether the rewards of a variant depend on how often it was chosen (default: false).
  var rewardsDependOnChoices: Bool { get }
}

extension Environment {
  public var arms: [RewardDistribution]? { nil }

  public var rewardsDependOnChoices: Bool { false }

  public var variantNames: [String] { (0..<problem(horizon: 1).variants).map { "\($0 + 1)" } }

  /// Creates the environment that a specification describes, without files.
  ///
  /// - Throws: `SpecificationError` if a parameter is invalid.
  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, .none)
  }
}

/// One run of an environment.
///
/// The reward of a variant at a step does not depend on earlier choices, unless
/// ``Environment/rewardsDependOnChoices``, so every policy sees the same rewards and policies can be compared in pairs.
public enum EnvironmentRun: Sendable {
  /// A run whose reward distributions never change.
  case stationary(StationaryRun)
  /// Any other run.
  case changing(any ChangingRun)
}

extension EnvironmentRun {
  /// The run as one that is advanced step by step.
  var stepwise: any ChangingRun {
    switch self {
    case .stationary(let run): StationarySteps(run)
    case .changing(let run): run
    }
  }
}

/// A run in which something changes from step to step.
public protocol ChangingRun: Sendable {
  /// The number of variants.
  var variantCount: Int { get }

  /// Advances to a step; steps are consecutive, from 0.
  mutating func begin(_ step: Int)

  /// The context of the decision at this step; empty by default.
  var context: Context { get }

  /// Returns the mean reward of a variant at this step, given the context.
  func mean(_ variant: Int) -> Double

  /// Sets the mean reward of each variant at this step (default: by ``mean(_:)``).
  func means(into means: inout [Double])

  /// The mean reward of an optimal policy at this step.
  var optimum: Double { get }

  /// Returns the reward of a variant at this step. Called once, for the chosen variant.
  mutating func reward(_ variant: Int) -> Double

  /// Returns the reward that a variant would have at this step if it were chosen; does not change the run.
  func reward(ifChosen variant: Int) -> Double

  /// The variants available at this step; nil (the default) for all.
  var available: [Bool]? { get }

  /// Returns the delay of this step's reward in steps; 0 (the default) for none.
  mutating func delay() -> Int
}

extension ChangingRun {
  public func reward(ifChosen variant: Int) -> Double {
    var copy = self
    return copy.reward(variant)
  }

  public func means(into means: inout [Double]) {
    for variant in means.indices { means[variant] = mean(variant) }
  }

  /// The reward that each variant would have at this step.
  var allRewards: [Double] { (0..<variantCount).map { reward(ifChosen: $0) } }

  public var context: Context { .none }

  public var available: [Bool]? { nil }

  public mutating func delay() -> Int { 0 }
}
