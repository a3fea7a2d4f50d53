/// Rows with a name at the left, marks along a common axis, and a text at the right, grouped under headings.
struct RowLayout {
  /// The texts of a row.
  struct Row {
    let name: String
    let group: String
    let text: String

    init(_ name: String, _ group: String, _ text: String) {
      (self.name, self.group, self.text) = (name, group, text)
    }
  }

  /// The width of everything.
  let width = FigurePages.panelWidth(columns: 1)
  private let title: String
  private let scale: PlotScale
  private let nameWidth: Double
  private let textWidth: Double

  private static let rowHeight = 20.0
  private static let groupHeight = 24.0
  private static let gap = 14.0
  private static let indent = 14.0

  /// Creates a layout with room for some rows.
  ///
  /// - Parameters:
  ///   - title: The title of the axis.
  ///   - scale: The scale of the axis.
  ///   - rows: All rows that share the layout.
  init(axis title: String, scale: PlotScale, rows: [Row]) {
    (self.title, self.scale) = (title, scale)
    let names = rows.map { TextWidth.of($0.name) + ($0.group.isEmpty ? 0 : Self.indent) }
    nameWidth = min(names.max() ?? 0, width * 0.36)
    textWidth = min(rows.map { TextWidth.of($0.text, size: 11) }.max() ?? 0, width * 0.36)
  }

  /// The left end of the axis.
  var left: Double { nameWidth + Self.gap }
  /// The length of the axis.
  var span: Double { width - left - textWidth - Self.gap }

  /// Returns the position of a value on the axis.
  func across(_ value: Double) -> Double { left + scale.position(value) * span }

  /// Returns a panel that says why there are no rows.
  func message(_ reason: String, in panel: PlotPanel) -> PanelDrawing {
    let text = Label.text(reason, x: 0, y: 16, look: .muted, width: width)
    return PanelDrawing(panel, width: width, content: (text, 28))
  }

  /// Returns the rows with their marks, which are drawn around the height 0, and the axis.
  ///
  /// - Parameters:
  ///   - rows: The rows and their marks.
  ///   - reference: A value to compare with, and its name, which may be empty; nil for none.
  /// - Returns: The rows and their height.
  func drawing(
    _ rows: [(row: Row, marks: Markup)], reference: (value: Double, name: String)? = nil
  ) -> (markup: Markup, height: Double) {
    let top = reference?.name.isEmpty == false ? 18.0 : 4
    var markup = Markup.none
    var y = top
    var group = ""
    for (row, marks) in rows {
      if row.group != group {
        group = row.group
        markup += Label.text(group, x: 0, y: y + 17, width: width)
        y += Self.groupHeight
      }
      let indent = row.group.isEmpty ? 0 : Self.indent
      let texts =
        Label.text(row.name, x: indent, y: 4, width: nameWidth - indent)
        + Label.text(
          row.text, x: width - textWidth, y: 4, look: .muted, size: 11, width: textWidth)
      markup += (texts + marks).moved(x: 0, y: y + Self.rowHeight / 2)
      y += Self.rowHeight
    }
    y += 4
    var axis = self.axis(from: top, to: y)
    if let reference { axis += line(at: reference, from: top, to: y) }
    return (axis + markup, y + 36)
  }

  private func axis(from top: Double, to bottom: Double) -> Markup {
    var markup = Markup.none
    var end = -Double.infinity
    for tick in scale.ticks {
      let x = across(tick.value)
      markup += Marks.line(x, top, x, bottom, "bp-grid")
      let half = TextWidth.of(tick.label, size: 11) / 2
      guard x - half > end + 6 else { continue }
      end = x + half
      markup += Label.text(
        tick.label, x: x, y: bottom + 15, anchor: .middle, look: .muted, size: 11)
    }
    markup += Marks.line(left, bottom, left + span, bottom, "bp-axis")
    return markup
      + Label.text(
        title, x: left + span / 2, y: bottom + 31, anchor: .middle, look: .muted, size: 11,
        width: 2 * min(left + span / 2, width - left - span / 2))
  }

  private func line(
    at reference: (value: Double, name: String), from top: Double, to bottom: Double
  ) -> Markup {
    let x = across(reference.value)
    let line = Marks.line(x, top - 2, x, bottom, "bp-reference")
    guard !reference.name.isEmpty else { return line }
    let half = TextWidth.of(reference.name, size: 11) / 2
    return line
      + Label.text(
        reference.name, x: min(max(x, half), width - half), y: top - 6, anchor: .middle,
        look: .muted, size: 11)
  }
}
