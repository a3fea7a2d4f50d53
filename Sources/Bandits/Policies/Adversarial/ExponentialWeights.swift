internal import Statistics

/// Weights that are exponentials of numbers, however large the numbers grow and however far they lie apart.
///
/// Kept are the numbers, and the exponentials of what they are above a reference that moves before these overflow, or
/// all of them vanish.
struct ExponentialWeights: Sendable {
  /// The exponents.
  private(set) var logs: [Double]
  /// The weights, all by the same factor.
  private(set) var values: [Double]
  /// The sum of ``values``.
  private(set) var total: Double
  private var reference = 0.0

  /// Equal weights.
  init(_ count: Int) {
    logs = [Double](repeating: 0, count: count)
    values = [Double](repeating: 1, count: count)
    total = Double(count)
  }

  /// Adds to an exponent; what is no finite number is left out.
  @inline(__always)
  mutating func add(_ amount: Double, to index: Int) {
    let log = logs[index] + amount
    guard log.isFinite else { return }
    logs[index] = log
    values[index] = Double.exp(log - reference)
    // Added up anew: differences would lose the digits of small weights beside large ones.
    total = values.added
    if !(total > 1e-100 && total < 1e100) { rescale() }
  }

  /// Adds to all exponents; what is no finite number is left out.
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

  /// Gives all weights new exponents, which must be finite.
  @inline(__always)
  mutating func replace(_ log: (Int) -> Double) {
    for index in logs.indices { logs[index] = log(index) }
    rescale()
  }

  /// The part of a weight.
  @inline(__always)
  func share(_ index: Int) -> Double { values[index] / total }

  /// An index by its weight.
  @inline(__always)
  func draw(_ random: inout Xoshiro256) -> Int {
    values.place(of: Draw.unit(using: &random) * total)
  }

  /// Makes the largest weight 1.
  private mutating func rescale() {
    reference = logs.reduce(-Double.infinity) { max($0, $1) }
    for index in logs.indices { values[index] = Double.exp(logs[index] - reference) }
    total = values.added
  }
}

extension [Double] {
  /// The sum, from the first to the last.
  @inline(__always)
  var added: Double {
    var sum = 0.0
    for value in self { sum += value }
    return sum
  }

  /// The index whose part of the sum a number from 0 to the sum falls into; never one without a part.
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
  /// The nearest number in 0 ... 1.
  @inline(__always)
  var inUnitRange: Double { self > 0 ? (self < 1 ? self : 1) : 0 }
}

extension Choice {
  /// A number by the probability of the choice; 0 where that is not known.
  @inline(__always)
  func weighted(_ number: Double) -> Double { propensity > 0 ? number / propensity : 0 }
}

/// A state that can say how probable any variant is, and not only the one it chose.
///
/// Policies that are made of others need it for the exact propensities of their own choices.
protocol SharingState: PolicyState {
  /// The probability with which the next decision chooses a variant; decisions alone do not change it.
  func probability(of variant: Int) -> Double
}
