internal import EventLog
internal import Replay
internal import Specifications
internal import Tables

extension Table {
  /// The note of the goals that a mean reward adds up.
  private static let addedGoals = "goals_added_up"

  /// Notes what rewards are made of: the metric if one was asked for, otherwise the goals that are added up where an
  /// experiment has several.
  mutating func note(metric: RewardMetric, _ goals: CreditedGoals, _ names: LogNames) {
    guard metric == .standard else { return note(metric: metric.metric) }
    var added: Set<UInt32> = []
    for codes in goals.byExperiment.values where codes.count > 1 { added.formUnion(codes.keys) }
    guard !added.isEmpty else { return }
    let known = added.map { names.string($0, in: .goals) ?? "goal \($0)" }.distinctNames
    note(Self.addedGoals, AnswerText.list(known.map(AnswerText.name), most: 6))
  }

  /// Notes a metric that was asked for, and which of its values are better.
  mutating func note(metric: Metric) {
    note("metric", metric.label == nil ? metric.description : "\(metric): \(metric.definition)")
    if metric.direction != .higher { note("direction", metric.direction.rawValue) }
  }

  /// Says in the answer which goals are added up, if the notes do.
  mutating func answerAddedGoals() {
    guard case .text(let goals)? = notes.first(where: { $0.name == Self.addedGoals })?.value,
      !rows.isEmpty
    else { return }
    answer =
      Array(answer.prefix(2)) + [
        "Rewards add up the values of \(goals); --metric reward:goal=NAME counts one of them."
      ]
  }
}
