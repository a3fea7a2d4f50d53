public import Statistics

/// One phase of an elimination: the pulls of each remaining variant, and the number of variants that survive it.
struct EliminationPhase: Hashable, Sendable {
  var pulls: Int
  var survivors: Int
}

/// The state of a policy that eliminates the worst variants after each phase.
///
/// Within a phase the remaining variants are chosen in turn, in random order. At its end those with the lowest means
/// are eliminated, ties broken at random; a variant without rewards yet ranks last. After the last phase the remaining
/// one is chosen for good.
public struct PhasedEliminationState: PolicyState {
  private let phases: [EliminationPhase]
  /// Whether each phase counts only the rewards of its own decisions.
  private let forgets: Bool
  private var phase = 0
  /// The number of decisions left in the phase.
  private var left: Int
  private var active: [Bool]
  private var activeCount: Int
  private var pulls: [Int]
  private var counts: [Double]
  private var sums: [Double]

  init(_ variants: Int, _ phases: [EliminationPhase], forgets: Bool = false) {
    self.phases = phases
    self.forgets = forgets
    active = [Bool](repeating: true, count: variants)
    activeCount = variants
    pulls = [Int](repeating: 0, count: variants)
    counts = [Double](repeating: 0, count: variants)
    sums = counts
    left = (phases.first?.pulls ?? 0) * variants
  }

  /// Chooses the next variant in turn, or the last one left.
  ///
  /// The propensity is NaN at the few decisions before which ties were broken at random.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    var wasTie = false
    while phase < phases.count, left == 0 {
      if endPhase(&random) { wasTie = true }
    }
    var choice = Choice(recommendation ?? 0)
    if phase < phases.count {
      choice = next(&random)
      pulls[choice.variant] += 1
      left -= 1
    }
    choice.memo = phase
    if wasTie { choice.propensity = .nan }
    return choice
  }

  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    if forgets, choice.memo != phase { return }
    counts[choice.variant] += 1
    sums[choice.variant] += reward
  }

  /// The best mean among the remaining variants.
  public var recommendation: Int? {
    var best: Int?
    for variant in active.indices where active[variant] {
      if let leader = best, mean(variant) <= mean(leader) { continue }
      best = variant
    }
    return best
  }

  /// Whether all phases are over.
  public var hasStopped: Bool { phase == phases.count }

  private func mean(_ variant: Int) -> Double {
    let mean = counts[variant] > 0 ? sums[variant] / counts[variant] : -.infinity
    return mean.isNaN ? -.infinity : mean
  }

  /// Returns one of the least often chosen variants of this phase.
  private func next(_ random: inout Xoshiro256) -> Choice {
    let candidates = (left - 1) % activeCount + 1
    let place = candidates == 1 ? 0 : Draw.index(below: candidates, using: &random)
    let fewest = phases[phase].pulls - (left - 1) / activeCount - 1
    let variant = active.indices.element(place) { active[$0] && pulls[$0] == fewest }
    return Choice(variant, propensity: 1 / Double(candidates))
  }

  /// Eliminates the worst variants; returns whether ties were broken at random.
  private mutating func endPhase(_ random: inout Xoshiro256) -> Bool {
    var wasTie = false
    while activeCount > max(1, phases[phase].survivors) {
      let there = active.indices.filter { active[$0] }
      let worst = there.reduce(Double.infinity) { min($0, mean($1)) }
      let tied = there.filter { mean($0) == worst }
      if tied.count > 1 { wasTie = true }
      active[tied[tied.count == 1 ? 0 : Draw.index(below: tied.count, using: &random)]] = false
      activeCount -= 1
    }
    phase += 1
    for variant in pulls.indices {
      pulls[variant] = 0
      if forgets, phase < phases.count { (counts[variant], sums[variant]) = (0, 0) }
    }
    left = phase < phases.count ? phases[phase].pulls * activeCount : 0
    return wasTie
  }
}
