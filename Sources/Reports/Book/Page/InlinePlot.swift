internal import Plots

/// The SVG of a figure as an element of a page: without the declaration of a file, and with ids that no other plot of
/// the page has.
struct InlinePlot {
  /// The element.
  let markup: String

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
    markup = String(figure.svg[start...])
      .replacing(" id=\"", with: " id=\"\(prefix)--")
      .replacing("url(#", with: "url(#\(prefix)--")
      .replacing("href=\"#", with: "href=\"#\(prefix)--")
  }
}
