import EventLog
import Plots
import Replay
import Reports
import Tables

/// The report `busy_units`: how many units had at least so many events. Everything about it is in this file.
struct OwnReport: UnitReport {
  static let name = "busy_units"
  static let abstract = "Units with at least so many exposures."
  static let discussion = "An exposure is a decision that is confirmed or repeated."
  static let examples = ["bandolier report busy_units datasets/storefront.log --least 3"]
  static let explanation = Explanation(
    question: "how many units came often?", inputs: "decisions", of: columns)

  /// The number of exposures from which a unit counts.
  var least = 2

  @OptionsBuilder<Self>
  static var options: [ReportOption<Self>] {
    Option.integer(
      "least", \.least, "N", "Count units with at least N exposures, such as 3 (default: 2).")
  }

  mutating func validate() throws(ReportError) {
    guard least < 1 else { return }
    throw ReportError(.badParameter, "least must be at least 1")
  }

  func projector(_: NameLookup) -> BusyUnitProjector { BusyUnitProjector(least: least) }

  static var columns: ReportColumns<(least: Int, units: Int)> {
    .key("least", "exposures from which a unit counts") { $0.least }
      + .explained("units with at least --least exposures", .measure("units", "units") { $0.units })
  }

  func table(_ units: Int, names: LogNames, dimension: Dimension?) throws -> Table {
    let rows = [(least: least, units: units)]
    return try Table(
      name: Self.name, title: "Units that came often", columns: Self.columns, rows: rows)
  }
}

extension OwnReport {
  static func figures(of table: FigureTable) -> [Figure] {
    let panels = table.panels(except: ["least"]).map { panel in
      let bars = panel.rows.map { PlotRows.Row($0.text("least"), value: $0.number("units")) }
      return PlotPanel(panel.title, .rows(PlotRows(PlotAxis("units"), bars, as: .bar)))
    }
    return Plot(panels).figures(
      name: "busy_units", title: "Busy units", description: "Units with so many exposures.")
  }

  static let notebookCode: String? = #"read("busy_units").plot.bar(x="least", y="units")"#
}

extension OwnReport: ReportWithReadModel {
  static let readModel = KeptReport(
    of: OwnReport(), projector: BusyUnitProjector(least: OwnReport().least))

  var readyTable: (@Sendable (Int, LogNames) throws -> Table)? {
    guard least == OwnReport().least else { return nil }
    return { try table($0, names: $1, dimension: nil) }
  }
}

struct BusyUnitProjector: RevisableUnitProjector {
  let least: Int

  var needs: UnitNeeds { [.decisions] }

  var bytesPerGroup: Int { 0 }

  func groupCount(of units: Int) -> Int { 0 }

  func makeState(_: UnitContext) -> Int { 0 }

  func apply(_ history: Span<UnitEvent>, to units: inout Int) {
    var exposures = 0
    for index in history.indices where history[index].kind.isExposure { exposures += 1 }
    if exposures >= least { units += 1 }
  }

  func result(of units: Int, _: UnitContext) -> Int { units }
}
