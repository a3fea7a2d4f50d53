public import Specifications

/// `tree:objective=dr,depth=3`: a tree of tests on the features that all choices share, with a distribution over the
/// variants at each leaf.
///
/// Starting from a single leaf, each pass splits all leaves of one depth: a leaf is split at the column and threshold
/// that increase Σn·value over its halves most, where n is the number of decisions of a half and its value that of its
/// best distribution, which is found as for ``TabularLearner`` (the trees of Z. Zhou, S. Athey and
/// S. Wager, "Offline multi-action policy learning: generalization and optimization", Operations Research 71, 2023, but
/// grown greedily). Equal increases go to the lower column, then to the lower threshold. A first pass sorts values into bins.
public struct TreeLearner: PolicyLearner {
  private static let objective = objectiveParameter
  private static let depth = Parameter.integer(
    "depth", default: 3, in: 0...10, "maximum number of tests before a leaf, {range}")
  private static let bins = Parameter.integer(
    "bins", default: 32, in: 2...256, "maximum number of bins per column, {range}")
  private static let leastDecisions = Parameter.integer(
    "min-decisions", default: 50, in: 1...1_000_000_000,
    "minimum number of decisions of each leaf, {range}")
  private static let lambda = Parameter.number(
    "lambda", default: 0, in: 0...1e9,
    "penalty on half the squared distance from equal probabilities, {range}")

  public static let info = SpecificationInfo(
    "tree", "a tree of tests with a distribution over the variants at each leaf",
    [objective, depth, bins, leastDecisions, lambda], source: "Zhou, Athey and Wager 2023")

  public let specification: Specification
  public let objective: PolicyObjective
  let depth: Int
  let bins: Int
  let leastDecisions: Int
  let lambda: Double

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    objective = try Self.objective.value(in: specification)
    depth = try Self.depth.value(in: specification)
    bins = try Self.bins.value(in: specification)
    leastDecisions = try Self.leastDecisions.value(in: specification)
    lambda = try Self.lambda.value(in: specification)
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
