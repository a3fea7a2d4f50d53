public import Statistics

/// `m-ucb:window=200`: monitored UCB, which starts anew when the last rewards of a variant differ from those before.
///
/// Y. Cao, Z. Wen, B. Kveton and Y. Xie, "Nearly optimal adaptive procedure with change detection for piecewise-stationary
/// bandit" (AISTATS 2019), algorithms 1 and 2: of every ⌊K/γ⌋ decisions since the last start the first K take each variant
/// in turn, the others the largest mean + √(2 ln t/n), all since the last start. If of the last w rewards of a variant
/// the sums of the first and the second half differ by more than b, everything starts anew. Without them b is
/// √(w/2 ln(2 K T²)), and γ (`exploration`) √(C K (2 b + 3 √w)/(2 T)), those that the paper's bound is for.
public struct MonitoredUCB: Policy {
  private static let window = Parameter.integer(
    "window", default: 200, in: 2...1_000_000,
    "rewards of a variant that are compared, even, 2 to 1e6")
  private static let threshold = Parameter.optionalNumber(
    "threshold", in: 0...1e9, "difference of sums b, {range}; sqrt(w / 2 ln(2 K T^2)) by default")
  private static let exploration = Parameter.optionalNumber(
    "exploration", in: 0...1,
    "part of the decisions that is shared out; sqrt(C K (2 b + 3 sqrt(w)) / (2 T)) by default")
  private static let changes = Parameter.changes
  private static let horizon = Parameter.horizon()

  /// What there is to say about it.
  public static let guide = Guide(
    "m-ucb", "ucb1 that starts anew when the last rewards of a variant differ from those before",
    [
      window,
      threshold,
      exploration,
      changes, horizon,
    ],
    source: "Cao, Wen, Kveton and Xie 2019, algorithms 1 and 2")

  /// The best of those that are there.
  public static let takesAbsence = true
  /// The threshold is for rewards in 0 ... 1.
  public static let needsUnitRewards = true

  /// How it is written.
  public let specification: Specification
  private let window: Int
  private let threshold: Double?
  private let exploration: Double?
  private let changes: Double
  private let horizon: Double?

  /// Makes the policy from values; see ``guide`` for ranges, and for the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError`: a value is out of its range.
  public init(
    window: Int? = nil, threshold: Double? = nil, exploration: Double? = nil,
    changes: Double? = nil, horizon: Int? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.guide.specification(
        Self.window.written(window), Self.threshold.written(threshold),
        Self.exploration.written(exploration), Self.changes.written(changes),
        Self.horizon.written(horizon)), variants: [])
  }

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: a parameter is out of its range, or the window is odd.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    window = try Self.window.value(in: specification)
    guard window % 2 == 0 else {
      throw SpecificationError("window=\(window) of m-ucb must be even; it has two halves")
    }
    threshold = try Self.threshold.value(in: specification)
    exploration = try Self.exploration.value(in: specification)
    changes = try Self.changes.value(in: specification)
    horizon = try Self.horizon.value(in: specification).map(Double.init)
  }

  /// Where it was not written.
  public var needsHorizon: Bool { horizon == nil && (threshold == nil || exploration == nil) }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> MonitoredUCBState {
    let decisions = horizon ?? Double(max(1, problem.horizon))
    let (count, size) = (Double(problem.variants), Double(window))
    let limit =
      threshold
      ?? (size / 2 * (Double.log(2 * count) + 2 * Double.log(decisions))).squareRoot()
    let part = changes * count * (2 * limit + 3 * size.squareRoot()) / (2 * decisions)
    return MonitoredUCBState(
      problem.variants, window: window, threshold: limit,
      exploration: exploration ?? min(1, part.squareRoot()), horizon: problem.horizon)
  }
}

/// Which decisions are not the policy's to make: of every so many the first take each variant in turn.
struct ForcedTurns: Sendable {
  private let variants: Int
  private var period: Int
  private var step = 0

  /// The part of the decisions is from 0 to 1.
  init(_ variants: Int, part: Double) {
    self.variants = variants
    period = 0
    set(part)
  }

  /// Sets the part.
  mutating func set(_ part: Double) {
    let length = Double(variants) / part
    period = part > 0 && length < 1e18 ? max(variants, Int(length)) : .max
  }

  /// What ``next()`` will say.
  var upcoming: Int? {
    let turn = step % period
    return turn < variants ? turn : nil
  }

  /// The variant of this decision; nil if the policy may choose.
  mutating func next() -> Int? {
    let turn = step % period
    step += 1
    return turn < variants ? turn : nil
  }

  /// Starts anew.
  mutating func restart() { step = 0 }
}

/// What a run has learned.
public struct MonitoredUCBState: AllocatingState {
  private let window: Int
  private let threshold: Double
  private var turns: ForcedTurns
  private var counts: [Int]
  private var means: [Double]
  /// The last rewards of each variant, one ring after the other.
  private var rings: [Double]
  /// The sums of the first and of the second half of each.
  private var halves: [(old: Double, new: Double)]
  private var total = 0
  private var available: [Bool]?

  init(_ variants: Int, window: Int, threshold: Double, exploration: Double, horizon: Int) {
    self.threshold = threshold
    // A window that never fills needs no room.
    self.window = window > horizon ? 2 : window
    let isBlind = window > horizon
    turns = ForcedTurns(variants, part: exploration)
    counts = [Int](repeating: 0, count: variants)
    means = [Double](repeating: 0, count: variants)
    rings = isBlind ? [] : [Double](repeating: 0, count: variants * window)
    halves = [(old: Double, new: Double)](repeating: (0, 0), count: variants)
  }

  /// The largest bound, or the variant whose turn it is.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let turn = turns.next(), available?[turn] ?? true { return Choice(turn) }
    let log = 2 * Double.log(Double(max(1, total)))
    var race = IndexRace()
    for variant in counts.indices where available?[variant] ?? true {
      race.enter(variant, index(variant, log), &random)
    }
    return race.choice
  }

  /// The probabilities of the next decision.
  public var allocation: Allocation {
    if let turn = turns.upcoming { return .only(turn, of: counts.count) }
    let log = 2 * Double.log(Double(max(1, total)))
    return .shared(amongLargest: counts.indices.map { index($0, log) })
  }

  @inline(__always)
  private func index(_ variant: Int, _ log: Double) -> Double {
    let count = Double(counts[variant])
    return count == 0 ? .infinity : means[variant] + (log / count).squareRoot()
  }

  /// Whatever was chosen, a turn has passed.
  public mutating func note(_ variant: Int) { _ = turns.next() }

  /// Adds the reward, and starts anew if the rewards of the variant changed.
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
    // Added up anew each time round, so that rounding never builds up.
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

  /// Some variants come or go.
  public mutating func offer(_ available: [Bool]) { self.available = available }
}
