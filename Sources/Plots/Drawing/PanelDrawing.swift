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
  ///   - panel: The heading: a title and a remark below it, which may be empty.
  ///   - width: The width of the panel.
  ///   - legend: The series, if a legend names them.
  ///   - content: The content and its height.
  init(
    _ panel: PlotPanel, width: Double, legend: Legend? = nil,
    content: (markup: Markup, height: Double)
  ) {
    markup = .none
    height = 0
    if !panel.title.isEmpty {
      markup += Label.text(panel.title, x: 0, y: 13, look: .bold, size: 13, width: width)
      height += 19
    }
    if !panel.note.isEmpty {
      let drawn = Label.paragraph(panel.note, x: 0, y: height, size: 11, width: width, most: 3)
      markup += drawn.markup
      height += drawn.height + 3
    }
    markup += content.markup.moved(x: 0, y: height)
    height += content.height
    self.legend = legend
  }

  /// Creates a panel that says why there is nothing between its axes.
  init(_ panel: PlotPanel, width: Double, saying reason: String, in frame: PlotFrame) {
    self.init(panel, width: width, content: (frame.message(reason), frame.totalHeight))
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
