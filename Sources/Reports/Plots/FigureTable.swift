public import Plots
internal import Specifications
public import Tables

/// The colours of variants: one for each variant of an experiment, the same in all of its figures.
struct VariantColors {
  /// By experiment, the series of each variant.
  private var series: [NameKey: [NameKey: Int]] = [:]

  /// Creates the colours of the variants and baselines of tables.
  init(_ tables: [Table]) {
    var names: [NameKey: Set<NameKey>] = [:]
    for table in tables {
      let places = Dictionary(
        table.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      guard let experiment = places["experiment"] else { continue }
      for column in ["variant", "baseline"].compactMap({ places[$0] }) {
        for row in table.rows {
          guard case .text(let name) = row[column], !name.isEmpty else { continue }
          var key = NameKey("")
          if case .text(let text) = row[experiment] { key = NameKey(text) }
          names[key, default: []].insert(NameKey(name))
        }
      }
    }
    series = names.mapValues { names in
      let sorted = names.map(\.text).sorted(by: NaturalOrder.precedes)
      return Dictionary(
        zip(sorted.map { NameKey($0) }, SeriesColors.series(of: sorted)),
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the series of the variants of an experiment.
  func series(of experiment: String) -> [NameKey: Int] { series[NameKey(experiment)] ?? [:] }
}

/// A table of a report with the colours of its variants, from which the report's figures are drawn.
public struct FigureTable {
  private let table: Table
  private let colors: VariantColors

  /// Creates a table with colours; nil for those of its own variants.
  init(_ table: Table, colors: VariantColors? = nil) {
    (self.table, self.colors) = (table, colors ?? VariantColors([table]))
  }

  /// The name of the table, by which a report with several tables tells them apart.
  public var name: String { table.name }

  /// The columns.
  public var columns: [TableColumn] { table.columns }

  /// Returns the text of a note; nil without it.
  public func noteText(_ name: String) -> String? { table.noteText(name) }

  /// The name of the time zone whose days the table has.
  var timeZone: String { noteText("time_zone") ?? "UTC" }

  /// Returns the rows grouped by all key columns but some, in natural order of the keys.
  ///
  /// - Parameters:
  ///   - others: The key columns by which rows of a panel differ.
  ///   - isWanted: Whether a row is shown.
  /// - Returns: The groups.
  public func panels(
    except others: Set<String>, where isWanted: (FigureRow) -> Bool = { _ in true }
  ) -> [FigurePanel] {
    table.panels(except: others, where: isWanted).map { panel in
      var panel = panel
      panel.series = colors.series(of: panel.rows.first?.text("experiment") ?? "")
      return panel
    }
  }

  /// Returns a plot with a row for each variant: its value with an interval, and the number of observations.
  ///
  /// - Parameters:
  ///   - axis: The axis of the values.
  ///   - value: The column of the value.
  ///   - low: The column of the lower end of its interval.
  ///   - high: The column of the upper end.
  ///   - count: The column of the number of observations.
  ///   - verdict: The column of a reason without a value, or `ok`; nil for none.
  /// - Returns: The plot, with a panel for each experiment, point, slot and further key.
  public func variants(
    _ axis: PlotAxis, value: String, low: String = "ci_low", high: String = "ci_high",
    count: String, verdict: String? = nil
  ) -> Plot {
    let panels = panels(except: ["variant"]).map { panel in
      let verdicts = verdict.map(panel.names) ?? []
      let rows = panel.variantRows.map { series, row in
        let verdict = verdict.map(row.text) ?? ""
        let name = row.text("variant")
        return PlotRows.Row(
          name.isEmpty ? "all" : name, value: row.number(value), low: row.number(low),
          high: row.number(high),
          note: verdict.isEmpty || verdict == "ok" ? "n = \(row.text(count))" : verdict,
          series: series)
      }
      return PlotPanel(
        panel.title, .rows(PlotRows(axis, rows)),
        emptyReason: verdicts.isEmpty
          ? "no variant has a value" : "no value: " + verdicts.joined(separator: ", "))
    }
    return Plot(panels, or: .rows(PlotRows(axis, [])))
  }
}

extension Table {
  /// Returns the text of a note; nil without it.
  func noteText(_ name: String) -> String? {
    guard case .text(let text) = notes.first(where: { $0.name == name })?.value else { return nil }
    return text
  }
}

extension Plot {
  /// The text of a figure of a table without rows.
  static let emptyReason = "the table has no rows"

  /// Creates a plot of panels, or of one without marks that says why there are none.
  public init(_ panels: [PlotPanel], or marks: PlotPanel.Marks, saying reason: String? = nil) {
    self.init(
      panels.isEmpty ? [PlotPanel("", marks, emptyReason: reason ?? Self.emptyReason)] : panels)
  }
}

extension PlotPanel.Marks {
  /// Returns a bar for each variant, with what the closure adds to it.
  static func bars(
    _ panel: FigurePanel, _ axis: PlotAxis, _ column: String,
    _ add: (inout PlotRows.Row, FigureRow) -> Void
  ) -> Self {
    let bars = panel.variantRows.compactMap { series, row in
      row.number(column).map { value in
        var bar = PlotRows.Row(row.text("variant"), value: value, series: series)
        add(&bar, row)
        return bar
      }
    }
    return .rows(PlotRows(axis, bars, as: .bar))
  }
}

extension Report {
  /// Returns the figures of a table of the report.
  ///
  /// Each combination of experiment, point, slot and further keys is a panel; to draw one experiment only, give a table
  /// with its rows. Variants, experiments and other names are in natural order, and a variant has the same colour in
  /// all figures of an experiment.
  ///
  /// - Parameters:
  ///   - table: The table, as the report gives it.
  ///   - others: Other tables of the same experiments, whose variants have colours too.
  /// - Returns: The figures in reading order; none for a table that is not plotted. A table without rows gives figures
  ///   that say so.
  public static func figures(of table: Table, among others: [Table] = []) -> [Figure] {
    figures(of: FigureTable(table, colors: VariantColors([table] + others)))
  }
}
