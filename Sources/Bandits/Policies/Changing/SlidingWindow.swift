public import Specifications
internal import Statistics

/// An index policy over a sliding window of rewards.
public protocol SlidingWindowPolicy: Policy where State == SlidingWindowState<Self> {
  /// The size of the window in rewards; nil for 2 √(T ln T) with the number T of decisions.
  var window: Int? { get }

  /// The number of decisions T, if given.
  var horizon: Double? { get }

  /// Returns the index of a variant.
  ///
  /// - Parameters:
  ///   - mean: The mean of its rewards in the window.
  ///   - count: The number of its rewards in the window, from 1.
  ///   - log: ln of the number of all rewards in the window.
  /// - Returns: The index; NaN never wins.
  func index(_ mean: Double, _ count: Double, _ log: Double) -> Double
}

extension SlidingWindowPolicy {
  /// Chooses the largest index among the available variants.
  public static var supportsUnavailableVariants: Bool { true }

  public var needsHorizon: Bool { window == nil && horizon == nil }

  public func makeState(_ problem: Problem) -> State {
    let decisions = problem.decisions(horizon)
    let advised = (2 * (decisions * Double.log(decisions)).squareRoot()).rounded(.up)
    // A window longer than the run never evicts, and needs no more memory than the run.
    let size = window ?? Int(min(max(1, advised), 1e9))
    return State(self, problem, size: min(size, max(1, problem.horizon)))
  }
}

extension ParameterField {
  /// Declares the window.
  fileprivate static func window(_ path: any ParameterPath<Made, Int?>) -> Self {
    .integer(
      "window", path, in: 1...10_000_000,
      "window size in rewards, 1 to 1e7; 2 sqrt(T ln T) by default")
  }
}

/// The state of a run: the rewards in the window.
public struct SlidingWindowState<P: SlidingWindowPolicy>: IndexedState {
  private let policy: P
  var table: ArmTable
  private var window: RewardWindow
  private var indices: [Double]
  private var log = 0.0

  init(_ policy: P, _ problem: Problem, size: Int) {
    self.policy = policy
    table = ArmTable(problem.variants)
    window = RewardWindow(problem.variants, size: size)
    indices = [Double](repeating: .infinity, count: problem.variants)
  }

  @inline(__always)
  func index(_ variant: Int) -> Double { indices[variant] }

  /// Adds the reward and evicts the oldest one.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
    let before = window.filled
    let gone = window.add(choice.variant, reward)
    if window.filled != before {
      log = Double.log(Double(window.filled))
      for variant in indices.indices { refresh(variant) }
      return
    }
    refresh(choice.variant)
    if let gone, gone != choice.variant { refresh(gone) }
  }

  @inline(__always)
  private mutating func refresh(_ variant: Int) {
    let count = Double(window.counts[variant])
    indices[variant] =
      count == 0 ? .infinity : policy.index(window.sums[variant] / count, count, log)
  }
}

/// `sliding-window-ucb:window=500,xi=0.6`: mean + √(ξ ln min(t, τ)/n) over the last τ rewards.
///
/// A. Garivier and E. Moulines, "On upper-confidence bound policies for switching bandit problems" (ALT 2011), section
/// 3.2, with B = 1: rewards in 0 ... 1. A variant without rewards in the window is next. The default of `window`, τ = 2
/// √(T ln T), is theirs for a single change.
public struct SlidingWindowUCB: SlidingWindowPolicy {
  /// The window size in rewards; nil for 2 √(T ln T) with the number T of decisions.
  public var window: Int?
  /// The number T of decisions; nil for that of the run.
  public var horizon: Double?
  /// The width of the confidence bound.
  public var xi = 0.6
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "sliding-window-ucb", "mean + sqrt(xi ln min(t, window) / n) over a sliding window",
    source: "Garivier and Moulines 2011, section 3.2",
    example: "sliding-window-ucb:window=500,xi=0.6")

  public static var parameters: [Field] {
    Field.window(\.window)
    Field.horizon(\.horizon)
    Field.number("xi", \.xi, in: 0...1e9, "width of the confidence bound, {range}")
  }

  public func index(_ mean: Double, _ count: Double, _ log: Double) -> Double {
    mean + (xi * log / count).squareRoot()
  }
}

/// `sliding-window-kl-ucb:window=500`: the largest q with n·kl(m, q) ≤ ln min(t, τ) over the last τ rewards, for
/// rewards in 0 ... 1.
///
/// R. Combes and A. Proutière, "Unimodal bandits: regret lower bounds and optimal algorithms" (ICML 2014), section 6:
/// the index of `kl-ucb` on a sliding window. The level has no ln ln t term, as with `kl-ucb`. The default of `window`
/// is τ = 2 √(T ln T).
public struct SlidingWindowKLUCB: SlidingWindowPolicy {
  /// The window size in rewards; nil for 2 √(T ln T) with the number T of decisions.
  public var window: Int?
  /// The number T of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "sliding-window-kl-ucb", "kl-ucb over a sliding window, for rewards in 0 to 1",
    source: "Combes and Proutière 2014, section 6", example: "sliding-window-kl-ucb:window=500")

  public static var parameters: [Field] {
    Field.window(\.window)
    Field.horizon(\.horizon)
  }

  /// Rewards are Bernoulli, or fractions in 0 ... 1.
  public static let needsUnitRewards = true

  public func index(_ mean: Double, _ count: Double, _ log: Double) -> Double {
    BernoulliDivergence.upperBound(mean.inUnitRange, level: log / count)
  }
}
