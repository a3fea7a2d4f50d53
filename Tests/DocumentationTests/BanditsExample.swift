import Bandits
import TestSupport
import Testing

/// The example of the catalogue of `Bandits`.
@Suite("Example of Bandits")
struct BanditsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let environment = try Environments.named("bernoulli:means=0.1;0.5;0.6")
    let policy = try Policies.named("thompson:alpha=1,beta=1")
    let simulation = Simulation(environment, policy, RunRules(horizon: 1_000), seed: 1)
    let outcome = try simulation.run(0)
    print(outcome.points.map(\.regret), outcome.choices)
    #expect(outcome.choices.reduce(0, +) == 1_000)
    #expect(shown.lines.count == 1)
  }
}
