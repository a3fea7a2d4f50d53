/// Zeros of continuous functions.
package enum RootFinding {
  /// Returns the place between the ends at which the function changes its sign, by bisection down to adjacent numbers.
  ///
  /// - Parameters:
  ///   - low: One end.
  ///   - high: The other end, where the function has the opposite sign.
  ///   - function: The function.
  /// - Returns: The zero, within a unit in the last place of the function's own accuracy; the end with the smaller
  ///   absolute value if the signs are the same.
  /// - Complexity: about 60 evaluations, at most 200.
  package static func zero(
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

  /// Returns the same place for a function that grows from the low end to the high one, given a number near the zero:
  /// farther from the zero than rounding errors reach, the signs are known without evaluating the function.
  ///
  /// - Complexity: about 20 evaluations.
  static func zero(
    between low: Double, and high: Double, near guess: Double, ofGrowing function: (Double) -> Double
  ) -> Double {
    guard let root = secantZero(low, high, guess, function) else {
      return zero(between: low, and: high, function)
    }
    let (below, above) = (root - abs(root) * margin, root + abs(root) * margin)
    guard low < below, above < high, function(below) < 0, function(above) > 0 else {
      return zero(between: low, and: high, function)
    }
    return zero(between: low, and: high) { place in
      place < below ? -1 : place > above ? 1 : function(place)
    }
  }

  /// How far from a zero, relative to it, the signs of a function are certain.
  private static let margin = 1e-11

  /// Returns a zero by the secant method; nil if it leaves the ends or takes long.
  private static func secantZero(
    _ low: Double, _ high: Double, _ guess: Double, _ function: (Double) -> Double
  ) -> Double? {
    var (old, new) = (guess, guess * 1.001)
    guard low < old, low < new, old < high, new < high else { return nil }
    var (before, now) = (function(old), function(new))
    for _ in 0..<12 {
      if abs(new - old) <= abs(new) * margin / 4 { return new }
      let next = new - now * (new - old) / (now - before)
      guard low < next, next < high else { return nil }
      (old, before) = (new, now)
      (new, now) = (next, function(next))
    }
    return nil
  }
}
