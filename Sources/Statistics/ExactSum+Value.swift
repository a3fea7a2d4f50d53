extension ExactSum {
  /// The exact sum, rounded once to the nearest Double, ties to even.
  ///
  /// Infinite if the sum is beyond the largest Double; see ``ExactSum`` for special values.
  ///
  /// - Complexity: O(1), no allocation.
  public var value: Double {
    if let wide = wide.first { return wide.value }
    return isNegativeWindow ? -roundedMagnitude : roundedMagnitude
  }

  /// The exact sum as an unevaluated sum of two Doubles, to about 106 bits.
  ///
  /// `high` is ``value`` and `low` is the remainder of the exact sum, rounded to nearest, so that `high + low == high`
  /// in floating point. If `high` is not finite, `low` is zero.
  public var rounded2: (high: Double, low: Double) {
    let high = value
    guard high.isFinite else { return (high, 0) }
    return (high, subtracting(high).value)
  }

  /// The exact sum as an expansion: Doubles of decreasing magnitude whose exact sum it is.
  ///
  /// Empty for zero, and for a sum that is not finite. At most 42 terms, usually two or three.
  package var expansion: [Double] {
    var terms: [Double] = []
    var rest = self
    var term = rest.value
    while term != 0, term.isFinite {
      terms.append(term)
      rest.add(-term)
      term = rest.value
    }
    return term.isFinite ? terms : []
  }

  func subtracting(_ x: Double) -> ExactSum {
    var copy = self
    copy.add(-x)
    return copy
  }

  /// The nearest Double to the magnitude of the window, as ``WideSum/value`` computes it for the whole range.
  private var roundedMagnitude: Double {
    let magnitude = magnitude
    var top = 3
    while magnitude[top] == 0 {
      guard top > 0 else { return 0 }
      top -= 1
    }
    let leadingPlace = 64 * (base + top) + 63 - magnitude[top].leadingZeroBitCount
    let drop = max(leadingPlace - 52, 0)
    guard drop < 2046 else { return .infinity }
    // Counted from the lowest bit of the window, below which all bits are zero.
    let place = drop - 64 * base
    guard place > 0 else {
      return Double(bitPattern: UInt64(drop) << 52 + magnitude[0] << UInt64(-place))
    }
    let (index, shift) = (place >> 6, UInt64(place & 63))
    let above = index < 3 ? (magnitude[index + 1] << 1) << (63 - shift) : 0
    var significand = magnitude[index] >> shift | above
    if Self.roundsUp(magnitude, below: place, isOdd: significand & 1 == 1) { significand += 1 }
    return Double(bitPattern: UInt64(drop) << 52 + significand)
  }

  /// Returns whether the bits below a place are more than half of it, or exactly half with an odd result.
  private static func roundsUp(
    _ magnitude: InlineArray<4, UInt64>, below place: Int, isOdd: Bool
  ) -> Bool {
    let (index, shift) = ((place - 1) >> 6, UInt64((place - 1) & 63))
    let half: UInt64 = 1 << shift
    guard magnitude[index] & half != 0 else { return false }
    return isOdd || magnitude[index] & (half - 1) != 0
      || (0..<index).contains { magnitude[$0] != 0 }
  }
}
