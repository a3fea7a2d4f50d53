import Foundation
import FoundationXML

/// A parsed SVG file: its elements with their positions on the page.
final class SVGFile: NSObject, XMLParserDelegate {
  /// An element, with the sum of the translations around it.
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    var x: Double
    var y: Double
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []
  private var shifts: [(x: Double, y: Double)] = [(0, 0)]

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
    let (x, y) = shifts[shifts.count - 1]
    elements.append(Element(name: name, attributes: attributes, x: x, y: y))
    open.append(elements.count - 1)
    let moves = (attributes["transform"] ?? "").split { "(), translate".contains($0) }
      .compactMap { Double($0) }
    shifts.append(moves.count == 2 ? (x + moves[0], y + moves[1]) : (x, y))
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
    shifts.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  /// Returns the elements of a name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// Returns whether a text stands in the drawing.
  func says(_ text: String) -> Bool { all("text").contains { $0.text == text } }

  /// The width and height of the page.
  var size: (width: Double, height: Double) {
    let numbers = (all("svg").first?.attributes["viewBox"] ?? "").split(separator: " ")
      .compactMap { Double($0) }
    return numbers.count == 4 ? (numbers[2], numbers[3]) : (0, 0)
  }

  /// All coordinates and lengths, as they are written.
  var coordinates: [Substring] {
    elements.flatMap { element in
      element.attributes.flatMap { name, value -> [Substring] in
        switch name {
        case "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height": [value[...]]
        case "d", "transform", "viewBox": value.split { "MLZ(), translate".contains($0) }
        default: []
        }
      }
    }
  }
}
