public import Specifications

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

  public func makeSums() -> ChoiceSums {
    ChoiceSums(candidates, .crossValidation(folds: Double(folds)))
  }
}
