import EventLog
import Replay
internal import Statistics

/// The decisions of each variant of each experiment, the goals credited to them and the sum of those goals' values,
/// as in `report rewards`: a goal is credited to the latest decision of its unit and experiment at or before it.
struct LastTouch: Question {
  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow] {
    let names = try AnswerNames(log)
    let tallies = try LogReplay(log, jobs: jobs).run(UnitSelection(), units: RewardProjector())
    return tallies.segments.flatMap { segment, tally in
      let variant = CountProjector.Variant(
        experiment: segment.arm.experiment, variant: segment.arm.variant)
      return [
        names.row(variant, "decisions", Double(tally.decisions)),
        names.row(variant, "credited_goals", Double(tally.rewards)),
        names.row(variant, "reward_sum", tally.total.value),
      ]
    }
  }
}
