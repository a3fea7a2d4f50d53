import EventLog
import Replay

/// The distinct units with decisions for each variant of each experiment: a bit for each unit and variant.
struct DistinctUnits: Question {
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow] {
    let names = try AnswerNames(log)
    let projector = DistinctUnitProjector(log)
    let state = try LogReplay(log, jobs: jobs).run(projector)
    return projector.counts(of: state).map { names.row($0, "units", Double($1)) }
  }
}
