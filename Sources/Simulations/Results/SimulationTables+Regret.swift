internal import Bandits
internal import Specifications
internal import Statistics
public import Tables

extension SimulationTables {
  private static let regretColumns: [TableColumn] = [
    .environment, .policy,
    .key("t", .integer, "after how many decisions"),
    .measure("runs", .integer, "how often it was simulated"),
    .measure(
      "regret_mean", .decimal,
      "pseudo-regret: best mean less that of the choice, added up; mean of runs"
    ).estimate.main,
    .measure("regret_se", .decimal, "standard error of regret_mean").estimate.main,
    .measure("regret_q05", .decimal, "quantile 0.05 of the runs' regret").estimate.main,
    .measure("regret_median", .decimal, "median of the runs' regret").estimate,
    .measure("regret_q95", .decimal, "quantile 0.95 of the runs' regret").estimate.main,
    .measure("reward_mean", .decimal, "mean reward of a decision").estimate.main,
    .measure("best_arm_rate", .decimal, "share of decisions for a best variant of the moment")
      .share.main,
    .measure("realized_regret_mean", .decimal, "best means less rewards, added up; mean of runs")
      .estimate,
    .measure(
      "fixed_regret_mean", .decimal, "regret against the variant that is best over all t steps"
    ).estimate,
    .measure(
      "simple_regret_mean", .decimal,
      "best mean less that of the variant recommended after t decisions"
    ).estimate,
    .measure(
      "lai_robbins", .decimal,
      "C ln t, which no consistent policy's regret stays below; empty without one"
    ).estimate,
    .measure("lai_robbins_ratio", .decimal, "regret_mean / lai_robbins").estimate,
  ]

  /// Returns the regret of every policy in every environment at every checkpoint.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func regret() throws(TableError) -> Table {
    var table = try Table(
      name: "simulate", title: "Regret of policies", columns: Self.regretColumns)
    table.reserve(rows: plan.tableSteps.count * plan.environments.count * plan.policies.count)
    try forEachPair { (pair, environment, policy) throws(TableError) in
      let outcomes = store.outcomes(of: pair)
      let constant = environment.arms.flatMap(LaiRobbins.constant)
      for (index, step) in plan.tableSteps {
        let summary = OutcomeSummary(outcomes, at: index, step: step)
        // A bound of 0 carries no information.
        let line = constant.map { $0 * Double.log(Double(step)) }.flatMap { $0 > 0 ? $0 : nil }
        try table.append(
          row: [
            .text(environment.specification.description), .text(policy), .integer(step),
            .integer(summary.runs), TableCell(summary.regret?.mean),
            TableCell(summary.regret?.standardError), TableCell(summary.regret?.low),
            TableCell(summary.regret?.median), TableCell(summary.regret?.high),
            TableCell(summary.rewardMean), TableCell(summary.bestChoiceRate),
            TableCell(summary.realizedRegret?.mean), TableCell(summary.fixedRegret?.mean),
            TableCell(summary.simpleRegret?.mean), TableCell(line),
            TableCell(line.flatMap { line in summary.regret.map { $0.mean / line } }),
          ])
      }
    }
    note(&table)
    return table.sorted()
  }
}
