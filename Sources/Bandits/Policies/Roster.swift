internal import Statistics

/// Which variants there are, and which of them were tried: those that never were come first, in random order.
struct Roster: Sendable {
  /// How many variants there are, missing ones included.
  let count: Int
  /// Which variants there are; nil for all.
  private(set) var available: [Bool]?
  /// Which variants were chosen or learned of at least once, or are not there and need not be.
  private var isSettled: [Bool]
  private var unsettled: Int

  init(_ variants: Int) {
    count = variants
    isSettled = [Bool](repeating: false, count: variants)
    unsettled = variants
  }

  var indices: Range<Int> { 0..<count }

  /// Whether a variant is there.
  @inline(__always)
  func has(_ variant: Int) -> Bool { available?[variant] ?? true }

  /// The variants that are there.
  var there: [Int] { indices.filter(has) }

  /// How many are there.
  var thereCount: Int { available.map { $0.count { $0 } } ?? count }

  // MARK: Those never chosen

  /// One of the variants that were never chosen, each with the same probability; nil when there is none.
  @inline(__always)
  mutating func unchosen(_ random: inout Xoshiro256) -> Choice? {
    guard unsettled > 0 else { return nil }
    // Passed as a copy, so that the words of the generator may stay in registers where this is inlined.
    var copy = random
    defer { random = copy }
    return takeUnchosen(&copy)
  }

  @inline(never)
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

  /// Notes that a variant was chosen in another way, or learned of: that stands for a choice, whoever made it.
  @inline(__always)
  mutating func settle(_ variant: Int) {
    if unsettled > 0 { settleSlowly(variant) }
  }

  @inline(never)
  private mutating func settleSlowly(_ variant: Int) {
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
  ///
  /// - Parameters:
  ///   - offered: Which there are from now on.
  ///   - isKnown: Whether something was learned of a variant; another one must be tried, even if it was chosen.
  mutating func offer(_ offered: [Bool], isKnown: (Int) -> Bool) {
    available = offered.allSatisfy { $0 } ? nil : offered
    for variant in indices { isSettled[variant] = !offered[variant] || isKnown(variant) }
    unsettled = isSettled.count { !$0 }
  }

  // MARK: Choices

  /// Any of the variants that are there, each with the same probability.
  @inline(__always)
  func any(_ random: inout Xoshiro256) -> Int {
    Draw.variant(of: count, available, using: &random)
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
    for variant in indices where has(variant) {
      let value = index(variant)
      if value > best {
        (best, winner, ties) = (value, variant, 1)
      } else if value == best {
        ties += 1
      }
    }
    // Without a number above −∞ it takes another look at which of them count.
    if ties == 1, best > -.infinity { return Choice(winner) }
    return pick(&random) { has($0) && index($0) == best }
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
    if has(start) {
      best = max(best, index(start))
      (winner, ties) = (start, 1)
    }
    for variant in indices where variant != start && has(variant) {
      guard mayReach(variant, best) else { continue }
      let value = index(variant)
      if value > best {
        (best, winner, ties) = (value, variant, 1)
      } else if value == best {
        ties += 1
      }
    }
    if ties == 1, best > -.infinity { return Choice(winner) }
    return pick(&random) {
      has($0) && ($0 == start || mayReach($0, best)) && index($0) == best
    }
  }

  /// One of some variants that are marked, or of all that are there if none is.
  @inline(never)
  private func pick(_ random: inout Xoshiro256, _ isMarked: (Int) -> Bool) -> Choice {
    let marked = indices.filter(isMarked)
    let there = marked.isEmpty ? there : marked
    guard there.count > 1 else { return Choice(there.first ?? 0) }
    return Choice(
      there[Draw.index(below: there.count, using: &random)], propensity: 1 / Double(there.count))
  }
}

extension Draw {
  /// Any of so many variants, or of those that are there, each with the same probability; 0 when none is there.
  @inline(__always)
  static func variant(
    of count: Int, _ available: [Bool]?, using random: inout Xoshiro256
  ) -> Int {
    guard let available else { return Draw.index(below: max(1, count), using: &random) }
    var place = Draw.index(below: max(1, available.count { $0 }), using: &random)
    for variant in available.indices where available[variant] {
      if place == 0 { return variant }
      place -= 1
    }
    return 0
  }
}
