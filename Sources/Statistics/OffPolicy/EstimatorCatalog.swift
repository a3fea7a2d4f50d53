public import Specifications

/// The off-policy estimators that a specification such as `clipped-ips:lambda=2` can name.
///
/// ``standard`` has the built-in ones. A program with estimators of its own adds them with ``adding(_:)``.
public struct EstimatorCatalog: Sendable {
  private let entries: [EstimatorEntry]

  /// The built-in estimators.
  public static let standard = EstimatorCatalog(
    entries: [
      EstimatorEntry(DirectMethod.self), EstimatorEntry(InversePropensity.self),
      EstimatorEntry(ClippedInversePropensity.self), EstimatorEntry(SelfNormalized.self),
      EstimatorEntry(DoublyRobust.self), EstimatorEntry(SelfNormalizedDoublyRobust.self),
      EstimatorEntry(SwitchDoublyRobust.self), EstimatorEntry(OptimisticShrinkage.self),
      EstimatorEntry(SubGaussianInversePropensity.self),
      EstimatorEntry(SubGaussianDoublyRobust.self), EstimatorEntry(MoreRobustDoublyRobust.self),
      EstimatorEntry(MarginalizedInversePropensity.self),
      EstimatorEntry(BalancedInversePropensity.self), EstimatorEntry(DeterministicReplay.self),
      EstimatorEntry(CressieRead.self), EstimatorEntry(EmpiricalLikelihood.self),
      EstimatorEntry(Slope.self), EstimatorEntry(CrossValidated.self),
      EstimatorEntry(SlateInversePropensity.self), EstimatorEntry(SlateSelfNormalized.self),
      EstimatorEntry(IndependentInversePropensity.self),
      EstimatorEntry(IndependentSelfNormalized.self),
      EstimatorEntry(CascadeInversePropensity.self), EstimatorEntry(CascadeSelfNormalized.self),
      EstimatorEntry(CascadeDoublyRobust.self), EstimatorEntry(PseudoInverse.self),
      EstimatorEntry(PseudoInverseSelfNormalized.self),
      EstimatorEntry(MultiLoggerInversePropensity.self), EstimatorEntry(MultiLoggerBalanced.self),
      EstimatorEntry(MultiLoggerWeighted.self),
      EstimatorEntry(MultiLoggerBalancedDoublyRobust.self),
      EstimatorEntry(MultiLoggerWeightedDoublyRobust.self),
    ])

  /// Returns the catalog with an estimator added, replacing any estimator of the same name.
  ///
  /// - Parameter type: The type of the estimator.
  /// - Returns: The catalog in which ``named(_:)`` finds the estimator by the name in its ``OffPolicyEstimator/info``.
  public func adding<E: OffPolicyEstimator>(_ type: E.Type) -> EstimatorCatalog {
    EstimatorCatalog(
      entries: entries.filter { $0.info.name != type.info.name } + [EstimatorEntry(type)])
  }

  /// The name, summary, parameters and citation of each estimator, sorted by name.
  public var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// The names of the estimators with a parameter that can be chosen, sorted.
  var tunable: [String] { entries.filter(\.isTunable).map(\.info.name).sorted() }

  /// Returns the estimator that a specification such as `snips` or `clipped-ips:lambda=2` describes.
  ///
  /// - Parameter text: A name from ``all``, with or without parameters.
  /// - Returns: The estimator.
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
    guard let entry = entries.first(where: { $0.info.name == specification.name }) else {
      throw SpecificationError(
        NearestName.unknown("estimator", specification.name, among: all.map(\.name)))
    }
    try specification.requireKeys(among: entry.info.parameters.map(\.key))
    return try entry.make(specification, self)
  }
}

extension EstimatorCatalog: Hashable {
  /// Whether both catalogs have the same types under the same names.
  public static func == (a: EstimatorCatalog, b: EstimatorCatalog) -> Bool { a.types == b.types }

  public func hash(into hasher: inout Hasher) { hasher.combine(types) }

  private var types: [String: ObjectIdentifier] {
    Dictionary(entries.map { ($0.info.name, $0.type) }, uniquingKeysWith: { a, _ in a })
  }
}

/// An estimator in a catalog: its type, its description, and its initializer from a specification.
private struct EstimatorEntry: Sendable {
  let info: SpecificationInfo
  let type: ObjectIdentifier
  let isTunable: Bool
  let make:
    @Sendable (Specification, EstimatorCatalog) throws(SpecificationError) -> any OffPolicyEstimator

  init<E: OffPolicyEstimator>(_ type: E.Type) {
    info = E.info
    self.type = ObjectIdentifier(type)
    isTunable = E.self is any TunableEstimator.Type
    make = { (specification, catalog) throws(SpecificationError) in
      try E(specification, estimators: catalog)
    }
  }
}
