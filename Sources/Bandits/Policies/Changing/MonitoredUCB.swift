public import Specifications
public import Statistics

/// `m-ucb:window=200`: monitored UCB, which restarts when the latest rewards of a variant differ from those before.
///
/// Y. Cao, Z. Wen, B. Kveton and Y. Xie, "Nearly optimal adaptive procedure with change detection for
/// piecewise-stationary bandit" (AISTATS 2019), algorithms 1 and 2: of every ⌊K/γ⌋ decisions since the last restart the
/// first K choose each variant in turn, the others the largest mean + √(2 ln t/n), all since the last restart. If the
/// sums of the first and the second half of the last w rewards of a variant differ by more than b, everything restarts.
/// By default b is √(w/2 ln(2 K T²)), and γ (`exploration`) √(C K (2 b + 3 √w)/(2 T)), those of the paper's regret
/// bound.
public struct MonitoredUCB: Policy {
  /// The even number of compared rewards of a variant.
  public var window = 200
  /// The threshold b of the difference of sums; nil for √(w/2 ln(2 K T²)).
  public var threshold: Double?
  /// The share of forced exploration; nil for √(C K (2 b + 3 √w)/(2 T)).
  public var exploration: Double?
  /// The expected number of changes.
  public var changes = 1.0
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "m-ucb", "ucb1 that restarts when the latest rewards of a variant differ from those before",
    source: "Cao, Wen, Kveton and Xie 2019, algorithms 1 and 2", example: "m-ucb:window=200")

  public static var parameters: [Field] {
    Field.integer(
      "window", \.window, in: 2...1_000_000,
      "window of compared rewards of a variant, even, 2 to 1e6"
    )
    Field.number(
      "threshold", \.threshold, in: 0...1e9,
      "threshold b of the difference of sums, {range}; sqrt(w / 2 ln(2 K T^2)) by default"
    )
    Field.number(
      "exploration", \.exploration, in: 0...1,
      "share of forced exploration; sqrt(C K (2 b + 3 sqrt(w)) / (2 T)) by default"
    )
    Field.changes(\.changes)
    Field.horizon(\.horizon)
  }

  public static let supportsUnavailableVariants = true
  /// The threshold assumes rewards in 0 ... 1.
  public static let needsUnitRewards = true

  public mutating func validate() throws(SpecificationError) {
    guard window % 2 == 0 else {
      throw SpecificationError("window=\(window) of m-ucb must be even; it has two halves")
    }
  }

  public var needsHorizon: Bool { horizon == nil && (threshold == nil || exploration == nil) }

  public func makeState(_ problem: Problem) -> MonitoredUCBState { MonitoredUCBState(self, problem) }
}

/// A schedule of forced exploration: the first decisions of each period choose each variant in turn.
struct ForcedExploration: Sendable {
  private let variants: Int
  private var period = 0
  private var step = 0

  /// Creates a schedule with the share of forced decisions, from 0 to 1.
  init(_ variants: Int, part: Double) {
    self.variants = variants
    set(part)
  }

  /// Sets the share of forced decisions.
  mutating func set(_ part: Double) {
    let length = Double(variants) / part
    period = part > 0 && length < 1e18 ? max(variants, Int(length)) : .max
  }

  /// The value that ``next()`` will return.
  var upcoming: Int? {
    let turn = step % period
    return turn < variants ? turn : nil
  }

  /// Returns the forced variant of this decision; nil if the policy may choose.
  mutating func next() -> Int? {
    defer { step += 1 }
    return upcoming
  }

  /// Restarts the schedule.
  mutating func restart() { step = 0 }
}

/// The state of a run.
public struct MonitoredUCBState: AllocatingState {
  private let window: Int
  private let threshold: Double
  private var turns: ForcedExploration
  private var counts: [Int]
  private var means: [Double]
  /// The last rewards of each variant, one ring buffer after the other.
  private var rings: [Double]
  /// The sums of the older and the newer half of each ring buffer.
  private var halves: [(old: Double, new: Double)]
  private var total = 0
  private var available: [Bool]?

  init(_ policy: MonitoredUCB, _ problem: Problem) {
    let (variants, decisions) = (problem.variants, problem.decisions(policy.horizon))
    let (count, size) = (Double(variants), Double(policy.window))
    threshold =
      policy.threshold
      ?? (size / 2 * (Double.log(2 * count) + 2 * Double.log(decisions))).squareRoot()
    let part = policy.changes * count * (2 * threshold + 3 * size.squareRoot()) / (2 * decisions)
    turns = ForcedExploration(variants, part: policy.exploration ?? min(1, part.squareRoot()))
    // A window that never fills needs no storage.
    let isBlind = policy.window > problem.horizon
    window = isBlind ? 2 : policy.window
    counts = [Int](repeating: 0, count: variants)
    means = [Double](repeating: 0, count: variants)
    rings = isBlind ? [] : [Double](repeating: 0, count: variants * window)
    halves = [(old: Double, new: Double)](repeating: (0, 0), count: variants)
  }

  /// Chooses the largest bound, or the variant whose turn it is.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let turn = turns.next(), available?[turn] ?? true { return Choice(turn) }
    let log = log
    var race = RandomTieArgmax()
    for variant in counts.indices where available?[variant] ?? true {
      race.enter(variant, index(variant, log), &random)
    }
    return race.choice
  }

  public var allocation: Allocation {
    if let turn = turns.upcoming { return .only(turn, of: counts.count) }
    return .shared(amongLargest: counts.indices.map { index($0, log) })
  }

  /// 2 ln t.
  private var log: Double { 2 * Double.log(Double(max(1, total))) }

  @inline(__always)
  private func index(_ variant: Int, _ log: Double) -> Double {
    let count = Double(counts[variant])
    return count == 0 ? .infinity : means[variant] + (log / count).squareRoot()
  }

  /// Advances the turns, whatever was chosen.
  public mutating func note(_ variant: Int) { _ = turns.next() }

  /// Adds the reward, and restarts if a change is detected.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    let (variant, value) = (choice.variant, reward.inUnitRange)
    let number = counts[variant]
    counts[variant] = number + 1
    total += 1
    means[variant] += (value - means[variant]) / Double(number + 1)
    guard !rings.isEmpty else { return }
    let start = variant * window
    let place = number % window
    let middle = start + (place + window / 2) % window
    halves[variant].new += value - rings[middle]
    halves[variant].old += rings[middle] - rings[start + place]
    rings[start + place] = value
    // Recomputed once per cycle, so that rounding errors do not accumulate.
    if place == window - 1 { addUp(variant) }
    if number + 1 >= window, abs(halves[variant].new - halves[variant].old) > threshold {
      restart()
    }
  }

  private mutating func addUp(_ variant: Int) {
    halves[variant] = (0, 0)
    for place in 0..<window / 2 {
      halves[variant].old += rings[variant * window + place]
      halves[variant].new += rings[variant * window + window / 2 + place]
    }
  }

  private mutating func restart() {
    turns.restart()
    total = 0
    for variant in counts.indices {
      counts[variant] = 0
      means[variant] = 0
      halves[variant] = (0, 0)
    }
    for place in rings.indices { rings[place] = 0 }
  }

  public mutating func offer(_ available: [Bool]) { self.available = available }
}
