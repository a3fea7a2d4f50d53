extension WideSum {
  /// The exact sum, rounded once to the nearest Double, ties to even.
  ///
  /// Infinite if the sum is beyond the largest Double; see ``ExactSum`` for special values.
  ///
  /// - Complexity: O(1): up to three walks over the 69 chunks, no allocation.
  var value: Double {
    if let total = specials.total { return total }
    let sum = normalized()
    return sum.chunks[68] < 0 ? -sum.negated().roundedMagnitude : sum.roundedMagnitude
  }

  /// Returns the normalized accumulator of the negated sum.
  func negated() -> WideSum {
    var copy = self
    for index in copy.chunks.indices { copy.chunks[index] = 0 &- copy.chunks[index] }
    copy.propagateCarries()
    return copy
  }

  /// The nearest Double to a normalized nonnegative sum.
  ///
  /// The places count from the lowest bit of chunk 0. When the lowest place that the result keeps is `drop`, the
  /// result's bit pattern is `drop·2⁵² + significand`: for a normal number the implicit bit adds the missing one to the
  /// exponent field, and for `drop == 0` the pattern is the subnormal itself. A significand that rounds up to 2⁵³
  /// carries into the exponent correctly.
  private var roundedMagnitude: Double {
    guard let top = chunks.indices.reversed().first(where: { chunks[$0] != 0 }) else { return 0 }
    guard top < 66 else { return .infinity }
    let leadingPlace = 32 * top + 63 - chunks[top].leadingZeroBitCount
    let drop = max(leadingPlace - 52, 0)
    guard drop < 2046 else { return .infinity }
    var significand = bits(from: drop)
    if drop > 0, roundsUp(below: drop, isOdd: significand & 1 == 1) { significand += 1 }
    return Double(bitPattern: UInt64(drop) << 52 + significand)
  }

  /// Returns the 64 bits from a place upwards.
  private func bits(from place: Int) -> UInt64 {
    let (index, shift) = (place >> 5, place & 31)
    let low = UInt64(bitPattern: chunks[index]) >> shift
    let middle = UInt64(bitPattern: chunks[index + 1]) << (32 - shift)
    let high = UInt64(bitPattern: chunks[index + 2]) << (64 - shift)
    return low | middle | high
  }

  /// Returns whether the bits below a place are more than half of it, or exactly half with an odd result.
  private func roundsUp(below place: Int, isOdd: Bool) -> Bool {
    let (index, shift) = ((place - 1) >> 5, (place - 1) & 31)
    let half: Int64 = 1 << Int64(shift)
    guard chunks[index] & half != 0 else { return false }
    return isOdd || chunks[index] & (half - 1) != 0 || (0..<index).contains { chunks[$0] != 0 }
  }
}
