public import Specifications

/// The off-policy estimators that a specification such as `clipped-ips:lambda=2` can name.
///
/// ``Catalog/standard`` has the built-in ones. A program with estimators of its own adds them with
/// ``Catalog/adding(_:)``.
public typealias EstimatorCatalog = Catalog<TypeEntry<any OffPolicyEstimator.Type>>

extension EstimatorCatalog {
  /// The built-in estimators.
  public static var standard: EstimatorCatalog { Estimators.catalog }

  /// Returns the catalog with an estimator added, replacing any estimator of the same name.
  public func adding(_ type: any OffPolicyEstimator.Type) -> EstimatorCatalog {
    adding(Entry(type, as: type))
  }

  /// The names of the estimators with a parameter that can be chosen, sorted.
  var tunable: [String] { filter { $0.made is any TunableEstimator.Type }.all.map(\.name) }

  /// Returns the estimator that a text such as `snips` or `clipped-ips:lambda=2` describes.
  ///
  /// - Throws: ``SpecificationError`` if the name is unknown or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> any OffPolicyEstimator {
    try estimator(Specification(parsing: text))
  }

  /// Returns the estimator of a specification.
  ///
  /// - Throws: ``SpecificationError`` if the name is unknown or a parameter is invalid.
  public func estimator(
    _ specification: Specification
  ) throws(SpecificationError) -> any OffPolicyEstimator {
    try entry(named: specification.name).made.init(specification, self)
  }
}

/// The built-in estimators. Each is one file and one entry here.
private enum Estimators {
  static let catalog = EstimatorCatalog(
    of: "estimator",
    families: [
      "importance weighting": entries([
        InversePropensity.self, SelfNormalized.self, ClippedInversePropensity.self,
        SubGaussianInversePropensity.self, MarginalizedInversePropensity.self,
        BalancedInversePropensity.self, CressieRead.self, EmpiricalLikelihood.self,
      ]),
      "reward model": entries([DirectMethod.self]),
      "doubly robust": entries([
        DoublyRobust.self, SelfNormalizedDoublyRobust.self, SwitchDoublyRobust.self,
        OptimisticShrinkage.self, SubGaussianDoublyRobust.self, MoreRobustDoublyRobust.self,
      ]),
      "replay": entries([DeterministicReplay.self]),
      "choice of a parameter": entries([Slope.self, CrossValidated.self]),
      "slates": entries([
        SlateInversePropensity.self, SlateSelfNormalized.self, IndependentInversePropensity.self,
        IndependentSelfNormalized.self, CascadeInversePropensity.self, CascadeSelfNormalized.self,
        CascadeDoublyRobust.self, PseudoInverse.self, PseudoInverseSelfNormalized.self,
      ]),
      "several logging policies": entries([
        MultiLoggerInversePropensity.self, MultiLoggerBalanced.self, MultiLoggerWeighted.self,
        MultiLoggerBalancedDoublyRobust.self, MultiLoggerWeightedDoublyRobust.self,
      ]),
    ])

  private static func entries(
    _ types: [any OffPolicyEstimator.Type]
  ) -> [TypeEntry<any OffPolicyEstimator.Type>] {
    types.map { TypeEntry($0, as: $0) }
  }
}
