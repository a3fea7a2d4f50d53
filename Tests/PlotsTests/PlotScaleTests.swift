import Testing

@testable import Plots

@Suite("Axes and numbers of plots")
struct PlotScaleTests {
  @Test("axes have round numbers, from at most 0 to beyond the greatest value")
  func scales() {
    let texts = { (scale: PlotScale) in scale.ticks.map(scale.text) }
    #expect(texts(PlotScale(upTo: 1)) == ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    #expect(texts(PlotScale(around: [3, 17])) == ["0", "5", "10", "15", "20"])
    #expect(texts(PlotScale(around: [-1, 1.2])) == ["-1", "-0.5", "0", "0.5", "1", "1.5"])
    #expect(texts(PlotScale(around: [23_000], parts: 2)) == ["0", "20k", "40k"])
    #expect(texts(PlotScale(logarithmic: 1...2_000)) == ["1", "10", "100", "1000"])
    #expect(
      texts(PlotScale(logarithmic: 0.04...3, factors: [1, 2, 5]))
        == ["0.05", "0.1", "0.2", "0.5", "1", "2"])
    #expect(PlotScale(logarithmic: 1...100).position(10) == 0.5)
    for values in [[], [0.0], [0, 0], [1e300], [-1e-300]] as [[Double]] {
      let scale = PlotScale(around: values)
      #expect(scale.ticks.count >= 2 && scale.ticks.allSatisfy { scale.position($0).isFinite })
    }
  }

  @Test("an axis of a range of values need not have 0")
  func spans() {
    let texts = { (scale: PlotScale) in scale.ticks.map(scale.text) }
    #expect(texts(PlotScale(spanning: [103, 117])) == ["100", "105", "110", "115", "120"])
    #expect(texts(PlotScale(spanning: [-0.2, 0.7])) == ["-0.2", "0", "0.2", "0.4", "0.6", "0.8"])
    for values in [[], [5.0], [0, 0], [1e300], [-1e-300], [7, 7]] as [[Double]] {
      let scale = PlotScale(spanning: values)
      #expect(scale.ticks.count >= 2 && scale.ticks.allSatisfy { scale.position($0).isFinite })
      #expect(values.allSatisfy { (-1e-9...1 + 1e-9).contains(scale.position($0)) })
    }
  }

  @Test("numbers have at most two decimals, and none that XML does not know")
  func numbers() {
    #expect(
      [0, 1.5, -0.256, 12.04, 1e300, .nan].map(SVG.number) == [
        "0", "1.5", "-0.26", "12.04", "0", "0",
      ])
  }
}
