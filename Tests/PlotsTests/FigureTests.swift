import Testing

@testable import Plots

/// What holds for every figure, whatever it shows.
@Suite("Figures")
struct FigureTests {
  private func files(_ chart: SampleChart) throws -> [SVGFile] {
    try chart.figures.map { try #require(SVGFile($0.svg), "\($0.name)") }
  }

  @Test("a figure is well-formed, named and described", arguments: SampleChart.allCases)
  func accessible(chart: SampleChart) throws {
    for (figure, file) in zip(chart.figures, try files(chart)) {
      let root = try #require(file.elements.first)
      #expect(root.name == "svg" && root.attributes["role"] == "img")
      let ids = (root.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
      let named = ids.map { id in file.elements.first { $0.attributes["id"] == id }?.name }
      #expect(named == ["title", "desc"])
      #expect(file.elements[1].text == Markup.shown(figure.title))
      #expect(file.elements[2].text == Markup.shown(figure.description))
      #expect(figure.svg.hasPrefix("<?xml") && figure.svg.hasSuffix("</svg>\n"))
    }
  }

  @Test("every coordinate is a finite number", arguments: SampleChart.allCases)
  func finite(chart: SampleChart) throws {
    for file in try files(chart) {
      #expect(file.coordinates.count > 10)
      for text in file.coordinates where text != "100%" {
        #expect(Double(text)?.isFinite == true, "\(text)")
      }
    }
  }

  @Test("all text, the legend included, lies within the page", arguments: SampleChart.allCases)
  func inside(chart: SampleChart) throws {
    for file in try files(chart) {
      let page = file.size
      #expect(page.width == 760 && page.height <= 1_100)
      for text in file.all("text") {
        let x = text.x + (Double(text.attributes["x"] ?? "") ?? 0)
        let y = text.y + (Double(text.attributes["y"] ?? "") ?? 0)
        let size = Double(text.attributes["font-size"] ?? "") ?? 12
        let width = TextWidth.of(
          text.text, size: size, isBold: text.attributes["font-weight"] == "bold")
        let start =
          switch text.attributes["text-anchor"] {
          case "middle": x - width / 2
          case "end": x - width
          default: x
          }
        #expect(start >= 0 && start + width <= page.width + 0.01, "\(text.text)")
        #expect(y >= size && y <= page.height, "\(text.text)")
      }
    }
  }

  @Test("an interval beyond the limits goes to the edge, and leaves the axis to the others")
  func limits() throws {
    let rows = [
      IntervalChart.Row("a", value: 1, low: 0, high: 2),
      IntervalChart.Row("b", value: 1, low: 0, high: 5_000),
    ]
    let markup = { (limits: ClosedRange<Double>?) throws -> String in
      let panel = IntervalChart.Panel(
        title: "t", axis: PlotAxis("x"), rows: rows, limits: limits)
      let figures = IntervalChart(panels: [panel]).figures(
        name: "n", title: "T", description: "D")
      return try #require(figures.first).svg
    }
    let (free, limited) = (try markup(nil), try markup(-1...10))
    #expect(free.contains(">4000<") && !limited.contains(">4000<"))
    #expect(limited.contains(">2<") && limited.contains("to 5000"))
  }

  @Test("ids differ in a page that has several figures of the same name")
  func ids() throws {
    let chart = { (value: Double) in
      IntervalChart(panels: [
        .init(title: "a", axis: PlotAxis("mean"), rows: [.init("b", value: value)])
      ]).figures(name: "rewards", title: "Rewards", description: "Rewards of variants.")
    }
    let (first, second) = (try #require(chart(1).first), try #require(chart(2).first))
    let ids = try [first, second].flatMap { figure in
      try #require(SVGFile(figure.svg)).elements.compactMap { $0.attributes["id"] }
    }
    #expect(ids.count == 4 && Set(ids).count == 4)
    #expect(chart(1).first == first)
  }

  @Test("text from logs is text, whatever it contains")
  func hostile() throws {
    let svg = try #require(SampleChart.hostile.figures.first).svg
    let file = try #require(SVGFile(svg))
    #expect(file.says("<script>alert(1)</script>") && file.says("]]>&amp;"))
    #expect(file.all("script").isEmpty && file.all("style").count == 1)
    let names = Set(file.elements.flatMap(\.attributes.keys))
    #expect(names.allSatisfy { !$0.hasPrefix("on") })
    #expect(!svg.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    #expect(!svg.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
  }

  @Test("panels that do not fit on a page continue on the next one")
  func pages() throws {
    let panels = (0..<50).map { index in
      LineChart.Panel(
        title: "panel \(index)", x: PlotAxis("x"), y: PlotAxis("y"),
        curves: [.init("a", [.init(x: 0, y: 1), .init(x: 1, y: 2)], series: 0)])
    }
    let figures = LineChart(panels: panels).figures(
      name: "many", title: "Many", description: "Many panels.")
    #expect(figures.count == 9)
    #expect(figures.prefix(2).map(\.name) == ["many", "many_2"])
    #expect(figures[1].title == "Many (2 of 9)")
    var titles: [String] = []
    for figure in figures {
      let file = try #require(SVGFile(figure.svg))
      #expect(file.size.height <= 1_074)
      let own = file.all("text").map(\.text).filter { $0.hasPrefix("panel ") }
      #expect(own.count <= 12)
      titles += own
    }
    #expect(titles == panels.map(\.title))
  }

  @Test("an empty panel says why in words")
  func reasons() throws {
    let texts = try files(.empty).flatMap { $0.all("text") }.map(\.text).joined(separator: " ")
    for reason in ["there are no points", "no value is a finite number", "no value is above 0"] {
      #expect(texts.contains(reason), "\(reason)")
    }
    let none: [(any Chart, String)] = [
      (LineChart(panels: []), "There is nothing to show."),
      (
        IntervalChart(panels: [.init(title: "", axis: PlotAxis("x"), rows: [])]),
        "there are no values"
      ),
      (
        IntervalChart(panels: [
          .init(title: "", axis: PlotAxis("x"), rows: [.init("a", value: .nan)])
        ]), "no row has a value on this axis"
      ),
      (
        BarChart(panels: [
          .init(title: "", axis: PlotAxis("x"), bars: [.init("a", value: .infinity)])
        ]), "no bar has a finite length"
      ),
      (
        HistogramChart(
          panels: [.init(title: "", bins: [.init("1", heights: [0])])], series: ["a"],
          binTitle: "x", y: PlotAxis("y")), "all values are 0"
      ),
      (ReliabilityChart(panels: [.init(title: "", bins: [])]), "there are no predictions"),
      (
        StackedAreaChart(panels: [
          .init(title: "", y: PlotAxis("y"), starts: [], end: 0, layers: [])
        ]), "there are no values"
      ),
      (
        TimeSeriesChart(panels: [.init(title: "", y: PlotAxis("y"), series: [])]),
        "there are no values"
      ),
    ]
    for (chart, reason) in none {
      let figure = try #require(
        chart.figures(name: "none", title: "None", description: "Nothing.").first)
      let file = try #require(SVGFile(figure.svg))
      #expect(file.all("text").map(\.text).joined(separator: " ").contains(reason), "\(reason)")
    }
  }

  @Test("marks have their values for pointers and scripts, unless there are very many")
  func values() throws {
    let chart = { (count: Int) in
      LineChart(panels: [
        .init(
          title: "a", x: PlotAxis("decisions"), y: PlotAxis("regret"),
          curves: [
            .init(
              "b", (0..<count).map { .init(x: Double($0), y: 1.5, low: 1, high: 2) }, series: 0)
          ])
      ]).figures(name: "values", title: "Values", description: "Values.")
    }
    let few = try #require(chart(3).first.flatMap { SVGFile($0.svg) })
    let dot = try #require(few.all("circle").last)
    #expect(dot.attributes["data-series"] == "b" && dot.attributes["data-x"] == "2")
    #expect(dot.attributes["data-y"] == "1.5" && dot.attributes["data-high"] == "2")
    #expect(few.all("title").contains { $0.text == "b decisions 2: 1.5 (1 to 2)" })
    #expect(!few.elements.contains { $0.attributes["tabindex"] != nil })
    let many = try #require(chart(5_000).first.flatMap { SVGFile($0.svg) })
    #expect(many.all("circle").isEmpty && many.all("path").count == 2)
  }

  @Test("points far apart are joined by dots, and have no band between them")
  func sparse() throws {
    let panel = LineChart.Panel(
      title: "a", x: PlotAxis("x"), y: PlotAxis("y"),
      curves: [
        .init(
          "b", [0, 1, 2, 3, 100].map { .init(x: $0, y: $0, low: 0, high: 100) }, series: 0)
      ])
    let looks = { (joining: LineChart.Joining) in
      let figures = LineChart(panels: [panel], joining: joining).figures(
        name: "sparse", title: "Sparse", description: "Points.")
      return SVGFile(figures[0].svg)?.all("path").compactMap { $0.attributes["class"] }
    }
    #expect(looks(.straight) == ["bp-band", "bp-line"])
    #expect(looks(.whereDense) == ["bp-band", "bp-whisker", "bp-sparse", "bp-line"])
  }

  @Test("further figures are written beside the first one")
  func files() {
    let figures = ["a", "b", "c"].map { Figure(name: $0, title: "", description: "", svg: $0) }
    let paths = { (path: String) in Figure.files(figures, path: path).map(\.path) }
    #expect(paths("out/plot.svg") == ["out/plot.svg", "out/plot_2.svg", "out/plot_3.svg"])
    #expect(paths("v1.2/plot") == ["v1.2/plot", "v1.2/plot_2", "v1.2/plot_3"])
    #expect(paths(".svg") == [".svg", ".svg_2", ".svg_3"])
    #expect(Figure.files(figures, path: "p").map(\.text) == ["a", "b", "c"])
  }
}

extension Markup {
  /// The text as a viewer shows it.
  fileprivate static func shown(_ text: String) -> String {
    escaped(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }
}
