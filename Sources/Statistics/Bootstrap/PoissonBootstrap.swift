/// The bootstrap in one pass over the data: each unit enters each replicate as often as a Poisson number with mean 1 says.
///
/// B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), with the Poisson weights of N. Chamandy, O.
/// Muralidharan, A. Najmi and S. Naidu, "Estimating uncertainty for massive data streams" (Google, 2012). Weights depend on
/// seed, unit and replicate only (``PoissonWeights``) and sums are integers in steps of 2⁻⁶⁴, so that results have the same bytes
/// in any order, split or merge. Everything added under one unit shares its weights: units are what is resampled, also where
/// each has many values.
///
/// The estimate is Σ numerators over Σ denominators: a mean where every denominator is 1, or a ratio metric.
///
/// Values must be below 2⁶² in magnitude; those that are not, and not finite ones, are left out and counted
/// (``refused``). Should the values be so great and so many that a sum might leave its range, there are no results.
///
/// - Complexity: memory 40 bytes for each replicate; an addition is O(replicates).
public struct PoissonBootstrap: Sendable, Equatable {
  /// The weights of units.
  public let weights: PoissonWeights
  /// How many values were added.
  public private(set) var count = 0
  /// How many values were left out because they are not finite, or too great.
  public private(set) var refused = 0

  private var numerators: [FixedPointSum]
  private var denominators: [FixedPointSum]
  private var counts: [Int]
  private var wholeNumerator = FixedPointSum()
  private var wholeDenominator = FixedPointSum()
  /// The greatest magnitude of a numerator or denominator.
  private var greatest = 0.0

  /// Starts without units.
  ///
  /// - Parameters:
  ///   - replicates: How many times the data is resampled; 1000 for an interval, at least 1.
  ///   - seed: What the weights are drawn from. Groups that are compared need the same one.
  public init(replicates: Int = 1000, seed: UInt64) {
    let replicates = max(1, replicates)
    weights = PoissonWeights(seed: seed)
    numerators = [FixedPointSum](repeating: FixedPointSum(), count: replicates)
    denominators = numerators
    counts = [Int](repeating: 0, count: replicates)
  }

  /// How many times the data is resampled.
  public var replicates: Int { counts.count }

  /// Adds a value of a unit.
  ///
  /// - Complexity: O(replicates), without allocation.
  public mutating func add(_ value: Double, unit: UInt64) {
    add(value, over: 1, unit: unit)
  }

  /// Adds a numerator and a denominator of a unit.
  ///
  /// - Parameters:
  ///   - numerator: The numerator, such as revenue.
  ///   - denominator: The denominator, such as sessions.
  ///   - unit: A hash of the unit, the same for all that is its.
  /// - Complexity: O(replicates), without allocation.
  public mutating func add(_ numerator: Double, over denominator: Double, unit: UInt64) {
    guard let above = FixedPointSum.steps(of: numerator),
      let below = FixedPointSum.steps(of: denominator)
    else {
      refused += 1
      return
    }
    count += 1
    greatest = max(greatest, abs(numerator), abs(denominator))
    wholeNumerator.add(above, times: 1)
    wholeDenominator.add(below, times: 1)
    let weights = weights
    weights.forEach(below: replicates, of: unit) { replicate, weight in
      numerators[replicate].add(above, times: weight)
      denominators[replicate].add(below, times: weight)
      counts[replicate] &+= weight
    }
  }

  /// Adds all the units of another instance.
  ///
  /// - Precondition: Seed and number of replicates are the same.
  public mutating func merge(_ other: PoissonBootstrap) {
    precondition(
      weights == other.weights && replicates == other.replicates,
      "bootstraps of different seeds or sizes do not merge")
    count += other.count
    refused += other.refused
    greatest = max(greatest, other.greatest)
    wholeNumerator.merge(other.wholeNumerator)
    wholeDenominator.merge(other.wholeDenominator)
    for replicate in counts.indices {
      numerators[replicate].merge(other.numerators[replicate])
      denominators[replicate].merge(other.denominators[replicate])
      counts[replicate] &+= other.counts[replicate]
    }
  }

  /// How many values a replicate has; nil for one that is not there.
  public func count(in replicate: Int) -> Int? {
    counts.indices.contains(replicate) ? counts[replicate] : nil
  }

  /// The sums of a replicate, from which a statistic of several groups is computed; nil for a replicate that is not there, where
  /// a value was refused, and where a sum might have left its range.
  public func sums(in replicate: Int) -> (numerator: Double, denominator: Double)? {
    guard counts.indices.contains(replicate), refused == 0, isInRange else { return nil }
    return (numerators[replicate].value, denominators[replicate].value)
  }

  /// Whether every sum is certain to be in its range: no weight is above 12.
  private var isInRange: Bool { Double(count) * greatest < 0x1p62 / 12 }

  /// The estimate of the data; nil without values or where the denominators add up to zero.
  public var estimate: Double? {
    guard isInRange, wholeDenominator.steps != 0 else { return nil }
    return wholeNumerator.value / wholeDenominator.value
  }

  /// The estimates of all replicates, in order; nil for one whose denominators add up to zero.
  var estimates: [Double?] {
    counts.indices.map { replicate in
      guard isInRange, denominators[replicate].steps != 0 else { return nil }
      return numerators[replicate].value / denominators[replicate].value
    }
  }

  /// The estimate and how it is spread; nil where there is no estimate.
  public var distribution: BootstrapDistribution? {
    BootstrapDistribution(estimate: estimate, replicates: estimates)
  }

  /// The difference of this group's estimate from a control's; nil where there is none.
  ///
  /// A unit in both groups has the same weights in both, as pairs ask for.
  ///
  /// - Precondition: Seed and number of replicates are the same.
  public func difference(from control: PoissonBootstrap) -> BootstrapDistribution? {
    compared(with: control) { $0 - $1 }
  }

  /// The relative lift of this group's estimate over a control's; nil where there is none. A replicate in which the control's
  /// estimate is zero is left out.
  ///
  /// - Precondition: Seed and number of replicates are the same.
  public func lift(over control: PoissonBootstrap) -> BootstrapDistribution? {
    compared(with: control) { $1 == 0 ? nil : $0 / $1 - 1 }
  }

  private func compared(
    with control: PoissonBootstrap, _ combine: (Double, Double) -> Double?
  ) -> BootstrapDistribution? {
    precondition(
      weights == control.weights && replicates == control.replicates,
      "bootstraps of different seeds or sizes do not compare")
    func both(_ a: Double?, _ b: Double?) -> Double? {
      guard let a, let b else { return nil }
      return combine(a, b)
    }
    return BootstrapDistribution(
      estimate: both(estimate, control.estimate),
      replicates: zip(estimates, control.estimates).map { both($0, $1) })
  }
}
