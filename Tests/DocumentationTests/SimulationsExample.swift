import Bandits
import Simulations
import Tables
import TestSupport
import Testing

/// The example of the catalogue of `Simulations`.
@Suite("Example of Simulations")
struct SimulationsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let plan = SimulationPlan(
      environments: ["bernoulli:means=0.1;0.5;0.6"], policies: ["thompson", "kl-ucb"],
      rules: RunRules(horizon: 500), runs: 20, seed: 1)
    let prepared = try PreparedPlan(plan)
    var store = OutcomeStore(plan)
    try SimulationRunner(prepared).run(&store)
    let ranking = try SimulationTables(prepared, store).ranking()
    for row in ranking.rows {
      print(row)
    }
    #expect(shown.lines.count == 2)
  }
}
