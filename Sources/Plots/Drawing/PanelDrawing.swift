/// A drawn panel, before it has a place on a page.
struct PanelDrawing: Sendable {
  /// The height in pixels.
  var height: Double
  /// The marks, with the upper left corner as the origin.
  var markup: Markup
  /// The series, if a legend names them.
  var legend: Legend?

  /// Creates a panel from its heading and content.
  ///
  /// - Parameters:
  ///   - title: The title; may be empty.
  ///   - note: A remark below it; may be empty.
  ///   - width: The width of the panel.
  ///   - legend: The series, if a legend names them.
  ///   - content: The content and its height.
  init(
    title: String, note: String, width: Double, legend: Legend? = nil,
    content: (markup: Markup, height: Double)
  ) {
    markup = .none
    height = 0
    if !title.isEmpty {
      markup += Label.text(title, x: 0, y: 13, look: .bold, size: 13, width: width)
      height += 19
    }
    if !note.isEmpty {
      let drawn = Label.paragraph(note, x: 0, y: height, size: 11, width: width, most: 3)
      markup += drawn.markup
      height += drawn.height + 3
    }
    markup += content.markup.moved(x: 0, y: height)
    height += content.height
    self.legend = legend
  }

  /// The panel with its legend below it.
  func withLegend(width: Double) -> PanelDrawing {
    guard let legend else { return self }
    let drawn = legend.drawing(width: width)
    var panel = self
    panel.markup += drawn.markup.moved(x: 0, y: height + 4)
    panel.height += drawn.height + 4
    panel.legend = nil
    return panel
  }
}
