internal import Bandits
internal import Specifications
internal import Statistics
public import Tables

extension SimulationTables {
  private static let rankingColumns: [TableColumn] = [
    .key("environment", .text, "where rewards come from"),
    .key("rank", .integer, "one more than the number of policies that are better beyond chance"),
    .measure("policy", .text, "what chooses").main,
    .measure("runs", .integer, "how often it was simulated"),
    .measure("regret_mean", .decimal, "pseudo-regret at the horizon; mean of runs").estimate.main,
    .measure("regret_se", .decimal, "standard error of regret_mean").estimate.main,
    .measure("behind_best", .decimal, "regret_mean less the least one of the environment").estimate
      .main,
  ]

  private static let differenceColumns: [TableColumn] = [
    .environment, .policy, .key("other_policy", .text, "what it is compared with"),
    .measure("runs", .integer, "how often both were simulated"),
    .measure(
      "difference_mean", .decimal, "regret of policy less that of other_policy; mean of runs"
    ).estimate.main,
    .measure("difference_se", .decimal, "standard error of difference_mean").estimate,
    .measure("ci_low", .decimal, "lower end of the interval of the difference").estimate
      .main,
    .measure("ci_high", .decimal, "upper end of the interval of the difference").estimate.main,
    .measure("p_value", .decimal, "two-sided, that there is no difference").pValue,
    .measure("p_value_adjusted", .decimal, "after Holm, for all pairs of the environment").pValue
      .main,
    .measure("verdict", .text, "better, worse or tie").main,
  ]

  /// Returns the policies of each environment, the best first; policies whose difference may be due to chance have
  /// the same rank.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func ranking() throws(TableError) -> Table {
    var table = try Table(
      name: "simulate_ranking", title: "Ranking of policies", columns: Self.rankingColumns)
    for (place, environment) in prepared.environments.enumerated() {
      let regrets = regrets(place)
      let ranking = PolicyRanking(regrets, isPaired: plan.isPaired, level: level)
      let spreads = regrets.map { Moments($0) }
      let least = spreads.compactMap(\.mean).min()
      // By regret within a rank; the table keeps this order.
      let order = plan.policies.indices.sorted { a, b in
        (spreads[a].mean ?? .infinity, a) < (spreads[b].mean ?? .infinity, b)
      }
      for index in order {
        try table.append(
          row: [
            .text(environment.specification.description), .integer(ranking.ranks[index]),
            .text(plan.policies[index]), .integer(plan.runs), TableCell(spreads[index].mean),
            TableCell(spreads[index].standardError),
            TableCell(least.flatMap { least in spreads[index].mean.map { $0 - least } }),
          ])
      }
    }
    noteTests(&table)
    return table.sorted()
  }

  /// Returns every policy against every other one in each environment.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func differences() throws(TableError) -> Table {
    var table = try Table(
      name: "simulate_differences", title: "Differences between policies",
      columns: Self.differenceColumns)
    for (place, environment) in prepared.environments.enumerated() {
      let ranking = PolicyRanking(regrets(place), isPaired: plan.isPaired, level: level)
      for difference in ranking.differences {
        let isReal = difference.adjustedPValue.map { $0 < 1 - level } ?? false
        try table.append(
          row: [
            .text(environment.specification.description), .text(plan.policies[difference.first]),
            .text(plan.policies[difference.second]), .integer(plan.runs),
            TableCell(difference.mean), TableCell(difference.standardError),
            TableCell(difference.interval?.low), TableCell(difference.interval?.high),
            TableCell(difference.pValue), TableCell(difference.adjustedPValue),
            .text(isReal ? (difference.mean < 0 ? "better" : "worse") : "tie"),
          ])
      }
    }
    noteTests(&table)
    return table.sorted()
  }

  /// Returns the regret of every run at the horizon, by policy.
  func regrets(_ environment: Int) -> [[Double]] {
    plan.policies.indices.map { index in
      store.outcomes(of: environment * plan.policies.count + index)
        .map { $0.points.last?.regret ?? .nan }
    }
  }

  private func noteTests(_ table: inout Table) {
    note(&table)
    table.note(
      "test",
      .text(
        (plan.isPaired ? "paired t test of the runs" : "Welch's t test")
          + "; Holm over all pairs of an environment"))
    table.note("level", .decimal(level))
  }
}
