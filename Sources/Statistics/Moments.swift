public import Specifications

/// The count, sum and sum of squares of values, from which mean and variance follow.
///
/// Both sums are exact (``ExactSum``), so the results depend only on the multiset of values, not on their order, nor on
/// how parts were merged; and the variance of values that are close together and far from zero suffers no cancellation:
/// 1e9 + {4, 7, 13, 16} has variance 30.
///
/// Squares limit the range. Values beyond 1.3e154 in magnitude make the variance infinite, and squares are kept in
/// multiples of 2⁻¹⁰⁷⁴, so a standard deviation below about 1e-150 is imprecise and one below about 1e-162 is reported
/// as zero. A NaN among the values makes every result NaN; an infinity makes the mean infinite or NaN and the variance
/// NaN.
///
/// - Complexity: about 100 bytes per instance; see ``ExactSum`` for values of very different magnitudes.
public struct Moments: Sendable, Equatable {
  /// The number of values.
  public private(set) var count = 0

  /// The exact sum of the values.
  public private(set) var total = ExactSum()

  /// The exact sum of the squares of the values.
  public private(set) var totalOfSquares = ExactSum()

  /// Creates the moments of no values.
  public init() {}

  /// Creates the moments of some values.
  public init(_ values: some Sequence<Double>) {
    for value in values { add(value) }
  }

  /// Adds one value.
  ///
  /// - Complexity: O(1) amortized, without allocation.
  public mutating func add(_ x: Double) {
    count += 1
    // A zero changes neither sum, and most rewards are zero.
    if x == 0 { return }
    total.add(x)
    totalOfSquares.add(product: x, x)
  }

  /// Adds the same value `count` times, with the same result as single additions.
  ///
  /// - Complexity: O(1) amortized, without allocation.
  /// - Precondition: `count` is not negative.
  public mutating func add(_ x: Double, times count: Int) {
    total.add(x, times: count)
    totalOfSquares.add(product: x, x, times: count)
    self.count += count
  }

  /// Adds zeros, which change neither sum.
  mutating func addZeros(_ count: Int) { self.count += count }

  /// Replaces a value that was added before, here or in another instance with which this one will be merged; the count
  /// is unchanged. Results of a part that has only the new value are meaningless. A value that is not finite, or whose
  /// square is not, cannot be replaced.
  ///
  /// - Complexity: O(1) amortized, without allocation.
  public mutating func replace(_ old: Double, with new: Double) {
    total.add(-old)
    total.add(new)
    totalOfSquares.add(product: -old, old)
    totalOfSquares.add(product: new, new)
  }

  /// Adds all the values of another instance.
  ///
  /// - Complexity: O(1).
  public mutating func merge(_ other: Moments) {
    count += other.count
    total.merge(other.total)
    totalOfSquares.merge(other.totalOfSquares)
  }

  /// Removes all the values of another instance, all of which must have been added here.
  ///
  /// - Complexity: O(1).
  public mutating func subtract(_ other: Moments) {
    count -= other.count
    total.subtract(other.total)
    totalOfSquares.subtract(other.totalOfSquares)
  }
}

extension Moments {
  /// The sum of the values, rounded once; zero if there are none.
  public var sum: Double { total.value }

  /// The mean of the values, within one unit in the last place; nil if there are none.
  ///
  /// Infinite if the sum is beyond the largest Double.
  public var mean: Double? {
    guard count > 0 else { return nil }
    let (high, low) = total.rounded2
    let n = Double(count)
    let quotient = high / n
    guard quotient.isFinite else { return quotient }
    // Divides the remainder of the first division: double-double by Double.
    return quotient + (high.addingProduct(-quotient, n) + low) / n
  }

  /// The sample variance, with divisor `count − 1`; nil if there are fewer than two values.
  ///
  /// Never negative, zero if all values are equal, and within a few units in the last place otherwise. NaN if a value
  /// is not finite, infinite if a square overflows.
  ///
  /// With `c` the rounded mean, the sum of (x − c)² is Σx² − 2c·Σx + n·c², which is computed exactly before it is
  /// rounded, so nothing cancels. The mean then differs from `c` by less than a unit in the last place, which is
  /// corrected to first order of rounding: Σ(x − mean)² = Σ(x − c)² − (Σx − n·c)²/n, in which the subtraction at most
  /// halves the value.
  ///
  /// - Complexity: O(1), about a microsecond.
  public var variance: Double? {
    guard count > 1, let center = mean else { return nil }
    guard total.value.isFinite, totalOfSquares.specials.isEmpty else {
      return total.specials.isEmpty ? .infinity : .nan
    }
    let squares = squaresAround(center)
    guard squares.isFinite else { return .infinity }
    var shift = total
    shift.add(-center, times: count)
    let offset = shift.value
    let n = Double(count)
    return max(0, squares - offset * (offset / n)) / (n - 1)
  }

  /// The square root of the sample ``variance``; nil if there are fewer than two values.
  public var standardDeviation: Double? { variance?.squareRoot() }

  /// The standard error of the mean, √(variance / count); nil if there are fewer than two values.
  public var standardError: Double? { variance.map { ($0 / Double(count)).squareRoot() } }

  /// Returns the sum of (x − c)², exact until it is rounded at the end.
  private func squaresAround(_ c: Double) -> Double {
    var squares = totalOfSquares
    for term in total.expansion { squares.add(product: -c, term, times: 2) }
    squares.add(product: c, c, times: count)
    return squares.value
  }
}

/// Not listed as fields: moments are merged so often, and from so many modules, that each operation is a plain
/// function.
extension Moments: EmptyState {
  public func write(to writer: inout StateWriter) {
    writer.write(tally: count)
    total.write(to: &writer)
    totalOfSquares.write(to: &writer)
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    count = try reader.readTally()
    total = try ExactSum(from: &reader)
    totalOfSquares = try ExactSum(from: &reader)
  }
}
