public import Bandits
public import Specifications

/// A class of policies with an objective by which one of them is learned from a log.
public protocol PolicyLearner: Specified where ParameterSources == Void {
  /// Whether the policies depend on features (default: true).
  static var usesFeatures: Bool { get }

  /// The objective.
  var objective: PolicyObjective { get }

  /// Starts a fit.
  ///
  /// - Throws: `SpecificationError` if the class cannot use the features, or the problem is too large.
  func makeFit(_ problem: PolicyProblem) throws(SpecificationError) -> any PolicyFit
}

/// The state of learning a policy, which reads all decisions in one or several passes.
///
/// Within a pass, parts that each read some of the decisions merge, and neither the order of the decisions nor that of
/// the parts matters: the same decisions give the same bytes. Many fits can read the same pass.
public protocol PolicyFit: Sendable {
  /// Adds a decision of the current pass.
  mutating func add(_ decision: borrowing LearningDecision)

  /// The fit at the beginning of the current pass, for other decisions.
  var emptyPart: Self { get }

  /// Adds the decisions of a part of the same pass.
  mutating func merge(_ part: Self)

  /// Ends a pass; returns whether another is needed.
  ///
  /// - Throws: `SpecificationError` if no policy can be learned from the decisions.
  mutating func finishPass() throws(SpecificationError) -> Bool

  /// Returns the policy after the last pass.
  func fitted() -> LearnedPolicy
}

extension PolicyFit {
  /// Adds the decisions of a part of a fit of the same learner; ignores any other.
  public mutating func merge(any part: any PolicyFit) {
    if let part = part as? Self { merge(part) }
  }
}

extension PolicyLearner {
  public static var usesFeatures: Bool { true }

  /// Returns the policy learned from decisions that can be read repeatedly.
  ///
  /// - Parameters:
  ///   - problem: The slots, variants and features.
  ///   - forEach: Calls the function with each decision; called once per pass.
  /// - Returns: The policy.
  /// - Throws: `SpecificationError` if the class cannot use the features, and what `forEach` throws.
  public func learn(
    _ problem: PolicyProblem, _ forEach: ((borrowing LearningDecision) -> Void) throws -> Void
  ) throws -> LearnedPolicy {
    var fit = try makeFit(problem)
    repeat { try forEach { fit.add($0) } } while try fit.finishPass()
    return fit.fitted()
  }

}

extension ParameterField {
  /// Declares the objective of a learner.
  static func objective(_ path: any ParameterPath<Made, PolicyObjective>) -> Self {
    .word("objective", path, "ips, snips, dr or regression; the latter two need a model")
  }
}
