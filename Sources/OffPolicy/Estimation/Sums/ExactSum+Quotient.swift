internal import Statistics

extension ExactSum {
  /// Returns the quotient of two exact sums, within one unit in the last place; nil if the divisor is zero.
  ///
  /// If every term of one sum is the same multiple of a term of the other, the quotient is that multiple exactly.
  static func quotient(_ a: ExactSum, _ b: ExactSum) -> Double? {
    let divisor = b.value
    guard divisor != 0 else { return nil }
    let quotient = a.value / divisor
    guard quotient.isFinite, divisor.isFinite else { return quotient }
    var rest = a
    for term in b.expansion { rest.add(product: -quotient, term) }
    return quotient + rest.value / divisor
  }

  /// Returns the quotient of an exact sum and a count, within one unit in the last place; nil if the count is zero.
  static func quotient(_ a: ExactSum, _ count: Int) -> Double? {
    quotient(a, ExactSum([Double(count)]))
  }
}
