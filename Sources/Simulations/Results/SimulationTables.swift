internal import Bandits
internal import Tables

/// The tables of a finished simulation.
public struct SimulationTables: Sendable {
  let prepared: PreparedPlan
  let store: OutcomeStore
  let level: Double

  /// Creates the tables.
  ///
  /// - Parameters:
  ///   - prepared: The plan.
  ///   - store: All its outcomes.
  ///   - level: The confidence level of intervals, between 0 and 1.
  /// - Throws: ``PlanError`` that names a missing outcome, if there is one.
  public init(_ prepared: PreparedPlan, _ store: OutcomeStore, level: Double = 0.95) throws {
    if let missing = store.firstMissing {
      let plan = prepared.plan
      throw PlanError(
        "run \(missing.run) of \(plan.pairName(missing.pair)) is missing, and "
          + "\(plan.runs * plan.environments.count * plan.policies.count - store.count - 1) more; run the plan, or "
          + "merge the files of all its shards")
    }
    self.prepared = prepared
    self.store = store
    self.level = level
  }

  var plan: SimulationPlan { prepared.plan }

  /// Calls the closure with the index of each pair, its environment and its policy.
  func forEachPair(
    _ body: (_ pair: Int, _ environment: any Environment, _ policy: String)
      throws(TableError) -> Void
  ) throws(TableError) {
    for (place, environment) in prepared.environments.enumerated() {
      for (index, policy) in plan.policies.enumerated() {
        try body(place * plan.policies.count + index, environment, policy)
      }
    }
  }

  /// Adds the answer and the notes of every table: everything that determines its numbers.
  func note(_ table: inout Table) {
    answer(&table)
    table.note("runs", .integer(plan.runs))
    table.note("horizon", .integer(plan.rules.horizon))
    table.note("seed", .text(String(plan.seed)))
    table.note(
      "rewards",
      .text(plan.isPaired ? "the same for all policies of a run" : "drawn for each policy"))
    if plan.rules.batch > 1 { table.note("batch", .integer(plan.rules.batch)) }
  }
}

extension TableColumn {
  static let environment = key("environment", .text, "where rewards come from")
  static let policy = key("policy", .text, "what chooses")
}
