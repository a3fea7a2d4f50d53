import Events
import Interchange
import Specifications

/// `visits:goal=order`: a CSV of what visitors were shown, and what they bought.
struct VisitLog: ImportFormat {
  static let info = SpecificationInfo(
    "visits", "what visitors saw and bought", source: "an example")
  static let recognition = "header with visitor, shown and bought"

  var goal: String?

  static var parameters: [Field] { Field.text("goal", \.goal, "the name of a purchase") }

  static func match(_ sample: InputSample) -> FormatMatch {
    sample.match(columns: "visitor", "shown", "bought")
  }

  func open(_ input: ImportInput) throws(ImportError) -> any RecordSource {
    let experiment = ExperimentID(try input.experimentName())
    return try CSVSource(input.bytes) { (header) throws(ImportError) in
      try VisitReader(header, experiment, GoalID(goal ?? "order"))
    }
  }
}

/// Reads a visit: a decision, and a goal for what was bought.
private struct VisitReader: CSVRowReader {
  private let experiment: ExperimentID
  private let goal: GoalID
  private let (visitor, shown, bought, time): (Int, Int, Int, Int)

  init(_ header: CSVHeader, _ experiment: ExperimentID, _ goal: GoalID) throws(ImportError) {
    (self.experiment, self.goal) = (experiment, goal)
    visitor = try header.column("visitor", remedy: "add it")
    shown = try header.column("shown", remedy: "add it")
    bought = try header.column("bought", remedy: "add it")
    time = try header.column("time", "at", remedy: "add the time of each visit")
  }

  func read(_ row: CSVReader, into record: inout ImportedRecord) throws(Rejection) {
    guard let time = row.time(time) else {
      throw Rejection(.time, "the time is \"\(row.text(time))\" and must be ISO 8601")
    }
    let unit = UnitID(row.text(visitor))
    let decision = Decision(experiment: experiment, variant: VariantID(row.text(shown)))
    try record.append(Event(time: time, unit: unit, payload: .decision(decision)))
    guard let price = row.number(bought) else { return }
    let purchase = Goal(experiment: experiment, goal: goal, value: price)
    try record.append(Event(time: time, unit: unit, payload: .goal(purchase)))
  }
}
