public import Statistics

/// A policy that chooses the variant with the largest index, after an initial pull of each variant, breaking ties at
/// random.
///
/// The index is a function of tallies, so the same policy serves agents, which keep tallies only.
public protocol IndexPolicy: AllocationPolicy where State == IndexState<Self> {
  /// Whether the index uses ``IndexSituation/bestMean`` (default: false).
  static var needsBestMean: Bool { get }

  /// Returns the index of a variant.
  ///
  /// - Parameters:
  ///   - arm: The tally of the variant, with at least one decision.
  ///   - now: The totals over all variants.
  /// - Returns: The index; NaN never wins.
  func index(_ arm: ArmTally, _ now: IndexSituation) -> Double

  /// Returns whether the index of a variant may reach a known one, if that is cheaper to decide than the index itself.
  /// By default always true.
  ///
  /// - Parameters:
  ///   - best: The largest index known so far.
  ///   - arm: The tally of the variant, with at least one decision.
  ///   - now: The totals over all variants.
  /// - Returns: False only if ``index(_:_:)`` is certain to be less, including its rounding.
  func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool
}

/// What an index may depend on besides the tally of its variant.
public struct IndexSituation: Sendable, Hashable {
  /// The number t of decisions so far, over all variants.
  public var decisions: Double
  /// ln t.
  public var log: Double
  /// The number K of variants.
  public var choices: Double
  /// The best mean reward of a variant so far.
  public var bestMean: Double

  /// Creates a situation.
  public init(decisions: Double, choices: Double, bestMean: Double) {
    self.decisions = decisions
    log = Double.log(decisions)
    self.choices = choices
    self.bestMean = bestMean
  }
}

extension IndexPolicy {
  public static var needsBestMean: Bool { false }

  @inline(__always)
  public func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool { true }

  /// Chooses the largest index among the available variants.
  public static var supportsUnavailableVariants: Bool { true }

  public func makeState(_ problem: Problem) -> IndexState<Self> { IndexState(self, problem) }

  /// Returns equal probabilities for the variants never chosen; once there are none, for those with the largest index.
  public func allocation(over arms: [ArmTally]) -> Allocation {
    if let flaw = Self.needsUnitRewards ? arms.unitFlaw : arms.flaw {
      return .equal(arms.count, refusal: flaw)
    }
    if let first = arms.unpulledFirst { return first }
    let situation = IndexSituation(
      decisions: arms.totalDecisions, choices: Double(arms.count),
      bestMean: arms.reduce(-Double.infinity) { max($0, $1.mean) })
    return .shared(amongLargest: arms.map { index($0, situation) })
  }
}

/// The state of an ``IndexPolicy``.
public struct IndexState<P: IndexPolicy>: PolicyState {
  private let policy: P
  private var table: ArmTable
  /// The last choice, whose index is usually still among the largest.
  private var last = 0

  init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
  }

  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    let choice = largest(&random)
    last = choice.variant
    return choice
  }

  /// Returns the variant with the largest index. Not mutating, which avoids reference counting on the policy, which all
  /// threads share.
  private func largest(_ random: inout Xoshiro256) -> Choice {
    var bestMean = 0.0
    if P.needsBestMean {
      bestMean = table.indices.reduce(-Double.infinity) { max($0, table.arms[$1].mean) }
    }
    let now = IndexSituation(
      decisions: Double(table.learned), choices: Double(table.arms.count), bestMean: bestMean)
    return table.largest(from: last, &random) { variant, best in
      table.arms[variant].decisions == 0 || policy.mayReach(best, table.arms[variant], now)
    } _: { variant in
      // Chosen, but its rewards are pending.
      if table.arms[variant].decisions == 0 { return .infinity }
      return policy.index(table.arms[variant], now)
    }
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }
}

extension ArmTally {
  /// The variance of the rewards with divisor n, never negative.
  var variance: Double {
    guard decisions > 0 else { return 0 }
    let spread = squares / Double(decisions) - mean * mean
    return spread > 0 && spread.isFinite ? spread : 0
  }
}
