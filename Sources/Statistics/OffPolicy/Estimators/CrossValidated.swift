public import Specifications

/// `cross-validated:estimator=clipped-ips,folds=10`: chooses the parameter whose estimate from most of the decisions is
/// nearest to the unbiased estimate from the others.
///
/// M. Cief, B. Kveton and M. Kompan, "Cross-validated off-policy evaluation" (AAAI 2025). The unbiased estimate is IPS,
/// or doubly robust for an estimator with a reward model. The squared difference is averaged over all the splits of the
/// units into one fold and the rest, in closed form, so that the choice does not depend on chance; their rule of one
/// standard error is left out.
public struct CrossValidated: ChoosingEstimator {
  private static let folds = Parameter.integer(
    "folds", default: 10, in: 2...1_000_000, "number of folds, {range}")

  public static let info = SpecificationInfo(
    "cross-validated", "chooses a parameter by cross-validation against the unbiased estimate",
    [CandidateParameters.estimator, CandidateParameters.values, folds],
    source: "Cief, Kveton and Kompan 2025")

  public let specification: Specification
  public let candidates: [any TunableEstimator]
  private let folds: Int

  public init(
    _ specification: Specification, estimators: EstimatorCatalog
  ) throws(SpecificationError) {
    self.specification = specification
    candidates = try CandidateParameters.candidates(specification, estimators)
    folds = try Self.folds.value(in: specification)
  }

  public func makeSums() -> ChoiceSums {
    ChoiceSums(candidates, .crossValidation(folds: Double(folds)))
  }
}
