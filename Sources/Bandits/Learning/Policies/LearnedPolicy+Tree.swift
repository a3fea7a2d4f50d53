public import Specifications

extension LearnedPolicy {
  /// The version of the form.
  private static let version = 1.0

  private var kind: String {
    switch rule {
    case .table: "tabular"
    case .softmax: "softmax-linear"
    case .tree: "tree"
    }
  }

  /// The policy as a value, without loss: version, class, learner, objective, slots, variants, features, and a table,
  /// coefficients that are not zero, or a tree.
  public var tree: JSONTree {
    var fields: [JSONTree.Member] = [
      .init("version", .number(Self.version)), .init("class", .text(kind)),
      .init("learner", .text(learner.description)), .init("objective", .text(objective.rawValue)),
      .init("slots", .texts(problem.slots)), .init("variants", .texts(problem.variants)),
      .init("features", problem.map.tree),
    ]
    switch rule {
    case .table(let table):
      let rows = zip(problem.slots, table).map { slot, shares in
        JSONTree.object([
          .init("slot", .text(slot)),
          .init("probabilities", Self.distribution(shares, problem.variants)),
        ])
      }
      fields.append(.init("table", .list(rows)))
    case .softmax(let weights):
      let columns = weights.indices.filter { weights[$0] != 0 }.map { column in
        JSONTree.object([
          .init("column", .number(Double(column))),
          .init("name", .text(problem.map.name(ofColumn: column))),
          .init("weight", .number(weights[column])),
        ])
      }
      fields.append(.init("coefficients", .list(columns)))
    case .tree(let tree): fields.append(.init("tree", tree.tree(problem)))
    }
    return .object(fields)
  }

  /// Reads a policy.
  ///
  /// - Throws: `SpecificationError` if the value is not that of a policy, or one of a later version.
  public init(_ tree: JSONTree) throws(SpecificationError) {
    guard try tree.number("version") == Self.version else {
      throw SpecificationError(
        "the policy was written by a later version of this program; update it, or learn the policy again"
      )
    }
    learner = try Specification(parsing: tree.text("learner"))
    guard let objective = PolicyObjective(rawValue: try tree.text("objective")) else {
      throw SpecificationError(
        NearestName.unknown(
          "objective", try tree.text("objective"), among: PolicyObjective.allCases.map(\.rawValue)))
    }
    self.objective = objective
    guard let features = tree["features"] else {
      throw SpecificationError("\"features\" is missing")
    }
    let problem = PolicyProblem(
      slots: try tree.texts("slots"), variants: try tree.texts("variants"),
      map: try FeatureMap(features))
    self.problem = problem
    switch try tree.text("class") {
    case "tabular": rule = .table(try Self.table(tree, problem))
    case "softmax-linear": rule = .softmax(try Self.weights(tree, problem))
    case "tree":
      guard let root = tree["tree"] else { throw SpecificationError("\"tree\" is missing") }
      rule = .tree(try PolicyTree(root, problem))
    case let kind:
      throw SpecificationError(
        NearestName.unknown("policy class", kind, among: ["softmax-linear", "tabular", "tree"]))
    }
  }

  private static func table(
    _ tree: JSONTree, _ problem: PolicyProblem
  ) throws(SpecificationError) -> [[Double]] {
    let rows = try tree.list("table")
    guard rows.count == problem.slots.count else {
      throw SpecificationError(
        "the table has \(rows.count) slots instead of \(problem.slots.count)")
    }
    var table: [[Double]] = []
    for (row, slot) in zip(rows, problem.slots) {
      guard try row.text("slot") == slot else {
        throw SpecificationError("the slots of the table are not in the order of \"slots\"")
      }
      table.append(try distribution(row["probabilities"], problem.variants))
    }
    return table
  }

  private static func weights(
    _ tree: JSONTree, _ problem: PolicyProblem
  ) throws(SpecificationError) -> [Double] {
    var weights = [Double](repeating: 0, count: problem.map.columnCount)
    for entry in try tree.list("coefficients") {
      let column = try entry.integer("column", in: 0...weights.count - 1)
      try problem.map.check(entry, column)
      weights[column] = try entry.number("weight")
    }
    return weights
  }

  /// Returns the probabilities that are not zero with the names of their variants.
  static func distribution(_ shares: [Double], _ variants: [String]) -> JSONTree {
    .list(
      zip(variants, shares).filter { $0.1 != 0 }.map {
        .object([.init("variant", .text($0)), .init("probability", .number($1))])
      })
  }

  /// Reads probabilities, which add up to 1.
  static func distribution(
    _ tree: JSONTree?, _ variants: [String]
  ) throws(SpecificationError) -> [Double] {
    var shares = [Double](repeating: 0, count: variants.count)
    let places = Dictionary(
      variants.enumerated().map { (NameKey($1), $0) }, uniquingKeysWith: { first, _ in first })
    for entry in try JSONTree.object([.init("probabilities", tree ?? .flag(false))]).list(
      "probabilities")
    {
      let (name, share) = (try entry.text("variant"), try entry.number("probability"))
      guard let variant = places[NameKey(name)], share >= 0, share <= 1 else {
        throw SpecificationError(
          "the probability \(share) of the variant \"\(name)\" must be from 0 to 1, for one of the \"variants\""
        )
      }
      shares[variant] = share
    }
    guard abs(shares.reduce(0, +) - 1) <= 1e-9 else {
      throw SpecificationError("probabilities add up to \(shares.reduce(0, +)) instead of 1")
    }
    return shares
  }
}
