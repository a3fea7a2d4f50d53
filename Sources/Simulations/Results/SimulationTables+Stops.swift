internal import Bandits
internal import Specifications
internal import Statistics
public import Tables

extension SimulationTables {
  private static let stopColumns: [TableColumn] = [
    .environment, .policy,
    .measure("runs", .integer, "how often it was simulated"),
    .measure(
      "stopped_share", .decimal, "share of runs in which the policy was sure before the horizon"
    ).share.main,
    .measure("stop_mean", .decimal, "after how many decisions it was, mean of those runs").count
      .main,
    .measure("stop_se", .decimal, "standard error of stop_mean").estimate,
    .measure(
      "error_rate", .decimal, "share of runs that recommend a variant that is not a best one"
    ).share.main,
    .measure(
      "simple_regret_mean", .decimal, "best mean less that of the variant recommended; mean of runs"
    ).estimate.main,
    .measure("simple_regret_se", .decimal, "standard error of simple_regret_mean").estimate.main,
  ]

  private static let timeColumns: [TableColumn] = [
    .environment, .policy,
    .measure("runs", .integer, "how often it was simulated"),
    .measure("level", .decimal, "the regret that is waited for").main,
    .measure("reached_share", .decimal, "share of runs whose regret came to it within the horizon")
      .share.main,
    .measure("t_q05", .integer, "first checkpoint at which 5 % of all runs had reached it").main,
    .measure("t_median", .integer, "first checkpoint at which half of all runs had reached it")
      .main,
    .measure("t_q95", .integer, "first checkpoint at which 95 % of all runs had reached it").main,
  ]

  /// Returns the quality of recommendations, and the stopping times of policies that stop.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func recommendations() throws(TableError) -> Table {
    var table = try Table(
      name: "simulate_recommendations", title: "Recommendations", columns: Self.stopColumns)
    try forEachPair { (pair, environment, policy) throws(TableError) in
      let outcomes = store.outcomes(of: pair)
      let stops = Moments(outcomes.compactMap { $0.stopped.map(Double.init) })
      let simple = Moments(outcomes.map { $0.points.last?.simpleRegret ?? .nan })
      let wrong = outcomes.count { ($0.points.last?.simpleRegret ?? 0) > 0 }
      let runs = Double(outcomes.count)
      try table.append(
        row: [
          .text(environment.specification.description), .text(policy), .integer(outcomes.count),
          .decimal(Double(stops.count) / runs), TableCell(stops.mean),
          TableCell(stops.standardError), .decimal(Double(wrong) / runs), TableCell(simple.mean),
          TableCell(simple.standardError),
        ])
    }
    note(&table)
    return table.sorted()
  }

  /// Returns the first checkpoints at which the regret of the runs reached a given number.
  ///
  /// - Parameter regret: The number.
  /// - Returns: A row for each policy in each environment.
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func times(to regret: Double) throws(TableError) -> Table {
    var table = try Table(
      name: "simulate_times", title: "Time to a regret", columns: Self.timeColumns)
    try forEachPair { (pair, environment, policy) throws(TableError) in
      let outcomes = store.outcomes(of: pair)
      // The number of runs that had reached it at each checkpoint; regret never decreases except by rounding.
      let steps = plan.tableSteps
      var reached = [Int](repeating: 0, count: steps.count)
      for outcome in outcomes {
        guard let first = steps.firstIndex(where: { outcome.points[$0.place].regret >= regret }) else {
          continue
        }
        for index in first..<reached.count { reached[index] += 1 }
      }
      let times = [0.05, 0.5, 0.95].map { part in
        TableCell(
          reached.firstIndex { Double($0) >= part * Double(outcomes.count) }.map { steps[$0].step })
      }
      try table.append(
        row: [
          .text(environment.specification.description), .text(policy), .integer(outcomes.count),
          .decimal(regret), .decimal(Double(reached.last ?? 0) / Double(outcomes.count)),
        ] + times)
    }
    note(&table)
    return table.sorted()
  }
}
