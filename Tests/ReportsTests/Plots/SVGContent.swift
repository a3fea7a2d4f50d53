import Foundation
import FoundationXML

/// The elements of an SVG file, counted by their names, and its texts.
final class SVGContent: NSObject, XMLParserDelegate {
  private(set) var counts: [String: Int] = [:]
  private var written: [String] = []
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
    if name == "text" || name == "title" { written.append("") }
    let coordinates = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height", "d"]
    numbers += coordinates.compactMap { attributes[$0] }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard let last = written.indices.last else { return }
    written[last] += text
  }

  /// How many elements there are of a name.
  func count(_ name: String) -> Int { counts[name] ?? 0 }

  /// The texts, white space at their ends aside.
  var texts: [String] { written.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } }

  /// Whether a text stands there.
  func says(_ text: String) -> Bool { texts.contains(text) }

  /// Whether a coordinate is not a number.
  var isBroken: Bool { numbers.contains { $0.contains("nan") || $0.contains("inf") } }
}
