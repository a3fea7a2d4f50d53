/// One panel of rows: names at the left, values with intervals along an axis, and the numbers at the right.
struct RowPanel {
  private let panel: PlotPanel
  private let rows: PlotRows
  private let layout: RowLayout
  private var axis: PlotAxis { rows.axis }

  /// Creates a panel.
  ///
  /// - Parameters:
  ///   - panel: The heading.
  ///   - rows: The rows.
  ///   - layout: The layout of all rows of which these may be a part.
  init(_ panel: PlotPanel, _ rows: PlotRows, _ layout: RowLayout) {
    (self.panel, self.rows, self.layout) = (panel, rows, layout)
  }

  /// Returns a layout with room for all rows of a panel.
  static func layout(_ all: PlotRows) -> RowLayout {
    let values = all.rows.flatMap { [$0.value, $0.expected, all.end($0.low), all.end($0.high)] }
    let placed = (values + [all.reference]).compactMap(\.self).filter(all.axis.has)
    return RowLayout(
      axis: all.axis.title, scale: all.axis.scale(placed, isTight: false, ticks: 6),
      rows: all.rows.map(all.texts))
  }

  /// The panel.
  var drawing: PanelDrawing {
    let placed = rows.rows.filter { $0.value.map(axis.has) == true }
    guard !placed.isEmpty else {
      let hasValues = rows.rows.contains { $0.value != nil }
      let reason =
        rows.mark == .bar ? "no bar has a finite length" : "no row has a value on this axis"
      return layout.message(hasValues ? reason : panel.emptyReason, in: panel)
    }
    // A row without a bar would look like one whose length is 0.
    let shown = rows.mark == .bar ? placed : rows.rows
    let expected = Legend(entries: [.init(name: "expected", series: 0, sample: .expected)])
    let reference = rows.reference.flatMap { axis.has($0) ? $0 : nil }
    return PanelDrawing(
      panel, width: layout.width,
      legend: shown.contains { $0.expected != nil } ? expected : nil,
      content: layout.drawing(
        shown.map { (rows.texts($0), marks($0)) },
        reference: reference.map { ($0, rows.referenceName) }))
  }

  private func marks(_ row: PlotRows.Row) -> Markup {
    guard let value = row.value, axis.has(value) else { return .none }
    let color = SeriesStyle(row.series).color
    switch rows.mark {
    case .dot:
      let dashes = row.isDoubtful ? [Markup.Attribute("stroke-dasharray", "2 2")] : []
      return Markup.group(
        [color],
        Marks.path(interval(row, half: 4), "bp-whisker", dashes)
          + Marks.dot(
            layout.across(value), 0, radius: 4.5, look: row.isDoubtful ? "bp-hollow" : "bp-fill",
            values: values(row, value)))
    case .bar:
      let (from, to) = (layout.across(min(0, value)), layout.across(max(0, value)))
      var markup = Markup.group(
        [color], Marks.rectangle(from, -6, to - from, 12, values: values(row, value)))
      markup += Marks.path(
        interval(row, half: 3), "bp-expected", [Markup.Attribute("fill", "none")])
      if let x = row.expected.flatMap({ $0.isFinite ? layout.across($0) : nil }) {
        markup += Marks.line(x, -9, x, 9, "bp-expected")
      }
      return markup
    }
  }

  /// Returns the interval of a row. One without an end is drawn to the end of the axis, without a mark there.
  private func interval(_ row: PlotRows.Row, half: Double) -> PathData {
    var path = PathData()
    let low = rows.end(row.low).map(layout.across)
    let high = rows.end(row.high).map(layout.across)
    guard low != nil || high != nil else { return path }
    path.lines([(low ?? layout.left, 0), (high ?? layout.left + layout.span, 0)])
    for end in [low, high].compactMap(\.self) { path.lines([(end, -half), (end, half)]) }
    return path
  }

  private func values(_ row: PlotRows.Row, _ value: Double) -> Marks.Values {
    let name = row.group.isEmpty ? row.name : "\(row.group): \(row.name)"
    var numbers: [(StaticString, Double?)] = [("data-y", value), ("data-expected", row.expected)]
    if rows.mark == .dot { numbers += [("data-low", row.low), ("data-high", row.high)] }
    return Marks.Values(
      tooltip: "\(name)\n\(axis.title): \(rows.texts(row).text)",
      data: [Markup.Attribute("data-series", name)]
        + numbers.compactMap { key, number in
          number.map { Markup.Attribute(key, axis.text($0)) }
        })
  }
}

extension PlotRows {
  /// Returns the end of an interval if it has a place in the panel.
  fileprivate func end(_ end: Double?) -> Double? {
    guard let end, axis.has(end), limits?.contains(end) ?? true else { return nil }
    return end
  }

  /// Returns the texts of a row, with its numbers.
  fileprivate func texts(_ row: Row) -> RowLayout.Row {
    guard let value = row.value, axis.has(value) else {
      return RowLayout.Row(row.name, row.group, row.note.isEmpty ? "no estimate" : row.note)
    }
    var text = axis.short(value)
    if let expected = row.expected { text += " of \(axis.short(expected)) expected" }
    if row.low != nil || row.high != nil {
      text += " (\(row.low.map(axis.short) ?? "…") to \(row.high.map(axis.short) ?? "…"))"
    }
    return RowLayout.Row(row.name, row.group, row.note.isEmpty ? text : "\(text), \(row.note)")
  }
}
