internal import Bandits
internal import Specifications

/// The state of growing a policy tree.
struct TreeFit: PolicyFit {
  /// The maximum number of sums in a pass: 200 MB.
  private static let mostSums = 2_000_000

  /// A leaf that the current pass may split.
  private struct Leaf: Sendable {
    /// Its index in the tree.
    var index: Int
    var values: VariantValues
    /// The values of the bins of each column but those that hold zero, by ``ColumnBins/index(_:_:)`` − 1; empty if the
    /// leaf is not to be split.
    var bins: [VariantValues]
  }

  private struct Split {
    var column: Int
    var bin: Int
    var low: VariantValues
    var high: VariantValues
    var value: Double
  }

  private let learner: TreeLearner
  private let problem: PolicyProblem
  // Of the first pass.
  private var tallies: [ColumnTally]
  private var rows = 0
  // Of the later passes.
  private var bins: ColumnBins?
  private var tree: PolicyTree
  /// The leaves that the current pass fills; those of the tree before them are final.
  private var leaves: [Leaf] = []
  private var depth = 0
  private var indicators = FeatureVector()

  init(_ learner: TreeLearner, _ problem: PolicyProblem) {
    (self.learner, self.problem) = (learner, problem)
    tallies = Array(repeating: ColumnTally(), count: problem.map.columnCount)
    let variants = problem.variants.count
    tree = PolicyTree(
      tests: [],
      leaves: [[Double](repeating: 1 / Double(max(variants, 1)), count: variants)])
  }

  mutating func add(_ decision: borrowing LearningDecision) {
    guard decision.isUsable(learner.objective), let features = decision.features.first else {
      return
    }
    guard let bins else {
      rows += 1
      for entry in features.entries where entry.column < tallies.count {
        tallies[entry.column].add(entry.value)
      }
      return
    }
    let index = tree.leaf(features)
    guard let place = leaves.firstIndex(where: { $0.index == index }) else { return }
    leaves[place].values.add(decision, learner.objective)
    guard !leaves[place].bins.isEmpty else { return }
    bins.write(features, into: &indicators)
    for entry in indicators.entries.dropFirst() {
      leaves[place].bins[entry.column - 1].add(decision, learner.objective)
    }
  }

  var emptyPart: TreeFit {
    var part = self
    part.rows = 0
    part.tallies = Array(repeating: ColumnTally(), count: tallies.count)
    for leaf in leaves.indices {
      part.leaves[leaf] = empty(leaves[leaf].index, !leaves[leaf].bins.isEmpty)
    }
    return part
  }

  private func empty(_ index: Int, _ isSplittable: Bool) -> Leaf {
    let values = VariantValues(problem.variants.count)
    let count = isSplittable ? (bins?.count ?? 1) - 1 : 0
    return Leaf(index: index, values: values, bins: Array(repeating: values, count: count))
  }

  mutating func merge(_ part: TreeFit) {
    rows += part.rows
    for column in tallies.indices { tallies[column].merge(part.tallies[column]) }
    for leaf in leaves.indices {
      leaves[leaf].values.merge(part.leaves[leaf].values)
      for bin in leaves[leaf].bins.indices {
        leaves[leaf].bins[bin].merge(part.leaves[leaf].bins[bin])
      }
    }
  }

  mutating func finishPass() throws(SpecificationError) -> Bool {
    guard let bins else {
      let found = ColumnBins(tallies.map { $0.bounds(learner.bins, rows: rows) })
      self.bins = found
      tallies = []
      leaves = [empty(0, learner.depth > 0)]
      try check(found)
      return true
    }
    var next: [Leaf] = []
    for leaf in leaves { grow(leaf, bins, &next) }
    depth += 1
    leaves = next
    try check(bins)
    return !leaves.isEmpty
  }

  private func check(_ bins: ColumnBins) throws(SpecificationError) {
    let sums = leaves.count * bins.count * problem.variants.count
    guard sums <= Self.mostSums else {
      throw SpecificationError(
        "tree needs \(sums) sums for \(leaves.count) leaves, \(bins.count) bins and \(problem.variants.count) "
          + "variants, and \(Self.mostSums) are the most; decrease depth or bins, or keep fewer values, as in "
          + "one-hot(NAME,20)"
      )
    }
  }

  /// Sets the distribution of a leaf, or splits it.
  private mutating func grow(_ leaf: Leaf, _ bins: ColumnBins, _ next: inout [Leaf]) {
    let best = leaf.values.best(learner.lambda)
    if leaf.values.count > 0 { tree.leaves[leaf.index] = best.probabilities }
    let whole = Double(leaf.values.count) * best.value
    guard let split = split(leaf, bins, above: whole) else { return }
    let test = tree.tests.count
    // The lower half keeps the index of the leaf.
    let high = tree.leaves.count
    tree.redirect(leaf.index, to: test)
    tree.tests.append(
      PolicyTree.Test(
        column: split.column, bound: bins.bounds[bins.starts[split.column] + split.bin - 1],
        low: -1 - leaf.index, high: -1 - high))
    tree.leaves[leaf.index] = split.low.best(learner.lambda).probabilities
    tree.leaves.append(split.high.best(learner.lambda).probabilities)
    guard depth + 1 < learner.depth else { return }
    for (index, half) in [(leaf.index, split.low), (high, split.high)]
    where half.count >= 2 * learner.leastDecisions {
      next.append(empty(index, true))
    }
  }

  /// Returns the split of a leaf with the greatest value above that of the whole.
  private func split(_ leaf: Leaf, _ bins: ColumnBins, above whole: Double) -> Split? {
    guard !leaf.bins.isEmpty else { return nil }
    var best: Split?
    for column in 0..<bins.columnCount where bins.binCount(column) > 1 {
      var low = VariantValues(problem.variants.count)
      let zero = zero(leaf, bins, column)
      for bin in 1..<bins.binCount(column) {
        low.merge(bins.index(column, bin - 1).map { leaf.bins[$0 - 1] } ?? zero)
        var high = leaf.values
        high.subtract(low)
        guard low.count >= learner.leastDecisions, high.count >= learner.leastDecisions else {
          continue
        }
        let value =
          Double(low.count) * low.best(learner.lambda).value
          + Double(high.count) * high.best(learner.lambda).value
        // More than what rounding could add.
        guard value > best?.value ?? whole + 1e-12 * abs(whole) else { continue }
        best = Split(column: column, bin: bin, low: low, high: high, value: value)
      }
    }
    return best
  }

  /// Returns the values of the bin of a column that holds zero: those that are in no other.
  private func zero(_ leaf: Leaf, _ bins: ColumnBins, _ column: Int) -> VariantValues {
    var zero = leaf.values
    for bin in 0..<bins.binCount(column) {
      if let index = bins.index(column, bin) { zero.subtract(leaf.bins[index - 1]) }
    }
    return zero
  }

  func fitted() -> LearnedPolicy {
    LearnedPolicy(learner.specification, learner.objective, problem, .tree(tree.ordered))
  }
}

extension PolicyTree {
  /// Replaces a leaf by a test wherever a test leads to it.
  fileprivate mutating func redirect(_ leaf: Int, to test: Int) {
    for place in tests.indices {
      if tests[place].low == -1 - leaf { tests[place].low = test }
      if tests[place].high == -1 - leaf { tests[place].high = test }
    }
  }
}
