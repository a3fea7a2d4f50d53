import Testing

@testable import Plots

/// What holds for every figure, whatever it shows.
@Suite("Figures")
struct FigureTests {
  private func files(_ plot: SamplePlot) throws -> [SVGFile] {
    try plot.figures.map { try #require(SVGFile($0.svg), "\($0.name)") }
  }

  @Test("a figure is well-formed, named and described", arguments: SamplePlot.allCases)
  func accessible(plot: SamplePlot) throws {
    for (figure, file) in zip(plot.figures, try files(plot)) {
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

  @Test("every coordinate is a finite number", arguments: SamplePlot.allCases)
  func finite(plot: SamplePlot) throws {
    for file in try files(plot) {
      #expect(file.coordinates.count > 10)
      for text in file.coordinates where text != "100%" {
        #expect(Double(text)?.isFinite == true, "\(text)")
      }
    }
  }

  @Test("all text, the legend included, lies within the page", arguments: SamplePlot.allCases)
  func inside(plot: SamplePlot) throws {
    for file in try files(plot) {
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
      PlotRows.Row("a", value: 1, low: 0, high: 2),
      PlotRows.Row("b", value: 1, low: 0, high: 5_000),
    ]
    let markup = { (limits: ClosedRange<Double>?) throws -> String in
      let panel = PlotPanel("t", .rows(PlotRows(PlotAxis("x"), rows, limits: limits)))
      let figures = Plot([panel]).figures(
        name: "n", title: "T", description: "D")
      return try #require(figures.first).svg
    }
    let (free, limited) = (try markup(nil), try markup(-1...10))
    #expect(free.contains(">4000<") && !limited.contains(">4000<"))
    #expect(limited.contains(">2<") && limited.contains("to 5000"))
  }

  @Test("ids differ in a page that has several figures of the same name")
  func ids() throws {
    let figures = { (value: Double) in
      Plot([PlotPanel("a", .rows(PlotRows(PlotAxis("mean"), [.init("b", value: value)])))])
        .figures(name: "rewards", title: "Rewards", description: "Rewards of variants.")
    }
    let (first, second) = (try #require(figures(1).first), try #require(figures(2).first))
    let ids = try [first, second].flatMap { figure in
      try #require(SVGFile(figure.svg)).elements.compactMap { $0.attributes["id"] }
    }
    #expect(ids.count == 4 && Set(ids).count == 4)
    #expect(figures(1).first == first)
  }

  @Test("text from logs is text, whatever it contains")
  func hostile() throws {
    let svg = try #require(SamplePlot.hostile.figures.first).svg
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
      PlotPanel(
        "panel \(index)",
        .curves(
          PlotCurves(
            x: PlotAxis("x"), y: PlotAxis("y"),
            [.init("a", [.init(x: 0, y: 1), .init(x: 1, y: 2)], series: 0)])))
    }
    let figures = Plot(panels).figures(
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
    let (x, y) = (PlotAxis("x"), PlotAxis("y"))
    let none: [(PlotPanel.Marks, String)] = [
      (.rows(PlotRows(x, [])), "there are no values"),
      (.rows(PlotRows(x, [.init("a", value: .nan)])), "no row has a value on this axis"),
      (.rows(PlotRows(x, [.init("a", value: .infinity)], as: .bar)), "no bar has a finite length"),
      (
        .histogram(
          PlotHistogram([.init("1", heights: [0])], series: ["a"], binTitle: "x", y: y)),
        "all values are 0"
      ),
      (.rates(PlotRates([])), "there are no values"),
      (.layers(PlotLayers(y: y, starts: [], end: 0, [])), "there are no values"),
      (.curves(PlotCurves(y: y, [])), "there are no values"),
    ]
    let plots =
      [(Plot([]), "There is nothing to show.")] + none.map { (Plot([PlotPanel("", $0.0)]), $0.1) }
    for (plot, reason) in plots {
      let figure = try #require(
        plot.figures(name: "none", title: "None", description: "Nothing.").first)
      let file = try #require(SVGFile(figure.svg))
      #expect(file.all("text").map(\.text).joined(separator: " ").contains(reason), "\(reason)")
    }
  }

  @Test("marks have their values for pointers and scripts, unless there are very many")
  func values() throws {
    let figures = { (count: Int) in
      let points = (0..<count).map { PlotCurves.Point(x: Double($0), y: 1.5, low: 1, high: 2) }
      let curves = PlotCurves(
        x: PlotAxis("decisions"), y: PlotAxis("regret"), [.init("b", points, series: 0)])
      return Plot([PlotPanel("a", .curves(curves))])
        .figures(name: "values", title: "Values", description: "Values.")
    }
    let few = try #require(figures(3).first.flatMap { SVGFile($0.svg) })
    let dot = try #require(few.all("circle").last)
    #expect(dot.attributes["data-series"] == "b" && dot.attributes["data-x"] == "2")
    #expect(dot.attributes["data-y"] == "1.5" && dot.attributes["data-high"] == "2")
    #expect(few.all("title").contains { $0.text == "b decisions 2: 1.5 (1 to 2)" })
    #expect(!few.elements.contains { $0.attributes["tabindex"] != nil })
    let many = try #require(figures(5_000).first.flatMap { SVGFile($0.svg) })
    #expect(many.all("circle").isEmpty && many.all("path").count == 2)
  }

  @Test("points far apart are joined by dots, and have no band between them")
  func sparse() throws {
    let points = [0, 1, 2, 3, 100].map { PlotCurves.Point(x: $0, y: $0, low: 0, high: 100) }
    let looks = { (joining: PlotCurves.Joining) in
      let curves = PlotCurves(
        x: PlotAxis("x"), y: PlotAxis("y"), [.init("b", points, series: 0)], joining: joining)
      let figures = Plot([PlotPanel("a", .curves(curves))]).figures(
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
