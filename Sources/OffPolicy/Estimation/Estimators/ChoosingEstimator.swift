public import Specifications

/// An estimator that chooses the parameter of a ``TunableEstimator`` from the decisions.
///
/// Its sums are, for each candidate, those of its terms and of the terms of the estimator without bias. The standard
/// error, and so every interval, is that of the chosen estimator: it ignores that it was chosen by the same decisions.
public protocol ChoosingEstimator: OffPolicyEstimator where Sums == [MomentSums] {
  /// The estimators among which it chooses.
  var choice: EstimatorChoice { get set }

  /// Returns the index of the candidate to choose by the sums of each, of at least two units; nil if there is none.
  func chosen(by sums: [MomentSums]) -> Int?
}

extension ChoosingEstimator {
  /// The candidates, from the least biased to the most.
  public var candidates: [any TunableEstimator] { choice.candidates }
  public var rewardModel: RewardModelUse { candidates.first?.rewardModel ?? .none }
  public var weights: WeightKind { candidates.first?.weights ?? .logged }

  public func makeSums() -> [MomentSums] {
    [MomentSums](repeating: MomentSums(2), count: candidates.count)
  }

  public func add(unit decisions: Span<LoggedDecision>, times: Int, to sums: inout [MomentSums]) {
    for (index, candidate) in candidates.enumerated() {
      sums[index].add(candidate.sums(versusUnbiased: decisions), times: times)
    }
  }

  /// Returns the value of the chosen candidate; nil for fewer than two units.
  public func value(of sums: [MomentSums]) -> Double? {
    index(sums).flatMap { sums[$0].value(.mean) }
  }

  /// Returns the standard error of the chosen candidate.
  public func standardError(of sums: [MomentSums]) -> Double? {
    index(sums).flatMap { sums[$0].standardError(.mean) }
  }

  public func choice(of sums: [MomentSums]) -> Specification? {
    index(sums).map { candidates[$0].specification }
  }

  private func index(_ sums: [MomentSums]) -> Int? {
    sums.moments.units > 1 ? chosen(by: sums) : nil
  }

  public mutating func validate() throws(SpecificationError) { try choice.load(Self.info.name) }

  /// The parameters of the choice.
  static var choiceParameters: [Field] {
    [
      Field(
        SpecificationInfo.Parameter(
          "estimator", "clipped-ips",
          "the estimator whose parameter is chosen, in parentheses if it has commas"),
        read: { (made, specification, estimators) throws(SpecificationError) in
          try specification.refuseDepth(of: "estimator", "estimators")
          if let nested = try specification.nested("estimator") { made.choice.estimator = nested }
          made.choice.estimators = estimators
        }, write: { "(\($0.choice.estimator))" }),
      Field.numbers(
        "values", \.choice.values, in: -1e300...1e300,
        "the values that are tried, separated by semicolons; a list of the estimator if not given"),
    ]
  }
}

/// The estimators among which a ``ChoosingEstimator`` chooses.
public struct EstimatorChoice: Sendable {
  /// The estimator whose parameter is chosen.
  public var estimator = Specification("clipped-ips")
  /// The values that are tried; nil for a list of the estimator.
  public var values: [Double]?
  /// Where the estimator is looked up; nil for the built-in ones.
  fileprivate var estimators: EstimatorCatalog?
  private var found: [any TunableEstimator]?

  /// Creates the choice among the clipped estimators.
  public init() {}

  /// The candidates, from the least biased to the most.
  fileprivate var candidates: [any TunableEstimator] { found ?? Self.standard }

  private static let standard: [any TunableEstimator] = {
    var choice = EstimatorChoice()
    try? choice.load("")
    return choice.found ?? []
  }()

  /// Finds the candidates of the estimator with a name.
  fileprivate mutating func load(_ name: String) throws(SpecificationError) {
    let estimators = estimators ?? .standard
    guard let base = try estimators.estimator(estimator) as? any TunableEstimator else {
      throw SpecificationError(
        "estimator=\(estimator) of \(name) has no parameter to choose; use "
          + estimators.tunable.joined(separator: ", "))
    }
    let tuning = type(of: base).tuning
    if let value = estimator[tuning.key] {
      throw SpecificationError(
        "\(name) chooses \(tuning.key) of \(estimator.name); leave it out, or give "
          + "values=\(value)")
    }
    var candidates: [any TunableEstimator] = []
    for value in tuning.ordered(values ?? tuning.candidates) {
      let candidate = Specification(
        estimator.name, estimator.parameters + [.init(key: tuning.key, number: value)])
      if let made = try estimators.estimator(candidate) as? any TunableEstimator {
        candidates.append(made)
      }
    }
    found = candidates
  }
}

extension Array: EstimatorSums where Element == MomentSums {
  public var moments: MomentSums { first ?? MomentSums(0) }
}
