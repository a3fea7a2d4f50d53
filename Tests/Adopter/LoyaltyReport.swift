import EventLog
import Replay
import Reports
import Tables

/// Counts the units that had so many exposures, and their goals.
struct LoyaltyProjector: UnitProjector {
  let most: Int

  var needs: UnitNeeds { [.decisions, .goals] }

  var bytesPerGroup: Int { 0 }

  func groupCount(of state: [Int: [Int]]) -> Int { 0 }

  func makeState(_: UnitContext) -> [Int: [Int]] { [:] }

  func apply(_ history: Span<UnitEvent>, to state: inout [Int: [Int]]) {
    var (exposures, goals) = (0, 0)
    for index in history.indices {
      if history[index].kind.isExposure { exposures += 1 }
      if history[index].kind == .goal { goals += 1 }
    }
    merge([min(exposures, most): [1, goals]], into: &state)
  }

  func merge(_ other: [Int: [Int]], into state: inout [Int: [Int]]) {
    state.merge(other) { zip($0, $1).map(+) }
  }

  func result(of state: [Int: [Int]], _: UnitContext) -> [Int: [Int]] { state }
}

/// How many goals do units reach, by how often they came?
struct LoyaltyReport: UnitReport {
  static let name = "loyalty"
  static let abstract = "Goals of units by the number of their exposures."
  static let explanation = Explanation(
    question: "do units that come often reach more goals?", inputs: "decisions, goals", of: columns)

  static let options: [ReportOption<Self>] = [
    .integer("most", \.most, "N", "Count units with more exposures as units with N (default: 10).")
  ]

  /// Units with more exposures count as units with so many.
  var most = 10

  func projector(_: NameLookup) -> LoyaltyProjector { LoyaltyProjector(most: most) }

  func table(_ result: [Int: [Int]], names: LogNames, dimension: Dimension?) throws -> Table {
    try Table(
      name: Self.name, title: "Goals by exposures", columns: Self.columns,
      rows: result.map { Row(exposures: $0, units: $1[0], goals: $1[1]) }
    ).sorted()
  }

  struct Row {
    let exposures, units, goals: Int
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.key("exposures", "exposures of a unit", \.exposures)
    Columns.measure("units", "units with so many", \.units)
    Columns.explained(
      "goals / units",
      .measure("goals_per_unit", "their goals / units") { Double($0.goals) / Double($0.units) })
  }
}
