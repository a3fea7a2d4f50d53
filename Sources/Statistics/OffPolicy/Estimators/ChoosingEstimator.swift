public import Specifications

/// An estimator that chooses the parameter of a ``TunableEstimator`` from the decisions.
///
/// The choice is in ``EstimatorSums/choice``. Its standard error, and so every interval, is that of the chosen
/// estimator: it ignores that it was chosen by the same decisions.
public protocol ChoosingEstimator: OffPolicyEstimator where Sums == ChoiceSums {
  /// The candidates, from the least biased to the most.
  var candidates: [any TunableEstimator] { get }
}

extension ChoosingEstimator {
  public var rewardModel: RewardModelUse { candidates.first?.rewardModel ?? .none }
  public var weights: WeightKind { candidates.first?.weights ?? .logged }

  public init(_ specification: Specification) throws(SpecificationError) {
    try self.init(specification, estimators: .standard)
  }
}

/// The parameters that say among which candidates an estimator chooses.
enum CandidateParameters {
  static let estimator = Parameter(
    SpecificationInfo.Parameter(
      "estimator", "clipped-ips",
      "the estimator whose parameter is chosen, in parentheses if it has commas"),
    read: { (specification) throws(SpecificationError) in
      try specification.refuseDepth(of: "estimator", "estimators")
      return try specification.nested("estimator") ?? Specification("clipped-ips")
    },
    write: { "(\($0))" })

  static let values = Parameter<[Double]?>(
    SpecificationInfo.Parameter(
      "values", nil,
      "the values that are tried, separated by semicolons; a list of the estimator if not given"),
    read: { (specification) throws(SpecificationError) in
      guard specification["values"] != nil else { return nil }
      return try specification.numbers("values", in: -1e300...1e300)
    },
    write: { $0?.specificationText })

  /// Returns the candidates of a specification, from the least biased to the most.
  static func candidates(
    _ specification: Specification, _ estimators: EstimatorCatalog
  ) throws(SpecificationError) -> [any TunableEstimator] {
    let named = try estimator.value(in: specification)
    guard let base = try estimators.estimator(named) as? any TunableEstimator else {
      throw SpecificationError(
        "estimator=\(named) of \(specification.name) has no parameter to choose; use "
          + estimators.tunable.joined(separator: ", "))
    }
    let tuning = type(of: base).tuning
    guard named[tuning.key] == nil else {
      throw SpecificationError(
        "\(specification.name) chooses \(tuning.key) of \(named.name); leave it out, or give "
          + "values=\(named[tuning.key] ?? "")")
    }
    let values = try values.value(in: specification) ?? tuning.candidates
    var candidates: [any TunableEstimator] = []
    for value in tuning.ordered(values) {
      let candidate = Specification(
        named.name, named.parameters + [.init(key: tuning.key, number: value)])
      if let made = try estimators.estimator(candidate) as? any TunableEstimator {
        candidates.append(made)
      }
    }
    return candidates
  }
}
