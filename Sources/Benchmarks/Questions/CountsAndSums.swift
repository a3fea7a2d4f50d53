import EventLog
import Replay
internal import Statistics

/// The decisions of each variant of each experiment and the sum of their propensities; the goals with a value by
/// code, and the sum of the values.
struct CountsAndSums: Question {
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow] {
    let names = try AnswerNames(log)
    let projector = CountProjector(log)
    let state = try LogReplay(log, jobs: jobs).run(projector)
    var rows: [AnswerRow] = []
    for (variant, tally) in projector.variants(of: state) {
      rows.append(names.row(variant, "decisions", Double(tally.count)))
      rows.append(names.row(variant, "propensity_sum", tally.sum.value))
    }
    for (code, tally) in projector.goals(of: state) {
      let goal = names.goal(code)
      rows.append(AnswerRow(goal: goal, measure: "goals_with_value", value: Double(tally.count)))
      rows.append(AnswerRow(goal: goal, measure: "value_sum", value: tally.sum.value))
    }
    return rows
  }
}
