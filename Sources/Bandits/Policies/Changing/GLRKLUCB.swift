public import Specifications
public import Statistics

/// `glr-kl-ucb:restart=local`: `kl-ucb` that resets a variant, or all of them, when a generalized likelihood ratio test
/// detects a change in rewards.
///
/// L. Besson, E. Kaufmann, O.-A. Maillard and J. Seznec, "Efficient change-point detection for tackling
/// piecewise-stationary bandits" (JMLR 23, 2022; first L. Besson and E. Kaufmann, 2019), algorithm 1. The n rewards of
/// a variant changed after the first s of them if s·kl(m₁, m) + (n − s)·kl(m₂, m) > ln(n √n/δ) for some s, with the
/// means m of all, m₁ of the first s and m₂ of the others: the Bernoulli test with the threshold of their experiments.
/// Then the variant is reset (`local`), or all are (`global`). The index is the largest q with n·kl(m, q) ≤ ln t, where
/// t counts from the variant's last reset. Of every ⌊K/α⌋ decisions, K choose each variant in turn (forced
/// exploration); α is `exploration` times the root of 1 plus the number of changes detected so far, as they recommend.
///
/// As in their experiments the test is made at every tenth reward of a variant (`every`), and for every tenth s
/// (`stride`). The tests of a variant with n rewards since its last reset take time n²/(2 · every · stride) in total:
/// raise both for runs of a million steps and more.
public struct GLRKLUCB: Policy {
  /// Which variants are reset when the rewards of one change.
  public enum Restart: String, CaseIterable, Sendable {
    /// That variant.
    case local
    /// All variants.
    case global
  }

  /// The variants that a change resets.
  public var restart = Restart.local
  /// The probability of a false alarm.
  public var delta: Double?
  /// The initial share of forced exploration.
  public var exploration: Double?
  /// The number of rewards of a variant between tests.
  public var every = 10
  /// The number of rewards between tested change points.
  public var stride = 10
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "glr-kl-ucb", "kl-ucb that resets when a likelihood ratio test detects a change",
    source: "Besson, Kaufmann, Maillard and Seznec 2022, algorithm 1",
    example: "glr-kl-ucb:restart=local")

  public static var parameters: [Field] {
    Field.word(
      "restart", \.restart, "variants that a change resets: local (the variant) or global (all)",
      alternatives: "local or global"
    )
    Field.number(
      "delta", \.delta, in: 1e-300...1, "probability of a false alarm; 1 / sqrt(T) by default"
    )
    Field.number(
      "exploration", \.exploration, in: 0...1,
      "initial share of forced exploration; sqrt(K ln T / T) by default"
    )
    Field.integer("every", \.every, in: 1...1_000_000, "rewards of a variant between tests, from 1")
    Field.integer(
      "stride", \.stride, in: 1...1_000_000, "rewards between tested change points, from 1")
    Field.horizon(\.horizon)
  }

  public static let supportsUnavailableVariants = true
  /// Rewards are Bernoulli, or fractions in 0 ... 1.
  public static let needsUnitRewards = true

  public var needsHorizon: Bool { horizon == nil && (delta == nil || exploration == nil) }

  public func makeState(_ problem: Problem) -> GLRKLUCBState { GLRKLUCBState(self, problem) }
}

/// The state of a run.
public struct GLRKLUCBState: AllocatingState {
  private let isGlobal: Bool
  private let exploration: Double
  private let test: BernoulliChange
  private var turns: ForcedExploration
  private var histories: [BernoulliChange.History]
  /// The number of rewards of all variants at the last reset of each variant.
  private var starts: [Int]
  private var learned = 0
  private var changes = 0.0
  private var available: [Bool]?
  /// The last winner, whose index is computed first so that most others need not be.
  private var leader = 0

  init(_ policy: GLRKLUCB, _ problem: Problem) {
    let (variants, decisions) = (problem.variants, problem.decisions(policy.horizon))
    let advised = (Double(variants) * Double.log(decisions) / decisions).squareRoot()
    isGlobal = policy.restart == .global
    exploration = policy.exploration ?? min(1, advised)
    test = BernoulliChange(
      logDelta: Double.log(policy.delta ?? 1 / decisions.squareRoot()), every: policy.every, stride: policy.stride)
    turns = ForcedExploration(variants, part: exploration)
    histories = [BernoulliChange.History](repeating: .init(), count: variants)
    starts = [Int](repeating: 0, count: variants)
  }

  /// Chooses the largest bound, or the variant whose turn it is.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let turn = turns.next(), available?[turn] ?? true { return Choice(turn) }
    var race = RandomTieArgmax()
    var log = LevelLog(learned: learned)
    let first = leader
    if available?[first] ?? true { enter(first, &race, &log, &random) }
    for variant in histories.indices where variant != first && available?[variant] ?? true {
      enter(variant, &race, &log, &random)
    }
    leader = race.winner
    return race.choice
  }

  @inline(__always)
  private func enter(
    _ variant: Int, _ race: inout RandomTieArgmax, _ log: inout LevelLog, _ random: inout Xoshiro256
  ) {
    let level = level(variant, &log)
    guard level < .infinity else { return race.enter(variant, .infinity, &random) }
    if race.best == .infinity { return }
    let mean = histories[variant].mean
    // Skips the bound if it is below the best one; the margin allows for rounding.
    if mean < race.best, race.best < 1,
      BernoulliDivergence.divergence(mean, race.best) > level * (1 + 1e-9)
    {
      return
    }
    race.enter(variant, BernoulliDivergence.upperBound(mean, level: level), &random)
  }

  public var allocation: Allocation {
    if let turn = turns.upcoming { return .only(turn, of: histories.count) }
    var log = LevelLog(learned: learned)
    return .shared(
      amongLargest: histories.indices.map { variant in
        let level = level(variant, &log)
        return level < .infinity
          ? BernoulliDivergence.upperBound(histories[variant].mean, level: level) : .infinity
      })
  }

  /// Returns the level of the bound of a variant; infinite without rewards.
  @inline(__always)
  private func level(_ variant: Int, _ log: inout LevelLog) -> Double {
    let count = histories[variant].count
    return count > 0 ? log.since(starts[variant]) / Double(count) : .infinity
  }

  /// Advances the turns, whatever was chosen.
  public mutating func note(_ variant: Int) { _ = turns.next() }

  /// Adds the reward, and resets variants if a change is detected.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    learned += 1
    guard test.add(reward.inUnitRange, to: &histories[choice.variant]) else { return }
    changes += 1
    turns.set(min(1, exploration * (changes + 1).squareRoot()))
    if isGlobal { turns.restart() }
    for variant in histories.indices where isGlobal || variant == choice.variant {
      histories[variant].forget()
      starts[variant] = learned
    }
  }

  public mutating func offer(_ available: [Bool]) { self.available = available }
}

/// The logarithm of the number of rewards since a start, cached because most variants share their start.
private struct LevelLog {
  let learned: Int
  private var start = -1
  private var log = 0.0

  init(learned: Int) { self.learned = learned }

  @inline(__always)
  mutating func since(_ other: Int) -> Double {
    if other != start { (start, log) = (other, Double.log(Double(max(1, learned - other)))) }
    return log
  }
}

/// The Bernoulli generalized likelihood ratio test for a change in the rewards of a variant.
struct BernoulliChange: Sendable {
  /// The rewards since the last change.
  struct History: Sendable {
    fileprivate(set) var count = 0
    fileprivate var sum = 0.0
    /// The cumulative sums of the rewards, one per stride.
    fileprivate var sums: [Double] = []

    /// The mean, in 0 ... 1 despite rounding; 0 before the first reward.
    var mean: Double { count > 0 ? (sum / Double(count)).inUnitRange : 0 }

    /// Removes all rewards but keeps the capacity.
    mutating func forget() {
      (count, sum) = (0, 0)
      sums.removeAll(keepingCapacity: true)
    }
  }

  let logDelta: Double
  let every: Int
  let stride: Int

  /// Adds a reward; returns whether a change is detected.
  func add(_ reward: Double, to history: inout History) -> Bool {
    history.count += 1
    history.sum += reward
    if history.count % stride == 0 { history.sums.append(history.sum) }
    return history.count % every == 0 && hasChanged(history)
  }

  /// Tests all change points, with the ratio as n·H(m) − s·H(m₁) − (n − s)·H(m₂) for the entropy H.
  ///
  /// As kl(p, q) ≤ (p − q)²/(q (1 − q)), the ratio is at most (S − s m)² n/(s (n − s) m (1 − m)), where S is the sum of
  /// the first s, so logarithms are needed for few change points only.
  private func hasChanged(_ history: History) -> Bool {
    let count = Double(history.count)
    let mean = history.mean
    let whole = count * Self.entropy(mean)
    let limit = 1.5 * Double.log(count) - logDelta
    // An upper bound of the ratio.
    guard whole > limit else { return false }
    // Slightly smaller, so that rounding excludes no change point.
    let bound = limit * mean * (1 - mean) * (1 - 1e-9)
    var first = 0.0
    for sum in history.sums {
      first += Double(stride)
      let second = count - first
      let excess = sum - first * mean
      guard excess * excess * count > bound * first * second, second > 0 else { continue }
      let parts =
        first * Self.entropy(sum / first)
        + second * Self.entropy((history.sum - sum) / second)
      if whole - parts > limit { return true }
    }
    return false
  }

  /// −p ln p − (1 − p) ln(1 − p), 0 at and beyond the ends.
  private static func entropy(_ p: Double) -> Double {
    guard p > 0 && p < 1 else { return 0 }
    return -p * Double.log(p) - (1 - p) * Double.log(1 - p)
  }
}
