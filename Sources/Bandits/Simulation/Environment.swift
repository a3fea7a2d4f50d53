public import Statistics

/// Where rewards come from: the parameters, which never change.
public protocol Environment: Sendable {
  /// Its name, parameters and source.
  static var guide: Guide { get }

  /// How the environment is written, with the parameters that were given.
  var specification: Specification { get }

  /// Makes the environment from what was written.
  ///
  /// - Parameter specification: The name and the parameters, whose keys are known to be in the guide.
  /// - Throws: `SpecificationError` when a value cannot be used.
  init(_ specification: Specification) throws(SpecificationError)

  /// How many variants there are, and by what they are described.
  func problem(horizon: Int) -> Problem

  /// The names of the variants, each once.
  var variantNames: [String] { get }

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - key: Names the random stream; the same key gives the same rewards, whatever is chosen.
  ///   - horizon: How many steps there will be.
  /// - Returns: The run before its first step.
  func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun

  /// For each variant the exact distribution of its rewards, when these never change; nil when they do.
  var arms: [RewardDistribution]? { get }

  /// Whether the rewards of a variant change with how often it was chosen.
  var rewardsDependOnChoices: Bool { get }
}

extension Environment {
  /// Rewards change, or depend on a context.
  public var arms: [RewardDistribution]? { nil }

  /// They are the same whatever is chosen.
  public var rewardsDependOnChoices: Bool { false }

  /// `1`, `2` and so on.
  public var variantNames: [String] { (1...problem(horizon: 1).variants).map(String.init) }
}

/// One run of an environment.
///
/// The reward of a variant at a step is the same whatever was chosen before, unless the environment itself says that
/// it depends on choices: so every policy sees the same rewards, and policies can be compared in pairs.
public enum EnvironmentRun: Sendable {
  /// Rewards that never change.
  case stationary(StationaryRun)
  /// Any other.
  case changing(any ChangingRun)
}

extension EnvironmentRun {
  /// The run step by step, whether anything changes or not.
  var stepwise: any ChangingRun {
    switch self {
    case .stationary(let run): StationarySteps(run)
    case .changing(let run): run
    }
  }
}

/// A run in which something changes with the step.
public protocol ChangingRun: Sendable {
  /// How many variants there are.
  var variantCount: Int { get }

  /// Goes on to a step; steps come one after the other from 0.
  mutating func begin(_ step: Int)

  /// What is known at this step before the decision.
  var context: Context { get }

  /// The mean reward of a variant at this step, given the context.
  func mean(_ variant: Int) -> Double

  /// The largest mean that a policy that knows everything gets at this step.
  var optimum: Double { get }

  /// The reward of a variant at this step. It is asked for once, for the variant that was chosen.
  mutating func reward(_ variant: Int) -> Double

  /// The reward that a variant would have at this step if it were chosen; nothing changes by asking.
  func reward(ifChosen variant: Int) -> Double

  /// Which variants there are at this step; nil for all.
  var available: [Bool]? { get }

  /// How many steps later the reward of this step is told; 0 for at once.
  mutating func delay() -> Int
}

extension ChangingRun {
  /// What a copy of the run says.
  public func reward(ifChosen variant: Int) -> Double {
    var copy = self
    return copy.reward(variant)
  }

  /// The rewards that the variants would have at this step.
  var allRewards: [Double] { (0..<variantCount).map { reward(ifChosen: $0) } }

  /// No context.
  public var context: Context { .none }

  /// All variants, always.
  public var available: [Bool]? { nil }

  /// At once.
  public mutating func delay() -> Int { 0 }
}
