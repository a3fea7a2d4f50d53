internal import Statistics

/// Sums of the logged propensities of units' first exposures to one variant: the input of the test for sample ratio
/// mismatch. Can be subtracted again.
///
/// Sums are integers in units of 2⁻⁶⁴, so they do not depend on the order.
public struct PropensitySums: Sendable, Equatable {
  /// The number of valid propensities p, 0 < p ≤ 1, that are not below ``least``.
  public private(set) var known = 0
  /// The number of propensities that are not above 0, not at most 1, or below ``least``.
  public private(set) var unusable = 0
  private var propensities = FixedPointSum()
  private var squares = FixedPointSum()
  private var inverses = FixedPointSum()
  private var inverseVariances = FixedPointSum()

  /// The smallest propensity that is used: the square of the inverse of a smaller one would overflow the sums.
  public static let least = 1e-6

  /// Creates an empty value.
  public init() {}

  /// Adds the propensity of a first exposure.
  public mutating func add(_ propensity: Double) {
    guard propensity >= Self.least, propensity <= 1,
      let p = FixedPointSum.steps(of: propensity),
      let square = FixedPointSum.steps(of: propensity * propensity),
      let inverse = FixedPointSum.steps(of: 1 / propensity),
      let variance = FixedPointSum.steps(of: (1 - propensity) / (propensity * propensity))
    else {
      unusable += 1
      return
    }
    known += 1
    propensities.add(p)
    squares.add(square)
    inverses.add(inverse)
    inverseVariances.add(variance)
  }

  /// Adds other units.
  public mutating func merge(_ other: PropensitySums) {
    known += other.known
    unusable += other.unusable
    for sum in Self.sums { self[keyPath: sum].merge(other[keyPath: sum]) }
  }

  /// Subtracts units that were added before.
  public mutating func subtract(_ other: PropensitySums) {
    known -= other.known
    unusable -= other.unusable
    for sum in Self.sums { self[keyPath: sum].add(0 &- other[keyPath: sum].steps) }
  }

  private static let sums: [any WritableKeyPath<PropensitySums, FixedPointSum> & Sendable] = [
    \.propensities, \.squares, \.inverses, \.inverseVariances,
  ]

  // MARK: Sums

  /// Σ p.
  public var sum: Double { propensities.value }

  /// Σ p·(1 − p).
  public var variance: Double { max(0, propensities.value - squares.value) }

  /// Σ 1/p.
  public var inverseSum: Double { inverses.value }

  /// Σ (1 − p)/p², which estimates the variance of Σ 1/p without bias.
  public var inverseVariance: Double { inverseVariances.value }

  /// The mean propensity, equal to the last bit to the propensity itself if all have the same one from 2⁻¹² up; nil
  /// without any.
  public var mean: Double? {
    guard known > 0 else { return nil }
    let (quotient, rest) = propensities.steps.quotientAndRemainder(dividingBy: Int128(known))
    return rest == 0 ? FixedPointSum(steps: quotient).value : propensities.value / Double(known)
  }

  /// Whether all propensities are equal within ``PropensityTally/tolerance``; also true without any.
  public var isConstant: Bool {
    guard let mean else { return true }
    let variance = squares.value / Double(known) - mean * mean
    return variance <= PropensityTally.tolerance * PropensityTally.tolerance
  }

  // MARK: State

  func write(to writer: inout StateWriter) {
    writer.write(tally: known)
    writer.write(tally: unusable)
    for sum in Self.sums { self[keyPath: sum].write(to: &writer) }
  }

  init(from reader: inout StateReader) throws(StateError) {
    known = try reader.readTally()
    unusable = try reader.readTally()
    for sum in Self.sums { self[keyPath: sum] = try FixedPointSum(from: &reader) }
  }
}
