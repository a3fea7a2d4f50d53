import Statistics
import TestSupport
import Testing

/// The example of the catalogue of `Statistics`.
@Suite("Example of Statistics")
struct StatisticsExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() {
    let control = Moments([0, 1, 0, 0, 1, 0, 0, 0])
    let treatment = Moments([1, 1, 0, 1, 1, 0, 1, 0])
    let interval = treatment.meanInterval(level: 0.95)
    print(control.mean ?? .nan, treatment.mean ?? .nan, interval?.low ?? .nan)

    let conversions = Proportion(successes: 42, trials: 1_000)
    print(conversions.value ?? .nan, conversions.wilsonInterval()?.high ?? .nan)

    var random = Xoshiro256(seed: 1)
    print(BetaShape(3, 5).draw(using: &random))
    #expect(shown.lines.count == 3)
    #expect(shown.lines[0].hasPrefix("0.25 0.625 "))
  }
}
