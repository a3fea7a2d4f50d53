internal import Statistics

/// The variants that are available, and those that were tried: untried ones come first, in random order.
struct VariantAvailability: Sendable {
  /// The number of variants, including unavailable ones.
  let count: Int
  /// The available variants; nil for all.
  private(set) var available: [Bool]?
  /// Whether each variant was chosen or learned at least once, or is unavailable.
  private var isEachSettled: [Bool]
  private var unsettled: Int

  init(_ variants: Int) {
    count = variants
    isEachSettled = [Bool](repeating: false, count: variants)
    unsettled = variants
  }

  var indices: Range<Int> { 0..<count }

  /// Whether no available variant is untried.
  @inline(__always)
  var isSettled: Bool { unsettled == 0 }

  /// Whether the variant is available.
  @inline(__always)
  func has(_ variant: Int) -> Bool { available?[variant] ?? true }

  /// The available variants.
  var there: [Int] { indices.filter(has) }

  /// The number of available variants.
  var thereCount: Int { available.map { $0.count { $0 } } ?? count }

  // MARK: Initial round

  /// Chooses uniformly among the variants never chosen; returns nil if there are none.
  @inline(__always)
  mutating func unchosen(_ random: inout Xoshiro256) -> Choice? {
    guard unsettled > 0 else { return nil }
    // Passed as a copy, so that the generator's words can stay in registers when this is inlined.
    var copy = random
    defer { random = copy }
    return takeUnchosen(&copy)
  }

  @inline(never)
  private mutating func takeUnchosen(_ random: inout Xoshiro256) -> Choice {
    let place = unsettled == 1 ? 0 : Draw.index(below: unsettled, using: &random)
    let variant = indices.element(place) { !isEachSettled[$0] }
    let propensity = 1 / Double(unsettled)
    settleSlowly(variant)
    return Choice(variant, propensity: propensity)
  }

  /// Records that a variant was chosen in another way, or that a reward of it was learned, which counts as a choice.
  @inline(__always)
  mutating func settle(_ variant: Int) {
    if unsettled > 0 { settleSlowly(variant) }
  }

  @inline(never)
  private mutating func settleSlowly(_ variant: Int) {
    guard !isEachSettled[variant] else { return }
    isEachSettled[variant] = true
    unsettled -= 1
  }

  /// Returns the probability with which ``unchosen(_:)`` would choose a variant; nil if it would choose none.
  func unchosenShare(of variant: Int) -> Double? {
    guard unsettled > 0 else { return nil }
    return isEachSettled[variant] ? 0 : 1 / Double(unsettled)
  }

  /// Sets the available variants.
  ///
  /// - Parameters:
  ///   - offered: Which variants are available from now on.
  ///   - isKnown: Whether a reward of a variant was learned; any other available variant must be tried, even if it was
  ///     chosen.
  mutating func offer(_ offered: [Bool], isKnown: (Int) -> Bool) {
    available = offered.allSatisfy { $0 } ? nil : offered
    for variant in indices { isEachSettled[variant] = !offered[variant] || isKnown(variant) }
    unsettled = isEachSettled.count { !$0 }
  }

  // MARK: Choices

  /// Chooses uniformly among the available variants.
  @inline(__always)
  func any(_ random: inout Xoshiro256) -> Int {
    Draw.variant(of: count, available, using: &random)
  }

  /// Chooses the available variant with the largest index, breaking ties at random.
  ///
  /// - Parameters:
  ///   - random: The source of randomness for ties.
  ///   - index: Returns the index of a variant, the same one throughout this call. NaN never wins.
  /// - Returns: The variant with its propensity.
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
    // If no index exceeds −∞, a second pass determines which variants count.
    if ties == 1, best > -.infinity { return Choice(winner) }
    return pick(&random) { has($0) && index($0) == best }
  }

  /// Chooses uniformly among the marked variants, or among the available ones if none is marked.
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
  /// Returns one of a number of variants, or of the available ones, uniformly; 0 if none is available.
  @inline(__always)
  static func variant(
    of count: Int, _ available: [Bool]?, using random: inout Xoshiro256
  ) -> Int {
    guard let available else { return Draw.index(below: max(1, count), using: &random) }
    let place = Draw.index(below: max(1, available.count { $0 }), using: &random)
    return available.indices.element(place) { available[$0] }
  }
}

extension Range<Int> {
  /// Returns the element with the largest value, the first one if tied; the first of all if no value is above −∞.
  ///
  /// - Parameters:
  ///   - available: The available elements; nil (the default) for all. Others are left out.
  ///   - value: Returns the value of an element; called once for each, in order.
  /// - Returns: The element.
  @inline(__always)
  func largest(_ available: [Bool]? = nil, _ value: (Int) -> Double) -> Int {
    var best = -Double.infinity
    var winner = lowerBound
    for element in self where available?[element] ?? true {
      let value = value(element)
      if value > best { (best, winner) = (value, element) }
    }
    return winner
  }

  /// Returns the marked element at a place among those that are marked; the first of all if there are too few.
  @inline(__always)
  func element(_ place: Int, where isMarked: (Int) -> Bool) -> Int {
    var rest = place
    for element in self where isMarked(element) {
      if rest == 0 { return element }
      rest -= 1
    }
    return lowerBound
  }
}
