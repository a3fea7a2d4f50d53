public import Specifications
public import Statistics

/// `bootstrap:replicates=1000,seed=1`: the percentile interval of a bootstrap of the units.
///
/// Each unit has a Poisson weight in each replicate (``PoissonBootstrap``), with which numerators and denominators are
/// resampled together, so the interval of a self-normalized estimator includes the spread of its denominator. For an
/// estimator that is not by terms it is the `normal` interval, whose standard error is by the delta method.
public struct BootstrapInterval: IntervalMethod {
  public static let info = SpecificationInfo(
    "bootstrap", "percentile interval of a Poisson bootstrap of the units",
    source: "Efron and Tibshirani 1993; Chamandy et al. 2012",
    example: "bootstrap:replicates=1000,seed=1")

  /// The number of replicates.
  public var replicates = 1000
  /// The seed of the weights.
  public var seed = 1
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.integer("replicates", \.replicates, in: 1...1_000_000, "number of replicates, {range}")
    Field.integer("seed", \.seed, in: 0...Int.max, "seed of the weights")
  }

  public func makeState(for estimator: any OffPolicyEstimator) -> TermBootstrap? {
    TermBootstrap(
      estimator as? any TermEstimator,
      PoissonBootstrap(replicates: replicates, seed: UInt64(seed)))
  }
}

/// The bootstrap replicates of an estimate by terms.
///
/// - Complexity: 48 bytes per replicate, twice that if the estimate is a mean plus a ratio; an addition is
///   O(replicates).
public struct TermBootstrap: IntervalState, StateFields {
  private let estimator: (any TermEstimator)?
  private var mean: PoissonBootstrap?
  private var ratio: PoissonBootstrap?

  init(_ estimator: (any TermEstimator)?, _ empty: PoissonBootstrap) {
    self.estimator = estimator
    guard let estimator else { return }
    let form = type(of: estimator).form
    if form.hasMean { mean = empty }
    if form.hasRatio { ratio = empty }
  }

  public static func == (a: TermBootstrap, b: TermBootstrap) -> Bool {
    a.mean == b.mean && a.ratio == b.ratio
      && a.estimator?.specification == b.estimator?.specification
  }

  public mutating func add(unit decisions: Span<LoggedDecision>, times: Int = 1, key: UInt64) {
    guard let estimator, times > 0, !decisions.isEmpty else { return }
    let unit = estimator.sums(ofUnit: decisions)
    mean?.add(unit.values[0], over: Double(unit.count), units: times, key: key)
    // Units without weight, which are most of them if the target policy is deterministic, do not change a ratio.
    if unit.values[1] == 0, unit.values[2] == 0 { return }
    ratio?.add(unit.values[1], over: unit.values[2], units: times, key: key)
  }

  /// Visits the replicates.
  ///
  /// - Precondition: Seed, number of replicates and estimator of the other one are the same.
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&mean, other.mean)
    visit(&ratio, other.ratio)
  }

  /// The estimate and its replicates; nil without an estimate, or for an estimator that is not by terms.
  public var distribution: BootstrapDistribution? {
    BootstrapDistribution(estimate: estimate, replicates: replicates)
  }

  /// Returns the distribution of the difference of this target policy's value and another's, whose decisions were added
  /// with the same keys; nil if there is no estimate.
  ///
  /// - Precondition: Seed, number of replicates and estimator are the same.
  public func difference(from other: TermBootstrap) -> BootstrapDistribution? {
    BootstrapDistribution(
      estimate: Self.combined(estimate, other.estimate, -),
      replicates: zip(replicates, other.replicates).map { Self.combined($0, $1, -) })
  }

  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    guard estimator != nil else { return sums.interval(level: level) }
    return distribution?.percentileInterval(level: level)
  }

  private var estimate: Double? {
    switch (mean, ratio) {
    case (let mean?, let ratio?): Self.combined(mean.estimate, ratio.estimate, +)
    case (let mean, let ratio): mean?.estimate ?? ratio?.estimate
    }
  }

  /// The estimates of the replicates, in order; nil for one without an estimate.
  public var replicates: [Double?] {
    guard let mean else { return ratio?.estimates ?? [] }
    guard let ratio else { return mean.estimates }
    return zip(mean.estimates, ratio.estimates).map { Self.combined($0, $1, +) }
  }

  private static func combined(
    _ a: Double?, _ b: Double?, _ combine: (Double, Double) -> Double
  ) -> Double? {
    guard let a, let b else { return nil }
    return combine(a, b)
  }
}
