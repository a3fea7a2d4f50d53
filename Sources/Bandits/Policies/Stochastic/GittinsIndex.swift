/// The Gittins index of a Bernoulli variant with a Beta(a, b) posterior: the certain reward per step that is worth as
/// much as the variant, when rewards are discounted and either can be had for as long as one likes.
///
/// J. C. Gittins, "Bandit processes and dynamic allocation indices" (JRSS B 41, 1979). The index λ is the root of the
/// value of continuing at least once and then stopping optimally, when every step costs λ: C(λ) = p − λ + γ·(p·W(a + 1,
/// b) + (1 − p)·W(a, b + 1)), W = max(0, C), p = a/(a + b), by backward induction. C is convex and decreasing, with the
/// expected discounted number of steps until stopping as its slope, so Newton's method from the left, which is policy
/// iteration, rises to the root without passing it.
package struct GittinsIndex {
  /// γ.
  let discount: Double
  /// The depth of the induction, at which γ^depth is negligible; nothing is learned after so many steps.
  let depth: Int
  private var values: [Double]
  private var durations: [Double]

  /// Prepares the computation.
  ///
  /// - Parameter discount: γ, from 0 to less than 1.
  package init(discount: Double) {
    self.discount = discount
    var (depth, factor) = (1, discount)
    // The truncation error is this fraction of what may still be learned after so many steps, itself a few hundredths.
    while factor > 1e-6 { (depth, factor) = (depth + 1, factor * discount) }
    self.depth = depth
    values = [Double](repeating: 0, count: depth + 1)
    durations = values
  }

  /// Returns the index of Beta(a, b), to about six digits.
  ///
  /// - Parameters:
  ///   - a: positive.
  ///   - b: positive.
  /// - Returns: A number from a/(a + b) up to 1.
  /// - Complexity: O(depth²), about five times.
  package mutating func index(_ a: Double, _ b: Double) -> Double {
    var index = a / (a + b)
    for _ in 0..<50 {
      let (value, duration) = worth(a, b, index)
      let step = value / duration
      guard step > 1e-9 else { break }
      index += step
    }
    return index
  }

  /// Returns C(λ) and the expected discounted number of steps until stopping.
  private mutating func worth(
    _ a: Double, _ b: Double, _ charge: Double
  ) -> (value: Double, duration: Double) {
    let total = 1 / (1 - discount)
    // At the end the variant is worth its mean forever.
    var bottom = depth + 1
    for successes in 0...depth {
      let gain = (a + Double(successes)) / (a + b + Double(depth)) - charge
      values[successes] = gain > 0 ? gain * total : 0
      durations[successes] = gain > 0 ? total : 0
      if gain > 0, bottom > depth { bottom = successes }
    }
    for steps in stride(from: depth - 1, to: 0, by: -1) {
      bottom = back(steps, a, 1 / (a + b + Double(steps)), charge, bottom)
    }
    let p = a / (a + b)
    return (
      p - charge + discount * (p * values[1] + (1 - p) * values[0]),
      1 + discount * (p * durations[1] + (1 - p) * durations[0])
    )
  }

  /// Makes one step of backward induction. Below `bottom` successes stopping is optimal, and one step earlier below one
  /// success fewer.
  ///
  /// - Returns: The fewest successes with which continuing is optimal.
  private mutating func back(
    _ steps: Int, _ a: Double, _ inverse: Double, _ charge: Double, _ bottom: Int
  ) -> Int {
    var lowest = steps + 1
    for successes in stride(from: min(max(bottom - 1, 0), steps + 1), through: steps, by: 1) {
      let p = (a + Double(successes)) * inverse
      let value =
        p - charge + discount * (p * values[successes + 1] + (1 - p) * values[successes])
      if value > 0 {
        durations[successes] =
          1 + discount * (p * durations[successes + 1] + (1 - p) * durations[successes])
        values[successes] = value
        if lowest > steps { lowest = successes }
      } else {
        (values[successes], durations[successes]) = (0, 0)
      }
    }
    return lowest
  }
}
