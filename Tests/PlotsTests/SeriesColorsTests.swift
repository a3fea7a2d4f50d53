import Testing

@testable import Plots

@Suite("Colours by name")
struct SeriesColorsTests {
  private func colors(_ names: [String]) -> [String: Int] {
    let series = SeriesColors.series(of: names)
    #expect(Set(series).count == names.count)
    return Dictionary(
      zip(names, series.map { $0 % PlotTheme.seriesCount }), uniquingKeysWith: { $1 })
  }

  @Test("names without a colour have the colours in their order")
  func plain() {
    #expect(SeriesColors.series(of: ["a", "b", "c"]) == [0, 1, 2])
    #expect(SeriesColors.series(of: (0..<20).map { "v\($0)" }) == Array(0..<20))
    #expect(SeriesColors.series(of: ["bluebird", "redo", "greenhouse"]) == [0, 1, 2])
  }

  @Test("a variant called green is green, and no other one is")
  func green() {
    let three = colors(["blue", "green", "orange"])
    #expect(three == ["blue": 0, "green": 2, "orange": 1])
    for name in ["green", "Green", "dark green", "green-button", "#00ff00", "#0f0"] {
      let found = colors((0..<9).map { "v\($0)" } + [name])
      #expect(found[name] == 2, "\(name)")
      #expect(found.values.count { $0 == 2 } == 1, "\(name)")
    }
  }

  @Test("nothing else has a colour that could be taken for the name of another variant")
  func reserved() {
    let blue = colors(["blue", "a", "b", "c", "d", "e", "f", "g"])
    #expect(blue["blue"] == 0 && blue.values.count { $0 == 0 || $0 == 5 } == 1)
    // Black on a light ground is white on a dark one.
    #expect(!colors(["a", "b", "c", "d", "e", "f", "g", "white"]).values.contains(6))
    let both = colors(["orange", "red", "x"])
    #expect(both["orange"] == 1 && both.values.count { $0 == 1 } == 1)
    #expect(colors(["control", "red"]) == ["control": 0, "red": 1])
  }

  @Test("a name with two colours, or with a number that is no colour, is a name as any other")
  func others() {
    #expect(SeriesColors.series(of: ["a", "red on green", "#12"]) == [0, 1, 2])
  }

  @Test("names of every colour leave colours for the others")
  func all() {
    let names = ["black", "blue", "brown", "green", "orange", "purple", "sky", "yellow", "a", "b"]
    _ = colors(names)
  }
}
