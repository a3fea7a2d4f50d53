internal import Plots

/// The SVG of a figure as an element of a page: without the declaration of a file, with ids that no other plot of the
/// page has, and with its style sheet apart, since the plots of a page share one.
struct InlinePlot {
  /// The element.
  private(set) var markup: String

  /// Creates the element; a figure without an SVG element gives none.
  ///
  /// - Parameters:
  ///   - figure: The figure.
  ///   - prefix: The anchor of the figure, with which its ids begin.
  init(_ figure: Figure, prefix: String) {
    guard let start = figure.svg.firstRange(of: "<svg")?.lowerBound else {
      markup = ""
      return
    }
    let sheet = Self.styleSheet(of: figure).flatMap { $0.startIndex < start ? nil : $0 }
    let parts = sheet.map { [figure.svg[start..<$0.startIndex], figure.svg[$0.endIndex...]] }
    var bytes: [UInt8] = []
    for byte in (parts ?? [figure.svg[start...]]).lazy.map(\.utf8).joined() {
      bytes.append(byte)
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") else { continue }
      if Self.references.contains(where: { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
        bytes += "\(prefix)--".utf8
      }
    }
    markup = String(decoding: bytes, as: UTF8.self)
    prefixLabels(prefix)
  }

  /// What stands before an id: its definition, and the ways to refer to it.
  private static let references = [" id=\"", "url(#", "href=\"#"]

  /// Prefixes the ids in the first list of ids that label the plot.
  private mutating func prefixLabels(_ prefix: String) {
    guard let opening = markup.firstRange(of: " aria-labelledby=\""),
      let end = markup[opening.upperBound...].firstIndex(of: "\"")
    else { return }
    let labels = markup[opening.upperBound..<end].split(separator: " ")
    markup.replaceSubrange(
      opening.upperBound..<end, with: labels.map { "\(prefix)--\($0)" }.joined(separator: " "))
  }

  /// Returns the style sheet of a figure, with its tags; nil for none.
  static func styleSheet(of figure: Figure) -> Substring? {
    guard let opening = figure.svg.firstRange(of: "<style>"),
      let closing = figure.svg[opening.upperBound...].firstRange(of: "</style>")
    else { return nil }
    return figure.svg[opening.lowerBound..<closing.upperBound]
  }
}
