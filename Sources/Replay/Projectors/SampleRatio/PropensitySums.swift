public import Specifications
internal import Statistics

/// Sums of the logged propensities of units' first exposures to one variant: the input of the test for sample ratio
/// mismatch. Can be subtracted again.
///
/// Sums are integers in units of 2⁻⁶⁴, so they do not depend on the order.
public struct PropensitySums: StateFields, Equatable {
  /// The number of valid propensities p, 0 < p ≤ 1, that are not below ``least``.
  public private(set) var known = 0
  /// The number of propensities that are not above 0, not at most 1, or below ``least``.
  public private(set) var unusable = 0
  private var sums = Sums()
  /// The last propensity and what it adds: the next one is often the same.
  private var latest: (propensity: Double, terms: Sums) = (.nan, Sums())

  /// Sums of p, p², 1/p and (1 − p)/p².
  private struct Sums: StateFields, Equatable {
    var propensities = FixedPointSum()
    var squares = FixedPointSum()
    var inverses = FixedPointSum()
    var inverseVariances = FixedPointSum()

    init() {}

    /// Creates the terms of a propensity; nil if one of them is too large.
    init?(_ propensity: Double) {
      let square = propensity * propensity
      guard let p = FixedPointSum.steps(of: propensity),
        let squareSteps = FixedPointSum.steps(of: square),
        let inverse = FixedPointSum.steps(of: 1 / propensity),
        let variance = FixedPointSum.steps(of: (1 - propensity) / square)
      else { return nil }
      propensities.add(p)
      squares.add(squareSteps)
      inverses.add(inverse)
      inverseVariances.add(variance)
    }

    @inline(__always)
    mutating func add(_ terms: Sums) {
      propensities.merge(terms.propensities)
      squares.merge(terms.squares)
      inverses.merge(terms.inverses)
      inverseVariances.merge(terms.inverseVariances)
    }

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&propensities, other.propensities)
      visit(&squares, other.squares)
      visit(&inverses, other.inverses)
      visit(&inverseVariances, other.inverseVariances)
    }
  }

  /// The smallest propensity that is used: the square of the inverse of a smaller one would overflow the sums.
  public static let least = 1e-6

  /// Creates an empty value.
  public init() {}

  /// Adds the propensity of a first exposure.
  public mutating func add(_ propensity: Double) {
    if propensity != latest.propensity {
      guard propensity >= Self.least, propensity <= 1, let terms = Sums(propensity) else {
        unusable += 1
        return
      }
      latest = (propensity, terms)
    }
    known += 1
    sums.add(latest.terms)
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&known, other.known)
    visit(&unusable, other.unusable)
    visit(&sums, other.sums)
  }

  /// Returns whether both are of equally many units with the same sums, whichever propensity came last.
  public static func == (a: PropensitySums, b: PropensitySums) -> Bool {
    a.known == b.known && a.unusable == b.unusable && a.sums == b.sums
  }

  // MARK: Sums

  /// Σ p.
  public var sum: Double { sums.propensities.value }

  /// Σ p·(1 − p).
  public var variance: Double { max(0, sums.propensities.value - sums.squares.value) }

  /// Σ 1/p.
  public var inverseSum: Double { sums.inverses.value }

  /// Σ (1 − p)/p², which estimates the variance of Σ 1/p without bias.
  public var inverseVariance: Double { sums.inverseVariances.value }

  /// The mean propensity, equal to the last bit to the propensity itself if all have the same one from 2⁻¹² up; nil
  /// without any.
  public var mean: Double? {
    guard known > 0 else { return nil }
    let (quotient, rest) = sums.propensities.steps.quotientAndRemainder(dividingBy: Int128(known))
    return rest == 0
      ? FixedPointSum(steps: quotient).value : sums.propensities.value / Double(known)
  }

  /// Whether all propensities are equal within ``PropensityTally/tolerance``; also true without any.
  public var isConstant: Bool {
    guard let mean else { return true }
    let variance = sums.squares.value / Double(known) - mean * mean
    return variance <= PropensityTally.tolerance * PropensityTally.tolerance
  }
}
