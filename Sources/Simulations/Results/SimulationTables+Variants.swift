internal import Bandits
internal import Specifications
internal import Statistics
public import Tables

extension SimulationTables {
  private static let variantColumns: [TableColumn] = [
    .environment, .policy, .key("variant", .text, "what was chosen"),
    .measure("runs", .integer, "how often it was simulated"),
    .measure("mean", .decimal, "its mean reward, where that never changes").estimate
      .main,
    .measure("gap", .decimal, "the best mean less its own").estimate.main,
    .measure("choices_mean", .decimal, "how often it was chosen in a run; mean of runs").count.main,
    .measure("choices_se", .decimal, "standard error of choices_mean").estimate,
    .measure("choices_share", .decimal, "choices_mean / horizon").share.main,
    .measure(
      "regret_mean", .decimal, "the part of the regret that its choices caused; mean of runs"
    ).estimate.main,
    .measure("regret_share", .decimal, "regret_mean over that of all variants").share
      .main,
    .measure("recommended_share", .decimal, "share of runs at whose end it was recommended").share
      .main,
  ]

  /// Returns the number of choices of each variant, and the regret due to each.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  public func variants() throws(TableError) -> Table {
    var table = try Table(
      name: "simulate_variants", title: "Regret by variant", columns: Self.variantColumns)
    try forEachPair { (pair, environment, policy) throws(TableError) in
      let outcomes = store.outcomes(of: pair)
      let means = environment.arms?.map(\.mean)
      let best = means?.max()
      let regrets = environment.variantNames.indices.map { index in
        Moments(outcomes.map { $0.regretByVariant[index] }).mean ?? 0
      }
      let total = regrets.reduce(0, +)
      for (index, name) in environment.variantNames.enumerated() {
        let choices = Moments(outcomes.map { Double($0.choices[index]) })
        let recommended = outcomes.count { $0.recommendation == index }
        try table.append(
          row: [
            .text(environment.specification.description), .text(policy), .text(name),
            .integer(outcomes.count), TableCell(means?[index]),
            TableCell(best.flatMap { best in means.map { best - $0[index] } }),
            TableCell(choices.mean), TableCell(choices.standardError),
            TableCell(choices.mean.map { $0 / Double(plan.rules.horizon) }),
            TableCell(regrets[index]), TableCell(total > 0 ? regrets[index] / total : nil),
            .decimal(Double(recommended) / Double(outcomes.count)),
          ])
      }
    }
    note(&table)
    return table.sorted()
  }
}
