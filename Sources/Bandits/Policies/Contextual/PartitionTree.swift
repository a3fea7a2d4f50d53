public import Specifications
public import Statistics

/// `tree:alpha=1,size=50,leaves=64,capacity=4000`: UCB1 within each leaf of a regression tree that splits the contexts
/// where rewards differ.
///
/// UCB1 in each cell of a partition of the contexts is the "UCBogram" of P. Rigollet and A. Zeevi, "Nonparametric
/// bandits with covariates" (COLT 2010); here the cells are not a grid but the leaves of one regression tree for all
/// variants. A leaf with `size` decisions is split at the feature and threshold that reduce the squared error of the
/// rewards around the means of the variants the most (L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification
/// and Regression Trees*, 1984, section 8.4), if the Bayesian information criterion approves: n·ln of the ratio of the
/// squared errors must exceed ln n for each added mean and for the threshold. Otherwise it is reconsidered when it has
/// twice as many. New leaves inherit the decisions of their parent.
public struct PartitionTree: Policy {
  /// The factor of UCB1's bonus.
  public var alpha = 1.0
  /// The number of decisions before a leaf is split.
  public var size = 50
  /// The maximum number of leaves.
  public var leaves = 64
  /// The maximum number of decisions stored per leaf.
  public var capacity = 4000
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "tree", "UCB1 within each leaf of a regression tree over contexts",
    source: "Rigollet and Zeevi 2010; Breiman et al. 1984, section 8.4",
    example: "tree:alpha=1,size=50,leaves=64,capacity=4000")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 0...1e9, "factor of UCB1's bonus, {range}")
    Field.integer("size", \.size, in: 4...100_000, "decisions before a leaf is split, {range}")
    Field.integer("leaves", \.leaves, in: 1...10_000, "maximum number of leaves, {range}")
    Field.integer(
      "capacity", \.capacity, in: 4...1_000_000,
      "maximum decisions stored per leaf; with more it is no longer split")
  }

  public static let needsContext = true

  public static let supportsUnavailableVariants = true

  public func makeState(_ problem: Problem) throws(SpecificationError) -> PartitionTreeState {
    try specification.requireSharedFeatures(problem)
    return PartitionTreeState(self, problem)
  }
}

/// The state of a run: the tree.
public struct PartitionTreeState: PolicyState {
  private let policy: PartitionTree
  private let dimension: Int
  private var table: ArmTable
  private var branches: [TreeBranch] = [.leaf(0)]
  private(set) var leaves: [TreeLeaf]
  private var x: [Double]

  init(_ policy: PartitionTree, _ problem: Problem) {
    self.policy = policy
    dimension = problem.sharedFeatures
    table = ArmTable(problem.variants)
    leaves = [TreeLeaf(variants: problem.variants, nextTry: policy.size)]
    x = [Double](repeating: 0, count: dimension)
  }

  /// Chooses the largest index of the leaf, breaking ties at random.
  public mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    describe(context)
    let leaf = find().leaf
    let bonus =
      policy.alpha * (2 * Double.log(Double(max(1, leaves[leaf].total)))).squareRoot()
    return table.roster.largest(&random) {
      let n = leaves[leaf].counts[$0]
      return n > 0 ? leaves[leaf].sums[$0] / n + bonus / n.squareRoot() : .infinity
    }
  }

  /// Stores the decision, and may split its leaf.
  public mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    describe(context)
    let (branch, leaf) = find()
    leaves[leaf].add(x, choice.variant, reward, capacity: policy.capacity)
    guard leaves[leaf].total >= leaves[leaf].nextTry, leaves.count < policy.leaves,
      leaves[leaf].keepsAll
    else { return }
    divide(branch, leaf)
  }

  public mutating func offer(_ available: [Bool]) { table.offer(available) }

  private mutating func describe(_ context: Context) {
    for place in 0..<dimension { x[place] = ContextFeatures.number(context.shared, place) }
  }

  private func find() -> (branch: Int, leaf: Int) {
    var branch = 0
    while true {
      switch branches[branch] {
      case .leaf(let leaf): return (branch, leaf)
      case .fork(let feature, let threshold, let low, let high):
        branch = x[feature] <= threshold ? low : high
      }
    }
  }

  private mutating func divide(_ branch: Int, _ leaf: Int) {
    guard let cut = leaves[leaf].bestCut(dimension: dimension) else {
      leaves[leaf].nextTry *= 2
      return
    }
    var low = TreeLeaf(variants: leaves[leaf].counts.count, nextTry: policy.size)
    var high = low
    let parent = leaves[leaf]
    for index in parent.rewards.indices {
      let x = Array(parent.contexts[index * dimension..<(index + 1) * dimension])
      let (variant, reward) = (parent.variants[index], parent.rewards[index])
      if x[cut.feature] <= cut.threshold {
        low.add(x, variant, reward, capacity: policy.capacity)
      } else {
        high.add(x, variant, reward, capacity: policy.capacity)
      }
    }
    // The inherited decisions have already been considered for a split.
    (low.nextTry, high.nextTry) = (
      max(policy.size, 2 * low.total), max(policy.size, 2 * high.total)
    )
    leaves[leaf] = low
    leaves.append(high)
    branches.append(.leaf(leaf))
    branches.append(.leaf(leaves.count - 1))
    branches[branch] = .fork(cut.feature, cut.threshold, branches.count - 2, branches.count - 1)
  }
}

/// A node of the tree.
private enum TreeBranch: Sendable {
  case leaf(Int)
  /// Features up to the threshold go to the first branch.
  case fork(Int, Double, Int, Int)
}
