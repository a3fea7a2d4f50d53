/// One panel of rows: names at the left, values with intervals along an axis, and the numbers at the right.
struct IntervalPanel {
  private let panel: IntervalChart.Panel
  private let rows: RowLayout

  /// Creates a panel.
  ///
  /// - Parameters:
  ///   - panel: The rows.
  ///   - whole: The rows that determine the axis, of which these may be a part.
  init(_ panel: IntervalChart.Panel, of whole: IntervalChart.Panel) {
    self.panel = panel
    let axis = whole.axis
    let ends = whole.rows.flatMap { [Self.end($0.low, whole), Self.end($0.high, whole)] }
    let values = whole.rows.map(\.value) + ends + [whole.reference]
    rows = RowLayout(
      axis: axis.title,
      scale: axis.scale(values.compactMap(\.self).filter(axis.has), isTight: false, ticks: 6),
      rows: whole.rows.map { RowLayout.Row($0.name, $0.group, Self.text($0, axis)) })
  }

  /// The panel.
  var drawing: PanelDrawing {
    guard panel.rows.contains(where: { $0.value.map(panel.axis.has) == true }) else {
      let hasValues = panel.rows.contains { $0.value != nil }
      let reason = hasValues ? "no row has a value on this axis" : panel.emptyReason
      return rows.message(reason, title: panel.title, note: panel.note)
    }
    let reference = panel.reference.flatMap { panel.axis.has($0) ? $0 : nil }
    return PanelDrawing(
      title: panel.title, note: panel.note, width: rows.width,
      content: rows.drawing(
        panel.rows.map { row in
          (RowLayout.Row(row.name, row.group, Self.text(row, panel.axis)), marks(row))
        }, reference: reference.map { ($0, panel.referenceName) }))
  }

  /// Returns the end of an interval if it has a place in its panel.
  private static func end(_ end: Double?, _ panel: IntervalChart.Panel) -> Double? {
    guard let end, panel.axis.has(end), panel.limits?.contains(end) ?? true else { return nil }
    return end
  }

  private func marks(_ row: IntervalChart.Row) -> Markup {
    guard let value = row.value, panel.axis.has(value) else { return .none }
    var path = PathData()
    let low = Self.end(row.low, panel).map(rows.across)
    let high = Self.end(row.high, panel).map(rows.across)
    if low != nil || high != nil {
      // An interval without an end is drawn to the end of the axis, without a mark there.
      path.lines([(low ?? rows.left, 0), (high ?? rows.left + rows.span, 0)])
      for end in [low, high].compactMap(\.self) { path.lines([(end, -4), (end, 4)]) }
    }
    let dashes = row.isDoubtful ? [Markup.Attribute("stroke-dasharray", "2 2")] : []
    return Markup.group(
      [SeriesStyle(row.series).color],
      Marks.path(path, "bp-whisker", dashes)
        + Marks.dot(
          rows.across(value), 0, radius: 4.5, look: row.isDoubtful ? "bp-hollow" : "bp-fill",
          values: values(row, value)))
  }

  private func values(_ row: IntervalChart.Row, _ value: Double) -> Marks.Values {
    let axis = panel.axis
    let name = row.group.isEmpty ? row.name : "\(row.group): \(row.name)"
    return Marks.Values(
      tooltip: "\(name)\n\(axis.title): \(Self.text(row, axis))",
      data: [Markup.Attribute("data-series", name), Markup.Attribute("data-y", axis.text(value))]
        + (row.low.map { [Markup.Attribute("data-low", axis.text($0))] } ?? [])
        + (row.high.map { [Markup.Attribute("data-high", axis.text($0))] } ?? []))
  }

  /// Returns the numbers of a row as text.
  private static func text(_ row: IntervalChart.Row, _ axis: PlotAxis) -> String {
    guard let value = row.value, axis.has(value) else {
      return row.note.isEmpty ? "no estimate" : row.note
    }
    var text = axis.short(value)
    if row.low != nil || row.high != nil {
      text += " (\(row.low.map(axis.short) ?? "…") to \(row.high.map(axis.short) ?? "…"))"
    }
    return row.note.isEmpty ? text : "\(text), \(row.note)"
  }
}
