/// One panel of horizontal bars: names at the left, and the numbers at the right.
struct BarPanel {
  private let panel: BarChart.Panel
  private let rows: RowLayout
  private let bars: [BarChart.Bar]

  /// Creates a panel.
  ///
  /// - Parameters:
  ///   - panel: The bars.
  ///   - whole: The bars that determine the axis, of which these may be a part.
  init(_ panel: BarChart.Panel, of whole: BarChart.Panel) {
    self.panel = panel
    bars = panel.bars.filter { $0.value.isFinite }
    let values = whole.bars.flatMap { bar in
      [bar.value, bar.expected, bar.low, bar.high].compactMap(\.self)
    }
    rows = RowLayout(
      axis: whole.axis.title,
      scale: PlotScale.linear(values, includesZero: true, ticks: 6, unit: whole.axis.unit),
      rows: whole.bars.map { RowLayout.Row($0.name, $0.group, Self.text($0, whole.axis)) })
  }

  /// The panel.
  var drawing: PanelDrawing {
    guard !bars.isEmpty else {
      let reason = panel.bars.isEmpty ? panel.emptyReason : "no bar has a finite length"
      return rows.message(reason, title: panel.title, note: panel.note)
    }
    var entries: [Legend.Entry] = []
    if bars.contains(where: { $0.expected != nil }) {
      entries = [Legend.Entry(name: "expected", series: 0, sample: .expected)]
    }
    return PanelDrawing(
      title: panel.title, note: panel.note, width: rows.width,
      legend: entries.isEmpty ? nil : Legend(entries: entries),
      content: rows.drawing(
        bars.map { bar in
          (RowLayout.Row(bar.name, bar.group, Self.text(bar, panel.axis)), marks(bar))
        }))
  }

  private func marks(_ bar: BarChart.Bar) -> Markup {
    let (from, to) = (rows.across(min(0, bar.value)), rows.across(max(0, bar.value)))
    var markup = Marks.rectangle(from, -6, to - from, 12, values: values(bar))
    markup = Markup.group([SeriesStyle(bar.series).color], markup)
    if let low = bar.low, let high = bar.high, low.isFinite, high.isFinite {
      var path = PathData()
      path.lines([(rows.across(low), 0), (rows.across(high), 0)])
      for end in [low, high] { path.lines([(rows.across(end), -3), (rows.across(end), 3)]) }
      markup += Marks.path(path, "bp-expected", [Markup.Attribute("fill", "none")])
    }
    if let expected = bar.expected, expected.isFinite {
      let x = rows.across(expected)
      markup += Marks.line(x, -9, x, 9, "bp-expected")
    }
    return markup
  }

  private func values(_ bar: BarChart.Bar) -> Marks.Values {
    let axis = panel.axis
    let name = bar.group.isEmpty ? bar.name : "\(bar.group): \(bar.name)"
    var data = [
      Markup.Attribute("data-series", name), Markup.Attribute("data-y", axis.text(bar.value)),
    ]
    if let expected = bar.expected {
      data.append(Markup.Attribute("data-expected", axis.text(expected)))
    }
    return Marks.Values(tooltip: "\(name)\n\(axis.title): \(Self.text(bar, axis))", data: data)
  }

  private static func text(_ bar: BarChart.Bar, _ axis: PlotAxis) -> String {
    var text = axis.short(bar.value)
    if let expected = bar.expected { text += " of \(axis.short(expected)) expected" }
    if let low = bar.low, let high = bar.high {
      text += " (\(axis.short(low)) to \(axis.short(high)))"
    }
    return bar.note.isEmpty ? text : "\(text), \(bar.note)"
  }
}
