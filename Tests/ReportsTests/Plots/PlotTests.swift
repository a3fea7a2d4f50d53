import Foundation
import FoundationXML
import Tables
import Testing

@testable import Reports

/// The elements of an SVG file, counted by their names, and its texts.
final class SVGContent: NSObject, XMLParserDelegate {
  private(set) var counts: [String: Int] = [:]
  private(set) var texts: [String] = []
  private(set) var numbers: [String] = []

  /// Nil for what is no XML.
  init?(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
    if name == "text" || name == "title" { texts.append("") }
    numbers += attributes.values
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard let last = texts.indices.last else { return }
    texts[last] += text
  }

  /// How many elements there are of a name.
  func count(_ name: String) -> Int { counts[name] ?? 0 }

  /// Whether a text stands there, white space at its ends aside.
  func says(_ text: String) -> Bool {
    texts.contains { $0.trimmingCharacters(in: .whitespacesAndNewlines) == text }
  }

  /// Whether a coordinate is not a number.
  var isBroken: Bool { numbers.contains { $0.contains("nan") || $0.contains("inf") } }
}

@Suite("Plots")
struct PlotTests {
  private func bin(_ number: Int, _ count: Int, _ rate: Double) -> ReliabilityPlot.Bin {
    let low = Double(number) / 10
    return ReliabilityPlot.Bin(
      low...low + 0.1, count: count, confidence: low + 0.06, rate: rate,
      interval: max(0, rate - 0.08)...min(1, rate + 0.1))
  }

  private func diagram(_ study: String, _ predictor: String, bins: Int) -> ReliabilityPlot.Diagram {
    ReliabilityPlot.Diagram(
      study: study, predictor: predictor, remark: "ECE 0.05, 1234 takes",
      bins: (0..<bins).map { bin($0, 3 + 431 * $0 % 977, 0.05 + Double($0) * 0.083) })
  }

  @Test("a reliability diagram has a mark and a bar for each bin, and the names that hold anything")
  func reliability() throws {
    let svg = ReliabilityPlot([
      diagram("tab & <bar>", "markov:order=2", bins: 10),
      diagram("tab & <bar>", "uniform", bins: 1),
      diagram("tab & <bar>", "last", bins: 7), diagram("tab & <bar>", "half-life:days=5", bins: 4),
      diagram("rooms\u{1}\u{FFFF}", "last", bins: 2),
    ]).svg
    let content = try #require(SVGContent(svg))
    #expect(content.count("circle") == 24)
    // One is the ground.
    #expect(content.count("rect") == 25)
    // A curve, the diagonal and two pairs of axes each.
    #expect(content.count("path") == 5 * 4)
    #expect(content.says("tab & <bar>") && content.says("markov:order=2"))
    #expect(!content.isBroken)
  }

  @Test(
    "a learning curve has two lines for each predictor, its losses along a logarithm")
  func learning() throws {
    let curve = { (study: String, predictor: String, level: Double) in
      LearningPlot.Curve(
        study: study, predictor: predictor,
        points: (0..<12).map { place in
          let earlier = Double(1 << place) - 1
          return LearningPlot.Point(
            earlier: earlier, hitRate: 0.2 + level * Double(place) / 20,
            logLoss: 1.4 - level * Double(place) / 20 + (level > 0.85 ? 9 : 0))
        })
    }
    let svg = LearningPlot([
      curve("tabs", "uniform", 0), curve("tabs", "markov:order=2", 0.8), curve("tabs", "last", 0.9),
      curve("rooms", "uniform", 0),
      LearningPlot.Curve(study: "rooms", predictor: "last", points: []),
    ]).svg
    let content = try #require(SVGContent(svg))
    // Four curves twice, and four pairs of axes.
    #expect(content.count("path") == 4 * 2 + 4)
    #expect(content.says("2") && content.says("5") && !content.says("0.5"))
    #expect(content.says("log loss, nats") && content.says("hit rate"))
    #expect(!content.isBroken)
  }

  @Test("empty plots are complete files with a message")
  func nothing() throws {
    for svg in [ReliabilityPlot([]).svg, LearningPlot([]).svg] {
      let content = try #require(SVGContent(svg))
      #expect(content.says("no takes were predicted"))
    }
    let bare = ReliabilityPlot([diagram("s", "p", bins: 0)]).svg
    let content = try #require(SVGContent(bare))
    #expect(content.count("circle") == 0 && !content.isBroken)
  }

  @Test("a name that is too long is cut, and whole for who points at it")
  func longNames() throws {
    let name = "mixture:experts=" + String(repeating: "(last);", count: 9)
    let content = try #require(SVGContent(ReliabilityPlot([diagram("s", name, bins: 1)]).svg))
    #expect(content.says(name) && content.says("\(name.prefix(32))…"))
  }
}
