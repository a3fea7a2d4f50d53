public import Specifications

/// The one-pass Poisson bootstrap: the weight of each unit in each replicate is Poisson distributed with mean 1.
///
/// B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), with the Poisson weights of N. Chamandy,
/// O. Muralidharan, A. Najmi and S. Naidu, "Estimating uncertainty for massive data streams" (Google, 2012). Weights
/// depend on seed, unit and replicate only (``PoissonWeights``) and sums are integers in multiples of 2⁻⁶⁴, so results
/// are bit-identical in any order, split or merge. Everything added under one unit shares its weights: units are
/// resampled, even if each has many values.
///
/// The estimate is Σ numerators over Σ denominators: a mean if every denominator is 1, or a ratio metric.
///
/// Values must be finite and below 2⁶² in magnitude; others are skipped and counted (``refused``). If values are so
/// large and numerous that a sum could overflow, there are no results.
///
/// - Complexity: memory 48 bytes per replicate, and up to 128 more if units have the same values; an addition is
///   O(replicates).
public struct PoissonBootstrap: StateField {
  /// The weights of the units.
  public let weights: PoissonWeights
  /// The number of values added.
  public private(set) var count = 0
  /// The number of values skipped because they are not finite or too large.
  public private(set) var refused = 0

  private var sums: [Sums]
  /// Units that are not in ``sums`` yet, but for their weights.
  private var repeated = RepeatedPairs()
  private var whole = Sums()
  /// The greatest magnitude of a numerator or denominator.
  private var greatest = 0.0

  /// Creates a bootstrap without units.
  ///
  /// - Parameters:
  ///   - replicates: The number of replicates, at least 1; 1000 for an interval.
  ///   - seed: The seed of the weights. Groups to be compared need the same one.
  public init(replicates: Int = 1000, seed: UInt64) {
    let replicates = max(1, replicates)
    weights = PoissonWeights(seed: seed)
    sums = [Sums](repeating: Sums(), count: replicates)
  }

  /// The number of replicates.
  public var replicates: Int { sums.count }

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
  ///   - unit: A hash of the unit, the same for all its values.
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
    whole.add(above, below, times: 1)
    let weights = weights
    if repeated.add(above, below, unit: unit, weights, replicates: replicates) { return }
    var span = sums.mutableSpan
    // Adding with weight zero is faster than testing for it.
    weights.forEach(below: span.count, of: unit) { span[$0].add(above, below, times: $1) }
  }

  /// Adds a number of units with the same numerator and denominator, whose weights together are Poisson distributed in
  /// each replicate.
  ///
  /// - Parameters:
  ///   - numerator: The numerator of one unit.
  ///   - denominator: The denominator of one unit.
  ///   - units: The number of units.
  ///   - key: A hash of the unit; for several units, a number unique to them, which no other addition has.
  /// - Complexity: O(replicates), without allocation.
  /// - Precondition: The number of units is in 0 ... 1e15.
  public mutating func add(
    _ numerator: Double, over denominator: Double, units: Int, key: UInt64
  ) {
    guard units > 1 else {
      if units == 1 { add(numerator, over: denominator, unit: key) }
      return
    }
    guard let above = FixedPointSum.steps(of: numerator),
      let below = FixedPointSum.steps(of: denominator)
    else {
      refused += units
      return
    }
    count += units
    greatest = max(greatest, abs(numerator), abs(denominator))
    whole.add(above, below, times: units)
    for replicate in sums.indices {
      let times = weights.weight(of: key, in: replicate, units: units)
      sums[replicate].add(above, below, times: times)
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
    whole.add(other.whole)
    for replicate in sums.indices { sums[replicate].add(other.total(replicate)) }
  }

  /// Returns the sums of a replicate.
  private func total(_ replicate: Int) -> Sums {
    var total = sums[replicate]
    repeated.forEach(in: replicate) { total.add($0, $1, times: $2) }
    return total
  }

  /// Returns the number of values in a replicate; nil if there is no such replicate.
  public func count(in replicate: Int) -> Int? {
    sums.indices.contains(replicate) ? total(replicate).count : nil
  }

  /// Returns the sums of a replicate, for statistics of several groups; nil if there is no such replicate, if a value
  /// was skipped, or if a sum could have overflowed.
  public func sums(in replicate: Int) -> (numerator: Double, denominator: Double)? {
    guard sums.indices.contains(replicate), refused == 0, isInRange else { return nil }
    let total = total(replicate)
    return (total.numeratorValue, total.denominatorValue)
  }

  /// Whether no sum can have overflowed: no weight is above 12.
  private var isInRange: Bool { Double(count) * greatest < 0x1p62 / 12 }

  /// The estimate from the data; nil without values or if the denominators add up to zero.
  public var estimate: Double? { isInRange ? whole.ratio : nil }

  /// The estimates of all replicates, in order; nil for one whose denominators add up to zero.
  package var estimates: [Double?] { sums.indices.map { isInRange ? total($0).ratio : nil } }

  /// The bootstrap distribution; nil if there is no estimate.
  public var distribution: BootstrapDistribution? {
    BootstrapDistribution(estimate: estimate, replicates: estimates)
  }

  /// Returns the distribution of the difference of this group's estimate and a control's; nil if there is no estimate.
  ///
  /// A unit in both groups has the same weights in both, as pairing requires.
  ///
  /// - Precondition: Seed and number of replicates are the same.
  public func difference(from control: PoissonBootstrap) -> BootstrapDistribution? {
    compared(with: control) { $0 - $1 }
  }

  /// Returns the distribution of the relative lift of this group's estimate over a control's; nil if there is no
  /// estimate. Replicates in which the control's estimate is zero are missing.
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

extension PoissonBootstrap: Equatable {
  public static func == (a: PoissonBootstrap, b: PoissonBootstrap) -> Bool {
    a.weights == b.weights && a.replicates == b.replicates && a.count == b.count
      && a.refused == b.refused && a.greatest == b.greatest && a.whole == b.whole
      && a.sums.indices.allSatisfy { a.total($0) == b.total($0) }
  }
}

extension PoissonBootstrap {
  /// Writes the sums of all replicates; the seed and the number of replicates are not written.
  public func write(to writer: inout StateWriter) {
    count.write(to: &writer)
    refused.write(to: &writer)
    greatest.write(to: &writer)
    whole.write(to: &writer)
    for replicate in sums.indices { total(replicate).write(to: &writer) }
  }

  public mutating func read(from reader: inout StateReader) throws(StateError) {
    try count.read(from: &reader)
    try refused.read(from: &reader)
    greatest = try reader.readDouble()
    try whole.read(from: &reader)
    try sums.read(from: &reader)
  }

  /// The sums of one replicate.
  private struct Sums: StateFields, Equatable {
    private var numerator = FixedPointSum()
    private var denominator = FixedPointSum()
    private(set) var count = 0

    /// Adds a value with a weight.
    @inline(__always)
    mutating func add(_ above: Int128, _ below: Int128, times count: Int) {
      numerator.add(above &* Int128(truncatingIfNeeded: count))
      denominator.add(below &* Int128(truncatingIfNeeded: count))
      self.count &+= count
    }

    /// Adds other sums.
    @inline(__always)
    mutating func add(_ other: Sums) {
      numerator.merge(other.numerator)
      denominator.merge(other.denominator)
      count &+= other.count
    }

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&numerator, other.numerator)
      visit(&denominator, other.denominator)
      visit(&count, other.count)
    }

    var numeratorValue: Double { numerator.value }
    var denominatorValue: Double { denominator.value }

    /// Numerators over denominators; nil if these add up to zero.
    var ratio: Double? {
      denominator.steps == 0 ? nil : numerator.value / denominator.value
    }
  }
}
