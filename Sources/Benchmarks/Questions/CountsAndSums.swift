import EventLog
import Events

/// For each variant of each experiment its decisions and the sum of their propensities; for each goal how many have
/// a value, and the sum of the values.
struct CountsAndSums: Question {
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow] {
    var pairs = try PairCodes(log)
    let names = try LogNames(log, [.goals])
    var variants = CodeTally(codeLimit: pairs.limit)
    var goals = CodeTally(codeLimit: log.codeLimit(.goals))
    try log.forEachBatch([.experiment, .variant, .propensity, .goal, .value]) { batch in
      pairs.load(batch)
      variants.count(pairs.codes, of: batch.kinds, .decision)
      variants.add(batch.propensities, by: pairs.codes)
      goals.add(batch.values, by: batch.goals)
    }
    var rows: [AnswerRow] = []
    for (pair, (decisions, sum)) in zip(variants.rowCounts, variants.sums).enumerated()
    where pair > 0 && decisions > 0 {
      rows.append(pairs.row(pair, "decisions", Double(decisions)))
      rows.append(pairs.row(pair, "propensity_sum", sum))
    }
    for (code, (count, sum)) in zip(goals.numberCounts, goals.sums).enumerated() where count > 0 {
      let goal = names.string(UInt32(code), in: .goals) ?? ""
      rows.append(AnswerRow(goal: goal, measure: "goals_with_value", value: Double(count)))
      rows.append(AnswerRow(goal: goal, measure: "value_sum", value: sum))
    }
    return rows
  }
}
