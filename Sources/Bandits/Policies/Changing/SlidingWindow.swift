public import Statistics

/// A policy that chooses by an index of the last rewards.
public protocol SlidingWindowPolicy: Policy where State == SlidingWindowState<Self> {
  /// How many rewards are looked at; nil for 2 √(T ln T), T being the number of decisions.
  var window: Int? { get }

  /// The number of decisions that the policy was told to expect.
  var horizon: Double? { get }

  /// The index of a variant.
  ///
  /// - Parameters:
  ///   - mean: The mean of its rewards in the window.
  ///   - count: How many there are, from 1.
  ///   - log: ln of the number of all rewards in the window.
  /// - Returns: The index.
  func index(_ mean: Double, _ count: Double, _ log: Double) -> Double
}

extension SlidingWindowPolicy {
  /// The largest index among those that are there.
  public static var takesAbsence: Bool { true }

  /// Where no window was written.
  public var needsHorizon: Bool { window == nil && horizon == nil }

  /// An empty window.
  public func makeState(_ problem: Problem) -> State {
    let decisions = horizon ?? Double(max(1, problem.horizon))
    let advised = (2 * (decisions * Double.log(decisions)).squareRoot()).rounded(.up)
    // A window beyond the end of the run forgets nothing, and needs no more room than the run.
    let size = window ?? Int(min(max(1, advised), 1e9))
    return State(self, problem, size: min(size, max(1, problem.horizon)))
  }
}

/// The parameters of a window.
enum SlidingWindow {
  static let window = Parameter.optionalInteger(
    "window", in: 1...10_000_000, "number of rewards, 1 to 1e7; 2 sqrt(T ln T) by default")
  static let horizon = Parameter.horizon()
}

/// The last rewards of a run.
public struct SlidingWindowState<P: SlidingWindowPolicy>: AllocatingState {
  private let policy: P
  private var table: ArmTable
  private var window: RewardWindow
  private var indices: [Double]
  private var log = 0.0

  init(_ policy: P, _ problem: Problem, size: Int) {
    self.policy = policy
    table = ArmTable(problem.variants)
    window = RewardWindow(problem.variants, size: size)
    indices = [Double](repeating: .infinity, count: problem.variants)
  }

  /// The variant with the largest index; one without rewards in the window comes first.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    return table.largest(&random) { indices[$0] }
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation { table.allocation { indices[$0] } }

  /// A decision for the variant was drawn.
  public mutating func note(_ variant: Int) { table.settle(variant) }

  /// Adds the reward, and lets the oldest one go.
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

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}

/// `sliding-window-ucb:window=500,xi=0.6`: mean + √(ξ ln min(t, τ)/n) over the last τ rewards.
///
/// A. Garivier and E. Moulines, "On upper-confidence bound policies for switching bandit problems" (ALT 2011), section
/// 3.2, with B = 1: rewards in 0 ... 1. A variant without rewards in the window is next. Without `window` τ is
/// 2 √(T ln T), theirs for a single change.
public struct SlidingWindowUCB: SlidingWindowPolicy {
  private static let xi = Parameter.number(
    "xi", default: 0.6, in: 0...1e9, "how wide the bound is, {range}")

  /// What there is to say about it.
  public static let guide = Guide(
    "sliding-window-ucb", "mean + sqrt(xi ln min(t, window) / n) over the last rewards",
    [SlidingWindow.window, SlidingWindow.horizon, xi],
    source: "Garivier and Moulines 2011, section 3.2")

  /// How it is written.
  public let specification: Specification
  /// How many rewards are looked at.
  public let window: Int?
  /// The number of decisions that it was told to expect.
  public let horizon: Double?
  private let xi: Double

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(window: Int? = nil, horizon: Int? = nil, xi: Double? = nil) throws(SpecificationError)
  {
    try self.init(
      Self.guide.specification(
        SlidingWindow.window.written(window), SlidingWindow.horizon.written(horizon),
        Self.xi.written(xi)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    window = try SlidingWindow.window.value(in: specification)
    horizon = try SlidingWindow.horizon.value(in: specification).map(Double.init)
    xi = try Self.xi.value(in: specification)
  }

  /// The index of a variant.
  public func index(_ mean: Double, _ count: Double, _ log: Double) -> Double {
    mean + (xi * log / count).squareRoot()
  }
}

/// `sliding-window-kl-ucb:window=500`: the largest q with n·kl(m, q) ≤ ln min(t, τ) over the last τ rewards, for rewards in
/// 0 ... 1.
///
/// R. Combes and A. Proutière, "Unimodal bandits: regret lower bounds and optimal algorithms" (ICML 2014), section 6: the
/// index of `kl-ucb` on a sliding window. The level has no ln ln t, as with `kl-ucb`. Without `window` τ is 2 √(T ln T).
public struct SlidingWindowKLUCB: SlidingWindowPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "sliding-window-kl-ucb", "kl-ucb over the last rewards, for rewards in 0 to 1",
    [SlidingWindow.window, SlidingWindow.horizon], source: "Combes and Proutière 2014, section 6")

  /// Rewards are those of Bernoulli variants, or parts of them.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  /// How many rewards are looked at.
  public let window: Int?
  /// The number of decisions that it was told to expect.
  public let horizon: Double?

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(window: Int? = nil, horizon: Int? = nil) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(
        SlidingWindow.window.written(window), SlidingWindow.horizon.written(horizon)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    window = try SlidingWindow.window.value(in: specification)
    horizon = try SlidingWindow.horizon.value(in: specification).map(Double.init)
  }

  /// The index of a variant.
  public func index(_ mean: Double, _ count: Double, _ log: Double) -> Double {
    BernoulliDivergence.upperBound(mean.inUnitRange, level: log / count)
  }
}
