import OffPolicy
import Testing

/// The example of the catalogue of `OffPolicy`.
@Suite("Example of OffPolicy")
struct OffPolicyExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() throws {
    let decisions = [
      LoggedDecision(reward: 1, propensity: 0.5, target: 0.9),
      LoggedDecision(reward: 0, propensity: 0.5, target: 0.1),
    ].compactMap { $0 }
    var sums = OffPolicySums(try EstimatorCatalog.standard.named("snips"))
    for decision in decisions { sums.add(decision) }
    print(sums.value ?? .nan, sums.count)
    #expect(shown.lines == ["0.9 2"])
  }
}
