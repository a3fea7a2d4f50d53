import Foundation
import FoundationXML

/// The elements of a page in order, as a strict XML parser reads them; the script, which is no XML, is kept aside.
final class PageContent: NSObject, XMLParserDelegate {
  /// An element with the text in it, that of its children included.
  struct Element {
    var name: String
    var attributes: [String: String]
    /// The indices of the elements around it, from the outermost.
    var ancestors: [Int]
    var text = ""
  }

  /// The elements in the order in which they begin.
  private(set) var elements: [Element] = []
  /// The text between the tags of the only script.
  let script: String
  private var open: [Int] = []

  /// Nil for a page that is not well-formed, or that has other than one script.
  init?(_ html: String) {
    let doctype = "<!DOCTYPE html>\n"
    let parts = html.components(separatedBy: "<script>")
    guard html.hasPrefix(doctype), parts.count == 2,
      let end = parts[1].range(of: "</script>")
    else { return nil }
    script = String(parts[1][..<end.lowerBound])
    super.init()
    let text = parts[0].dropFirst(doctype.count) + "<script>" + parts[1][end.lowerBound...]
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.append(Element(name: name, attributes: attributes, ancestors: open))
    open.append(elements.count - 1)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    for index in open { elements[index].text += text }
  }

  /// The elements of a name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// The elements of a name within the element that has an id.
  func all(_ name: String, in id: String) -> [Element] {
    guard let outer = elements.firstIndex(where: { $0.attributes["id"] == id }) else { return [] }
    return elements.filter { $0.name == name && $0.ancestors.contains(outer) }
  }

  /// The element that has an id.
  func element(_ id: String) -> Element? { elements.first { $0.attributes["id"] == id } }

  /// The names of the elements and their attributes, in order: what a page is but for its texts and its looks.
  var structure: [String] {
    elements.map {
      ([$0.name] + $0.attributes.keys.filter { $0 != "class" }.sorted()).joined(separator: " ")
    }
  }

  /// The values of an attribute.
  func values(_ attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }
}
