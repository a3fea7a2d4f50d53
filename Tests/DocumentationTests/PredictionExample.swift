import Prediction
import TestSupport
import Testing

/// The example of the catalogue of `Prediction`.
@Suite("Example of Prediction")
struct PredictionExample {
  private let shown = Shown()

  private func print(_ items: Any...) { shown.print(items) }

  @Test("the example runs")
  func example() {
    var learning = Markov().beginning
    learning.apply(.define(takes: [0, 0, 0], encounters: 0), at: nil)
    for option in [0, 1, 0, 1, 0] {
      learning.take(option, at: nil)
    }
    let forecast = learning.forecast(at: nil)
    print(forecast.confidences, forecast.mostLikely ?? -1)
    #expect(forecast.mostLikely == 1)
    #expect(shown.lines.count == 1)
  }
}
