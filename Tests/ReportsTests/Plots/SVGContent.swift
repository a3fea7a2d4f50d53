import Foundation
import FoundationXML

/// The elements of an SVG file, counted by their names, and its texts.
final class SVGContent: NSObject, XMLParserDelegate {
  private(set) var counts: [String: Int] = [:]
  private(set) var texts: [String] = []
  private(set) var numbers: [String] = []
  private var isInText = false

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
    isInText = name == "text" || name == "title"
    if isInText { texts.append("") }
    let coordinates = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height", "d"]
    numbers += coordinates.compactMap { attributes[$0] }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    isInText = false
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    guard isInText, let last = texts.indices.last else { return }
    texts[last] += text
  }

  /// How many elements there are of a name.
  func count(_ name: String) -> Int { counts[name] ?? 0 }

  /// Whether a text stands there.
  func says(_ text: String) -> Bool { texts.contains(text) }

  /// Whether a coordinate is not a number.
  var isBroken: Bool { numbers.contains { $0.contains("nan") || $0.contains("inf") } }
}
