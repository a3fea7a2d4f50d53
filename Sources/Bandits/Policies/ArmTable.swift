internal import Statistics

/// What a policy keeps of each variant: how often it was chosen, and what came of it.
///
/// Variants that were never chosen, and of which nothing was learned, come first, in random order.
struct ArmTable: Sendable {
  /// What was learned of each variant.
  private(set) var arms: [ArmTally]
  /// How many rewards were learned.
  private(set) var learned = 0
  /// Which variants were chosen or learned of at least once, or are not there and need not be.
  private var isSettled: [Bool]
  private var unsettled: Int
  /// Which variants there are; nil for all.
  private(set) var available: [Bool]?

  init(_ variants: Int) {
    arms = [ArmTally](repeating: ArmTally(), count: variants)
    isSettled = [Bool](repeating: false, count: variants)
    unsettled = variants
  }

  var indices: Range<Int> { arms.indices }

  /// Learns a reward.
  @inline(__always)
  mutating func learn(_ variant: Int, _ reward: Double) {
    arms[variant].decisions += 1
    if reward != 0 { arms[variant].rewarded += 1 }
    arms[variant].sum += reward
    arms[variant].squares += reward * reward
    learned += 1
    // What was learned of a variant stands for a choice of it, even if somebody else made that.
    if unsettled > 0 { settle(variant) }
  }

  /// One of the variants that were never chosen, each with the same probability; nil when there is none.
  @inline(__always)
  mutating func unchosen(_ random: inout Xoshiro256) -> Choice? {
    guard unsettled > 0 else { return nil }
    return takeUnchosen(&random)
  }

  private mutating func takeUnchosen(_ random: inout Xoshiro256) -> Choice {
    var place = unsettled == 1 ? 0 : Draw.index(below: unsettled, using: &random)
    let propensity = 1 / Double(unsettled)
    for variant in isSettled.indices where !isSettled[variant] {
      if place == 0 {
        isSettled[variant] = true
        unsettled -= 1
        return Choice(variant, propensity: propensity)
      }
      place -= 1
    }
    return Choice(0, propensity: propensity)
  }

  /// Notes that a variant was chosen in another way.
  @inline(__always)
  mutating func settle(_ variant: Int) {
    guard !isSettled[variant] else { return }
    isSettled[variant] = true
    unsettled -= 1
  }

  /// The probability with which ``unchosen(_:)`` would give a variant; nil when it would give none.
  func unchosenShare(of variant: Int) -> Double? {
    guard unsettled > 0 else { return nil }
    return isSettled[variant] ? 0 : 1 / Double(unsettled)
  }

  /// Some variants come or go.
  mutating func offer(_ offered: [Bool]) {
    available = offered.allSatisfy { $0 } ? nil : offered
    for variant in arms.indices {
      isSettled[variant] = !offered[variant] || arms[variant].decisions > 0
    }
    unsettled = isSettled.count { !$0 }
  }

  /// The variant with the largest index among those that are there; ties are broken at random.
  ///
  /// - Parameters:
  ///   - random: What breaks ties.
  ///   - index: The index of a variant; the same one every time it is asked for within this call. One that is no number
  ///     never wins.
  /// - Returns: The variant.
  @inline(__always)
  func largest(_ random: inout Xoshiro256, _ index: (Int) -> Double) -> Choice {
    var best = -Double.infinity
    var winner = 0
    var ties = 0
    for variant in arms.indices where available?[variant] ?? true {
      let value = index(variant)
      if value > best {
        (best, winner, ties) = (value, variant, 1)
      } else if value == best {
        ties += 1
      }
    }
    if ties == 1 { return Choice(winner) }
    return pick(ties, &random) { available?[$0] ?? true && index($0) == best }
  }

  /// The same as ``largest(_:_:)``, which leaves out variants whose index is surely smaller than one that is known.
  ///
  /// - Parameters:
  ///   - start: The variant to begin with; the closer to the largest its index is, the more others are left out.
  ///   - random: What breaks ties.
  ///   - mayReach: Whether the index of a variant may be as large as a number; false only where it is surely smaller.
  ///   - index: The index of a variant.
  /// - Returns: The variant that ``largest(_:_:)`` returns, from the same random words.
  @inline(__always)
  func largest(
    from start: Int, _ random: inout Xoshiro256, mayReach: (Int, Double) -> Bool,
    _ index: (Int) -> Double
  ) -> Choice {
    var best = -Double.infinity
    var winner = 0
    var ties = 0
    if available?[start] ?? true {
      best = max(best, index(start))
      (winner, ties) = (start, 1)
    }
    for variant in arms.indices where variant != start && available?[variant] ?? true {
      guard mayReach(variant, best) else { continue }
      let value = index(variant)
      if value > best {
        (best, winner, ties) = (value, variant, 1)
      } else if value == best {
        ties += 1
      }
    }
    // Without a number above −∞ it takes another look at which of them count.
    if ties == 1, best > -.infinity { return Choice(winner) }
    return pick(ties, &random) {
      available?[$0] ?? true && ($0 == start || mayReach($0, best)) && index($0) == best
    }
  }

  /// One of some variants that are marked, or of all if none is.
  @inline(never)
  private func pick(
    _ count: Int, _ random: inout Xoshiro256, _ isMarked: (Int) -> Bool
  ) -> Choice {
    let marked = arms.indices.filter(isMarked)
    let there = marked.isEmpty ? arms.indices.filter { available?[$0] ?? true } : marked
    guard !there.isEmpty else { return Choice(0) }
    return Choice(
      there[Draw.index(below: there.count, using: &random)], propensity: 1 / Double(there.count))
  }
}
