internal import Plots
internal import Specifications
internal import Tables

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

/// A table with the colours of its variants.
struct FigureTable {
  let table: Table
  let colors: VariantColors

  var columns: [TableColumn] { table.columns }

  func noteText(_ name: String) -> String? { table.noteText(name) }

  func panels(
    except others: Set<String>, where isWanted: (FigureRow) -> Bool = { _ in true }
  ) -> [FigurePanel] {
    table.panels(except: others, where: isWanted).map { panel in
      var panel = panel
      panel.series = colors.series(of: panel.rows.first?.text("experiment") ?? "")
      return panel
    }
  }
}
