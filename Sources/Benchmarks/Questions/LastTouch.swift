import EventLog
import Replay
internal import Statistics

/// The question that is also put to other engines; see `peers`: the decisions of each variant of each experiment, the
/// goals credited to them and the sum of those goals' values, as in `report rewards`. A goal is credited to the latest
/// decision of its unit and experiment at or before it.
enum LastTouch {
  /// A number of the answer.
  struct Row {
    var experiment = ""
    var variant = ""
    var measure: String
    var value: Double
  }

  /// Answers the question on the given number of threads.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  static func answer(_ log: LogReader, jobs: Int) throws -> [Row] {
    let names = try LogNames(log, [.experiments, .variants])
    let tallies = try LogReplay(log, jobs: jobs).run(UnitSelection(), units: RewardProjector())
    return tallies.segments.flatMap { segment, tally in
      let measures = [
        ("decisions", Double(tally.decisions)), ("credited_goals", Double(tally.rewards)),
        ("reward_sum", tally.total.value),
      ]
      return measures.map { measure, value in
        Row(
          experiment: names.string(segment.arm.experiment, in: .experiments) ?? "",
          variant: names.string(segment.arm.variant, in: .variants) ?? "", measure: measure,
          value: value)
      }
    }
  }
}
