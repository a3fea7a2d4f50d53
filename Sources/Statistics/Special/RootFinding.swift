/// Zeros of continuous functions.
enum RootFinding {
  /// Returns the place between the ends at which the function changes its sign, by bisection down to adjacent numbers.
  ///
  /// - Parameters:
  ///   - low: One end.
  ///   - high: The other end, where the function has the opposite sign.
  ///   - function: The function.
  /// - Returns: The zero, within a unit in the last place of the function's own accuracy; the end with the smaller
  ///   absolute value if the signs are the same.
  /// - Complexity: about 60 evaluations, at most 200.
  static func zero(
    between low: Double, and high: Double, _ function: (Double) -> Double
  ) -> Double {
    var (a, b) = (low, high)
    let (fa, fb) = (function(a), function(b))
    if fa == 0 || fb == 0 || (fa < 0) == (fb < 0) { return abs(fa) <= abs(fb) ? a : b }
    for _ in 0..<200 {
      let middle = a + (b - a) / 2
      if middle == a || middle == b { break }
      let value = function(middle)
      if value == 0 { return middle }
      if (value < 0) == (fa < 0) { a = middle } else { b = middle }
    }
    return a + (b - a) / 2
  }
}
