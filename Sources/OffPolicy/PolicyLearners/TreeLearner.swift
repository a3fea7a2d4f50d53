public import Bandits
public import Specifications

/// `tree:objective=dr,depth=3`: a tree of tests on the features that all choices share, with a distribution over the
/// variants at each leaf.
///
/// Starting from a single leaf, each pass splits all leaves of one depth: a leaf is split at the column and threshold
/// that increase Σn·value over its halves most, where n is the number of decisions of a half and its value that of its
/// best distribution, which is found as for ``TabularLearner`` (the trees of Z. Zhou, S. Athey and
/// S. Wager, "Offline multi-action policy learning: generalization and optimization", Operations Research 71, 2023, but
/// grown greedily). Equal increases go to the lower column, then to the lower threshold. A first pass sorts values into
/// bins.
public struct TreeLearner: PolicyLearner {
  /// The objective.
  public var objective = PolicyObjective.ips
  /// The maximum number of tests before a leaf.
  public var depth = 3
  /// The maximum number of bins per column.
  public var bins = 32
  /// The minimum number of decisions of each leaf.
  public var leastDecisions = 50
  /// The penalty on half the squared distance from equal probabilities.
  public var lambda = 0.0
  public var specification = Self.info.specification()

  /// Creates the learner with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "tree", "a tree of tests with a distribution over the variants at each leaf",
    source: "Zhou, Athey and Wager 2023", example: "tree:objective=dr,depth=3")

  public static var parameters: [Field] {
    Field.objective(\.objective)
    Field.integer("depth", \.depth, in: 0...10, "maximum number of tests before a leaf, {range}")
    Field.integer("bins", \.bins, in: 2...256, "maximum number of bins per column, {range}")
    Field.integer(
      "min-decisions", \.leastDecisions, in: 1...1_000_000_000,
      "minimum number of decisions of each leaf, {range}"
    )
    Field.number(
      "lambda", \.lambda, in: 0...1e9,
      "penalty on half the squared distance from equal probabilities, {range}")
  }

  public func makeFit(_ problem: PolicyProblem) throws(SpecificationError) -> any PolicyFit {
    guard problem.map.specification.isShared else {
      throw SpecificationError(
        "tree takes features that all variants share, of the context or the slot; leave out those of the variant in "
          + "\"\(problem.map.specification)\"")
    }
    try LinearRewards.check(
      RewardProblem(slots: 1, variants: 1, columns: problem.map.columnCount), Self.info.name)
    return TreeFit(self, problem)
  }
}
