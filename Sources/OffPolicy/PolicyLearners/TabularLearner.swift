public import Bandits
public import Specifications

/// `tabular:objective=snips`: one distribution over the variants per slot, whatever the features.
///
/// The objective is linear in the probabilities, so its maximum is known: with each variant's own value v, by the
/// objective, π maximizes Σπv − λΣ(π − 1/K)²/2. Without λ the variants of the greatest value share the probability. The
/// self-normalized value of a variant is that of always choosing it.
public struct TabularLearner: PolicyLearner {
  /// The objective.
  public var objective = PolicyObjective.ips
  /// The penalty on half the squared distance from equal probabilities.
  public var lambda = 0.0
  public var specification = Self.info.specification()

  /// Creates the learner with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "tabular", "one distribution over the variants per slot",
    source: "Duchi et al. 2008, figure 1", example: "tabular:objective=snips")

  public static var parameters: [Field] {
    Field.objective(\.objective)
    Field.number(
      "lambda", \.lambda, in: 0...1e9,
      "penalty on half the squared distance from equal probabilities, {range}")
  }

  public static let usesFeatures = false

  public func makeFit(_ problem: PolicyProblem) throws(SpecificationError) -> any PolicyFit {
    Fit(learner: self, problem: problem)
  }

  struct Fit: PolicyFit {
    private let learner: TabularLearner
    private let problem: PolicyProblem
    private var slots: [VariantValues]

    init(learner: TabularLearner, problem: PolicyProblem) {
      (self.learner, self.problem) = (learner, problem)
      slots = problem.slots.map { _ in VariantValues(problem.variants.count) }
    }

    mutating func add(_ decision: borrowing LearningDecision) {
      guard slots.indices.contains(decision.slot), decision.isUsable(learner.objective) else {
        return
      }
      slots[decision.slot].add(decision, learner.objective)
    }

    var emptyPart: Fit { Fit(learner: learner, problem: problem) }

    mutating func merge(_ part: Fit) {
      for slot in slots.indices { slots[slot].merge(part.slots[slot]) }
    }

    mutating func finishPass() -> Bool { false }

    func fitted() -> LearnedPolicy {
      LearnedPolicy(
        learner.specification, learner.objective, problem,
        .table(slots.map { $0.best(learner.lambda).probabilities }))
    }
  }
}
