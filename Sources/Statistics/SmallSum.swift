/// The exact sum of a few numbers, rounded once.
///
/// As long as every partial sum is a Double, as it is for most counts, rewards and weights, an addition costs a few
/// operations and no memory; an ``ExactSum`` is created only where digits would be lost.
package struct SmallSum: Sendable {
  /// How many numbers have been added.
  package private(set) var count = 0
  private var sum = 0.0
  /// The difference of the exact sum and `sum`, less than half of its last place: D. E. Knuth, "The Art of Computer
  /// Programming" vol. 2, section 4.2.2, theorem B.
  private var rest = 0.0
  /// The sum of all, once `sum` and `rest` cannot hold it; otherwise empty.
  private var exact: [ExactSum] = []

  /// Creates an empty sum, which is zero.
  package init() {}

  /// Adds a number.
  @inline(__always)
  package mutating func add(_ number: Double) {
    count += 1
    let total = sum + number
    let added = total - sum
    let lost = (sum - (total - added)) + (number - added)
    // Infinities and NaN lose NaN.
    guard rest == 0, lost.isFinite, exact.isEmpty else { return addExactly(number) }
    (sum, rest) = (total, lost)
  }

  private mutating func addExactly(_ number: Double) {
    if exact.isEmpty {
      exact = [ExactSum([sum, rest, number])]
    } else {
      exact[0].add(number)
    }
  }

  /// The sum, rounded once; +0 for a sum of zero.
  package var value: Double { exact.first?.value ?? sum }
}
