public import Statistics

/// A policy that chooses the variant with the largest index, each variant once first, and breaks ties at random.
///
/// The index is a function of what was learned so far, so that the same policy serves agents, which keep tallies only.
public protocol IndexPolicy: Policy, AllocationPolicy where State == IndexState<Self> {
  /// Whether the index looks at ``IndexSituation/bestMean``.
  static var needsBestMean: Bool { get }

  /// The index of a variant.
  ///
  /// - Parameters:
  ///   - arm: What was learned of it, from at least one decision.
  ///   - now: What was learned of all.
  /// - Returns: The index.
  func index(_ arm: ArmTally, _ now: IndexSituation) -> Double

  /// Whether the index of a variant may be as large as another one that is known, where that is easier to say than the
  /// index itself.
  ///
  /// - Parameters:
  ///   - best: The largest index known so far.
  ///   - arm: What was learned of the variant, from at least one decision.
  ///   - now: What was learned of all.
  /// - Returns: False only where ``index(_:_:)`` surely returns less, its rounding included.
  func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool
}

/// What an index may depend on besides the tally of its variant.
public struct IndexSituation: Sendable, Hashable {
  /// Decisions so far, of all variants: t.
  public var decisions: Double
  /// ln t.
  public var log: Double
  /// The number of variants: K.
  public var choices: Double
  /// The best mean reward of a variant so far.
  public var bestMean: Double

  /// Describes a situation.
  public init(decisions: Double, choices: Double, bestMean: Double) {
    self.decisions = decisions
    log = Double.log(decisions)
    self.choices = choices
    self.bestMean = bestMean
  }
}

extension IndexPolicy {
  /// The index of a variant does not look at the others.
  public static var needsBestMean: Bool { false }

  /// Every index is computed.
  @inline(__always)
  public func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool { true }

  /// The largest index among those that are there.
  public static var takesAbsence: Bool { true }

  /// Nothing is known.
  public func makeState(_ problem: Problem) -> State { IndexState(self, problem) }

  /// Equal parts for the variants never chosen, then for those with the largest index.
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

/// What an ``IndexPolicy`` has learned.
public struct IndexState<P: IndexPolicy>: PolicyState {
  private let policy: P
  private var table: ArmTable
  /// The variant chosen last, whose index was the largest and seldom is far from it now.
  private var last = 0

  init(_ policy: P, _ problem: Problem) {
    self.policy = policy
    table = ArmTable(problem.variants)
  }

  /// The variant with the largest index.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    if let first = table.unchosen(&random) { return first }
    let choice = largest(&random)
    last = choice.variant
    return choice
  }

  /// The variant with the largest index. Nothing changes here, so that nothing of the policy, which all threads have in
  /// common, is counted by reference.
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
      // Chosen, but its rewards are still to come.
      if table.arms[variant].decisions == 0 { return .infinity }
      return policy.index(table.arms[variant], now)
    }
  }

  /// Adds the reward to the tally of its variant.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    table.learn(choice.variant, reward)
  }

  /// Some variants come or go.
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
