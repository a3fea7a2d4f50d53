public import Specifications
public import Statistics

/// `cusum-ucb:samples=200,epsilon=0.1`: an upper confidence bound whose variants are reset when a CUSUM test detects a
/// drift in their rewards.
///
/// F. Liu, J. Lee and N. Shroff, "A change-detection based framework for piecewise-stationary multi-armed bandit
/// problem" (AAAI 2018), algorithms 1 and 3: with probability `exploration` a random variant, otherwise the largest
/// mean + √(ln n/N) over the rewards since the variant's last reset, where n is the sum of all N. The mean u of the
/// first `samples` rewards of a variant is the baseline; from then on two sums of r − u − ε and u − r − ε are kept,
/// which never fall below 0, and either of which above the threshold h signals a change. By default, h is ln(T/C), and
/// the exploration √(C/T ln(T/C)), of the order that the authors recommend.
public struct CusumUCB: Policy {
  /// The number of rewards for the baseline mean of a variant.
  public var samples = 200
  /// The tolerated drift.
  public var epsilon = 0.1
  /// The threshold h of the sum of drifts.
  public var threshold: Double?
  /// The probability of a random variant.
  public var exploration: Double?
  /// The expected number of changes.
  public var changes = 1.0
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "cusum-ucb", "an upper confidence bound, reset for a variant when its rewards drift",
    source: "Liu, Lee and Shroff 2018, algorithms 1 and 3",
    example: "cusum-ucb:samples=200,epsilon=0.1")

  public static var parameters: [Field] {
    Field.integer(
      "samples", \.samples, in: 1...1_000_000_000,
      "rewards for the baseline mean of a variant, from 1"
    )
    Field.number("epsilon", \.epsilon, in: 0...1, "tolerated drift, {range}")
    Field.number(
      "threshold", \.threshold, in: 0...1e9,
      "threshold h of the sum of drifts, {range}; ln(T / C) by default"
    )
    Field.number(
      "exploration", \.exploration, in: 0...1,
      "probability of a random variant; sqrt(C / T ln(T / C)) by default"
    )
    Field.changes(\.changes)
    Field.horizon(\.horizon)
  }

  public static let supportsUnavailableVariants = true
  /// Drifts are those of rewards in 0 ... 1.
  public static let needsUnitRewards = true

  public var needsHorizon: Bool { horizon == nil && (threshold == nil || exploration == nil) }

  public func makeState(_ problem: Problem) -> CusumUCBState { CusumUCBState(self, problem) }
}

/// The state of a run.
public struct CusumUCBState: AllocatingState {
  /// The statistics of a variant since its last reset.
  private struct Arm: Sendable {
    var count = 0
    var mean = 0.0
    /// The mean of the first rewards.
    var first = 0.0
    var rise = 0.0
    var fall = 0.0
  }

  private let policy: CusumUCB
  private let threshold: Double
  private let exploration: Double
  private var arms: [Arm]
  private var total = 0
  private var available: [Bool]?

  init(_ policy: CusumUCB, _ problem: Problem) {
    self.policy = policy
    let (changes, decisions) = (policy.changes, problem.decisions(policy.horizon))
    // With more changes than decisions it would detect changes everywhere.
    let log = max(1, Double.log(decisions / changes))
    threshold = policy.threshold ?? log
    exploration = policy.exploration ?? min(1, (changes / decisions * log).squareRoot())
    arms = [Arm](repeating: Arm(), count: problem.variants)
  }

  /// Chooses the largest bound, or a random variant.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let log = Double.log(Double(max(1, total)))
    var race = RandomTieArgmax()
    var count = 0
    for variant in arms.indices where available?[variant] ?? true {
      race.enter(variant, index(variant, log), &random)
      count += 1
    }
    let isExploring = Draw.unit(using: &random) < exploration
    let variant =
      isExploring ? Draw.variant(of: arms.count, available, using: &random) : race.winner
    let isTied = variant == race.winner || index(variant, log) == race.best
    let share = isTied ? (1 - exploration) / Double(max(1, race.ties)) : 0
    return Choice(variant, propensity: exploration / Double(max(1, count)) + share)
  }

  @inline(__always)
  private func index(_ variant: Int, _ log: Double) -> Double {
    let arm = arms[variant]
    return arm.count == 0 ? .infinity : arm.mean + (log / Double(arm.count)).squareRoot()
  }

  public var allocation: Allocation {
    let log = Double.log(Double(max(1, total)))
    return Allocation.shared(amongLargest: arms.indices.map { index($0, log) })
      .mixed(share: 1 - exploration)
  }

  /// Adds the reward, and resets the variant if a change is detected.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let value = reward.inUnitRange
    var arm = arms[choice.variant]
    arm.count += 1
    total += 1
    arm.mean += (value - arm.mean) / Double(arm.count)
    if arm.count <= policy.samples {
      arm.first = arm.mean
    } else {
      arm.rise = max(0, arm.rise + value - arm.first - policy.epsilon)
      arm.fall = max(0, arm.fall + arm.first - value - policy.epsilon)
      if max(arm.rise, arm.fall) > threshold {
        total -= arm.count
        arm = Arm()
      }
    }
    arms[choice.variant] = arm
  }

  public mutating func offer(_ available: [Bool]) { self.available = available }
}
