internal import Statistics

/// What the logged propensities of units' first exposures to one variant add up to. It is all that the test of sample ratio
/// mismatch needs of them, and can be taken out again.
///
/// Sums are in steps of 2⁻⁶⁴, so they depend on no order.
public struct PropensitySums: Sendable, Equatable {
  /// Propensities p that can be one, 0 < p ≤ 1, and are not below ``least``.
  public private(set) var known = 0
  /// Propensities that are not above 0, not at most 1, or below ``least``.
  public private(set) var unusable = 0
  private var propensities = FixedPointSum()
  private var squares = FixedPointSum()
  private var inverses = FixedPointSum()
  private var inverseVariances = FixedPointSum()

  /// Propensities below it are not used: the square of their inverse has no place in the sums.
  public static let least = 1e-6

  /// No propensities.
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

  /// Takes units out again, which were all added here.
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

  /// Their mean, to the bit the propensity itself where all have the same from 2⁻¹² up; nil without any.
  public var mean: Double? {
    guard known > 0 else { return nil }
    let (quotient, rest) = propensities.steps.quotientAndRemainder(dividingBy: Int128(known))
    return rest == 0 ? FixedPointSum(steps: quotient).value : propensities.value / Double(known)
  }

  /// Whether all are the same, as nearly as ``PropensityTally/tolerance`` says; also without any.
  public var isConstant: Bool {
    guard let mean else { return true }
    let variance = squares.value / Double(known) - mean * mean
    return variance <= PropensityTally.tolerance * PropensityTally.tolerance
  }

  // MARK: State

  func write(to writer: inout StateWriter) {
    writer.write(tally: known)
    writer.write(tally: unusable)
    for sum in Self.sums {
      let steps = UInt128(bitPattern: self[keyPath: sum].steps)
      writer.write(UInt64(truncatingIfNeeded: steps))
      writer.write(UInt64(truncatingIfNeeded: steps >> 64))
    }
  }

  init(from reader: inout StateReader) throws(StateError) {
    known = try reader.readTally()
    unusable = try reader.readTally()
    for sum in Self.sums {
      let (low, high) = (try reader.read(), try reader.read())
      self[keyPath: sum] = FixedPointSum(
        steps: Int128(bitPattern: UInt128(high) << 64 | UInt128(low)))
    }
  }
}
