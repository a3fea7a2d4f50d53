public import Specifications
internal import Statistics

/// `cross-validated:estimator=clipped-ips,folds=10`: chooses the parameter whose estimate from most of the decisions is
/// nearest to the unbiased estimate from the others.
///
/// M. Cief, B. Kveton and M. Kompan, "Cross-validated off-policy evaluation" (AAAI 2025). The unbiased estimate is IPS,
/// or doubly robust for an estimator with a reward model. The squared difference is averaged over all the splits of the
/// units into one fold and the rest, in closed form, so that the choice does not depend on chance; their rule of one
/// standard error is left out.
public struct CrossValidated: ChoosingEstimator {
  public static let info = SpecificationInfo(
    "cross-validated", "chooses a parameter by cross-validation against the unbiased estimate",
    source: "Cief, Kveton and Kompan 2025", example: "cross-validated:folds=10")

  public var choice = EstimatorChoice()
  /// The number of folds.
  public var folds = 10
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    choiceParameters
    Field.integer("folds", \.folds, in: 2...1_000_000, "number of folds, {range}")
  }

  /// Returns the candidate with the least loss, the least biased of equal ones.
  public func chosen(by sums: [MomentSums]) -> Int? {
    var best: (index: Int, loss: Double)?
    for index in sums.indices {
      guard let loss = loss(of: sums[index]) else { continue }
      if best.map({ loss < $0.loss }) ?? true { best = (index, loss) }
    }
    return best?.index
  }

  /// Returns the mean squared difference of the candidate's value from most of the units and the unbiased value from
  /// the others, over all the splits of the units into 1/folds and the rest; nil for fewer than two units.
  ///
  /// With x the terms of the candidate, y those of the unbiased estimator and K folds, a split into n₁ and n₂ = n/K
  /// units gives x̄₁ − ȳ₂ = mean₁(x + (K − 1)·y) − K·ȳ, whose mean square over all splits, drawn without replacement,
  /// is (x̄ − ȳ)² + s²/((K − 1)·n), where s² is the sample variance of x + (K − 1)·y.
  func loss(of sums: MomentSums) -> Double? {
    guard sums.units > 1, let x = ExactSum.quotient(sums.sum(0), sums.decisions),
      let y = ExactSum.quotient(sums.sum(1), sums.decisions)
    else { return nil }
    let others = Double(folds - 1)
    let error = sums.deviation((-x - others * y, [1, others]), scale: Double(sums.decisions))
    return error.map { (x - y) * (x - y) + $0 * $0 / others }
  }
}
