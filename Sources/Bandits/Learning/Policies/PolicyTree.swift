internal import Specifications

/// A tree of tests on columns of shared features, with a distribution over the variants at each leaf.
package struct PolicyTree: Sendable, Hashable {
  /// A test: rows with at least the bound in a column go to `high`, all others to `low`. A target that is not negative
  /// is the index of a test; −1 is leaf 0, −2 leaf 1 and so on.
  package struct Test: Sendable, Hashable {
    package var column: Int
    package var bound: Double
    package var low: Int
    package var high: Int

    package init(column: Int, bound: Double, low: Int, high: Int) {
      (self.column, self.bound, self.low, self.high) = (column, bound, low, high)
    }
  }

  /// The tests, the root first; empty if there is only one leaf.
  package var tests: [Test]
  /// The probability of each variant at each leaf.
  package var leaves: [[Double]]

  package init(tests: [Test], leaves: [[Double]]) { (self.tests, self.leaves) = (tests, leaves) }

  /// Returns the leaf of a row.
  @inline(__always)
  package func leaf(_ features: FeatureVector) -> Int {
    guard !tests.isEmpty else { return 0 }
    var place = 0
    while place >= 0 {
      let test = tests[place]
      place = features.value(test.column) >= test.bound ? test.high : test.low
    }
    return -1 - place
  }
}

extension FeatureVector {
  /// Returns the value of a column, by binary search.
  @inlinable @inline(__always)
  package func value(_ column: Int) -> Double {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].column < column { low = middle &+ 1 } else { high = middle }
    }
    return low < entries.count && entries[low].column == column ? entries[low].value : 0
  }
}

extension PolicyTree {
  /// The same tree with each test before those below it, `otherwise` first, as it is read.
  package var ordered: PolicyTree {
    var ordered = PolicyTree(tests: [], leaves: [])
    _ = ordered.copy(self, tests.isEmpty ? -1 : 0)
    return ordered
  }

  private mutating func copy(_ other: PolicyTree, _ place: Int) -> Int {
    guard place >= 0 else {
      leaves.append(other.leaves[-1 - place])
      return -leaves.count
    }
    let index = tests.count
    tests.append(other.tests[place])
    tests[index].low = copy(other, other.tests[place].low)
    tests[index].high = copy(other, other.tests[place].high)
    return index
  }

  /// The maximum depth of a tree that is read.
  private static let mostDepth = 30

  /// Returns the tree as a value.
  func tree(_ problem: PolicyProblem) -> JSONTree { node(tests.isEmpty ? -1 : 0, problem) }

  private func node(_ place: Int, _ problem: PolicyProblem) -> JSONTree {
    guard place >= 0 else {
      return .object([
        .init("probabilities", LearnedPolicy.distribution(leaves[-1 - place], problem.variants))
      ])
    }
    let test = tests[place]
    return .object([
      .init("column", .number(Double(test.column))),
      .init("name", .text(problem.map.name(ofColumn: test.column))),
      .init("at_least", .number(test.bound)),
      .init("then", node(test.high, problem)),
      .init("otherwise", node(test.low, problem)),
    ])
  }

  /// Reads a tree.
  init(_ tree: JSONTree, _ problem: PolicyProblem) throws(SpecificationError) {
    (tests, leaves) = ([], [])
    _ = try read(tree, problem, depth: 0)
  }

  private mutating func read(
    _ tree: JSONTree, _ problem: PolicyProblem, depth: Int
  ) throws(SpecificationError) -> Int {
    guard depth <= Self.mostDepth else {
      throw SpecificationError("the tree is deeper than \(Self.mostDepth) tests")
    }
    guard let then = tree["then"], let otherwise = tree["otherwise"] else {
      leaves.append(try LearnedPolicy.distribution(tree["probabilities"], problem.variants))
      return -leaves.count
    }
    let place = tests.count
    let column = try tree.integer("column", in: 0...problem.map.columnCount - 1)
    try problem.map.check(tree, column)
    tests.append(Test(column: column, bound: try tree.number("at_least"), low: 0, high: 0))
    tests[place].low = try read(otherwise, problem, depth: depth + 1)
    tests[place].high = try read(then, problem, depth: depth + 1)
    return place
  }
}

extension FeatureMap {
  /// Checks that a column still has the name that it was written with.
  func check(_ tree: JSONTree, _ column: Int) throws(SpecificationError) {
    let name = try tree.text("name")
    guard name == self.name(ofColumn: column) else {
      throw SpecificationError(
        "column \(column) is named \"\(name)\" and should be \"\(self.name(ofColumn: column))\"")
    }
  }
}
