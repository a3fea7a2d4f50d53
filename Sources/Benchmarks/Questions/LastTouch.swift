import EventLog
import Replay
import Statistics

/// For each variant of each experiment its decisions, the goals credited to them and the sum of those goals' values,
/// as `report rewards` has them: a goal is credited to the latest decision of its unit and experiment at or before it.
struct LastTouch: Question {
  /// Bytes for the states of the replay: enough for 20 million events at once.
  private static let memoryLimit = 1 << 30

  func answer(_ log: LogReader, jobs: Int) throws -> [AnswerRow] {
    let names = try LogNames(log, [.points, .slots])
    let pairs = try PairCodes(log)
    let projector = RewardProjector(RewardProjector.StandardNames(names))
    let tallies = try Replay(log, memoryLimit: Self.memoryLimit).run(partitioned: projector)
    return tallies.arms.flatMap { arm, tally in
      let measures = [
        ("decisions", Double(tally.decisions)), ("credited_goals", Double(tally.rewards)),
        ("reward_sum", tally.total.value),
      ]
      return measures.map { pairs.row(arm.experiment, arm.variant, $0, $1) }
    }
  }
}
