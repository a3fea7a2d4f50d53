/// Panels in columns, on as many pages as they need: each page is a figure of at most twelve panels that fits on a
/// printed page.
struct FigurePages {
  /// The width of a figure in pixels.
  static let width = 760.0
  /// The height beyond which a figure ends and another begins.
  static let mostHeight = 1_060.0
  /// The maximum number of panels of a figure.
  static let mostPanels = 12
  /// The space around and between panels.
  static let margin = 16.0

  let name: String
  let title: String
  let description: String
  /// The number of panels beside one another.
  let columns: Int

  /// Returns the width of a panel when several stand beside one another.
  static func panelWidth(columns: Int) -> Double {
    let gaps = Double(columns - 1) * 2 * margin
    return ((width - 2 * margin - gaps) / Double(columns)).rounded(.down)
  }

  /// Returns the figures: one with a message if there are no panels.
  func figures(_ panels: [PanelDrawing]) -> [Figure] {
    guard !panels.isEmpty else {
      let message = Label.text("There is nothing to show.", x: 0, y: 14, look: .muted)
      let panel = PlotPanel("", .rows(PlotRows(PlotAxis(""), [])))
      let drawing = PanelDrawing(panel, width: Self.width, content: (markup: message, height: 24))
      return [figure(page: 1, of: 1, panels: [[drawing]], legend: nil)]
    }
    let legends = panels.compactMap(\.legend)
    let shared = legends.count > 1 ? Legend.shared(legends) : nil
    let width = Self.panelWidth(columns: columns)
    let drawn = shared == nil ? panels.map { $0.withLegend(width: width) } : panels
    let pages = pages(drawn, room: Self.mostHeight - 120)
    return pages.enumerated().map { index, rows in
      figure(page: index + 1, of: pages.count, panels: rows, legend: shared)
    }
  }

  /// Returns the rows of panels of each page.
  private func pages(_ panels: [PanelDrawing], room: Double) -> [[[PanelDrawing]]] {
    var pages: [[[PanelDrawing]]] = []
    var page: [[PanelDrawing]] = []
    var used = 0.0
    for start in stride(from: 0, to: panels.count, by: columns) {
      let row = Array(panels[start..<min(start + columns, panels.count)])
      let height = (row.map(\.height).max() ?? 0) + Self.margin
      let count = page.reduce(0) { $0 + $1.count } + row.count
      if !page.isEmpty, used + height > room || count > Self.mostPanels {
        pages.append(page)
        (page, used) = ([], 0)
      }
      page.append(row)
      used += height
    }
    return pages + [page]
  }

  private func figure(
    page: Int, of pages: Int, panels: [[PanelDrawing]], legend: Legend?
  ) -> Figure {
    let title = pages > 1 ? "\(title) (\(page) of \(pages))" : title
    let inner = Self.width - 2 * Self.margin
    var content = Label.text(title, x: 0, y: 15, look: .bold, size: 15, width: inner)
    var y = 30.0
    // The title says what a single line is.
    if let legend, legend.entries.count > 1 || legend.entries.first?.sample != .line {
      let drawn = legend.drawing(width: inner)
      content += drawn.markup.moved(x: 0, y: y)
      y += drawn.height + 10
    }
    let step = Self.panelWidth(columns: columns) + 2 * Self.margin
    for row in panels {
      for (column, panel) in row.enumerated() {
        content += panel.markup.moved(x: Double(column) * step, y: y)
      }
      y += (row.map(\.height).max() ?? 0) + Self.margin
    }
    let caption = Label.paragraph(description, x: 0, y: y, size: 11.5, width: inner)
    content += caption.markup
    let svg = SVGDocument(
      name: pages > 1 && page > 1 ? "\(name)_\(page)" : name, title: title,
      description: description, width: Self.width, height: y + caption.height + 2 * Self.margin,
      content: content.moved(x: Self.margin, y: Self.margin))
    return Figure(name: svg.name, title: title, description: description, svg: svg.text)
  }
}
