internal import Statistics

/// Weights stored as exponents, of any magnitude and any distance from each other.
///
/// Keeps the exponents, and their exponentials relative to a reference that moves before these overflow or all of them
/// vanish.
struct ExponentialWeights: Sendable {
  /// The exponents.
  private(set) var logs: [Double]
  /// The weights, up to a common factor.
  private(set) var values: [Double]
  /// The sum of ``values``.
  private(set) var total: Double
  private var reference = 0.0

  init(_ count: Int) {
    logs = [Double](repeating: 0, count: count)
    values = [Double](repeating: 1, count: count)
    total = Double(count)
  }

  /// Adds to an exponent; non-finite results are ignored.
  @inline(__always)
  mutating func add(_ amount: Double, to index: Int) {
    let log = logs[index] + amount
    guard log.isFinite else { return }
    logs[index] = log
    values[index] = Double.exp(log - reference)
    // Recomputed, as updating by differences would lose small weights beside large ones.
    total = values.added
    if !(total > 1e-100 && total < 1e100) { rescale() }
  }

  /// Adds to all exponents; non-finite results are ignored.
  @inline(__always)
  mutating func add(_ amount: (Int) -> Double) {
    total = 0
    for index in logs.indices {
      let log = logs[index] + amount(index)
      if log.isFinite {
        logs[index] = log
        values[index] = Double.exp(log - reference)
      }
      total += values[index]
    }
    if !(total > 1e-100 && total < 1e100) { rescale() }
  }

  /// Replaces all exponents by finite ones.
  @inline(__always)
  mutating func replace(_ log: (Int) -> Double) {
    for index in logs.indices { logs[index] = log(index) }
    rescale()
  }

  /// Returns the share of a weight in the total.
  @inline(__always)
  func share(_ index: Int) -> Double { values[index] / total }

  /// Rescales so that the largest weight is 1.
  private mutating func rescale() {
    reference = logs.reduce(-Double.infinity) { max($0, $1) }
    for index in logs.indices { values[index] = Double.exp(logs[index] - reference) }
    total = values.added
  }
}

extension [Double] {
  /// The sum, from first to last.
  @inline(__always)
  var added: Double {
    var sum = 0.0
    for value in self { sum += value }
    return sum
  }

  /// Returns the index into whose cumulative interval a number from 0 to the sum falls; never an index with a zero
  /// value.
  @inline(__always)
  func place(of target: Double) -> Int {
    var rest = target
    var last = 0
    for index in indices where self[index] > 0 {
      if rest < self[index] { return index }
      rest -= self[index]
      last = index
    }
    // Rounding may leave a rest after the last part.
    return last
  }
}

extension Double {
  /// The number clamped to 0 ... 1.
  @inline(__always)
  var inUnitRange: Double { self > 0 ? (self < 1 ? self : 1) : 0 }
}

extension Choice {
  /// Returns a number divided by the propensity of the choice; 0 if that is unknown.
  @inline(__always)
  func weighted(_ number: Double) -> Double { propensity > 0 ? number / propensity : 0 }
}
