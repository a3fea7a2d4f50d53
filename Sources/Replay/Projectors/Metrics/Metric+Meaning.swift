extension Metric {
  /// Whom a metric is measured of.
  package enum Owner: String, Sendable {
    /// A unit of an experiment, from its first exposure on.
    case unit
    /// A decision, to which goals and conversions are credited.
    case decision
  }
}

extension Metric.Count {
  /// Returns the meaning of the word in `--metric`, in the one place where it is written.
  package func meaning(of owner: Metric.Owner) -> String {
    let isUnit = owner == .unit
    let goals = isUnit ? "a unit's goals of the experiment" : "the goals credited to a decision"
    let conversions = isUnit ? "a unit's conversions" : "the conversions credited to a decision"
    switch self {
    case .reward: return "the sum of the values of \(goals), 1 for a goal without a value"
    case .goals: return "the number of \(goals)"
    case .converted:
      let has = isUnit ? "a unit with" : "a decision that is credited with"
      return
        "1 for \(has) a goal of the experiment or a conversion, otherwise 0; a conversion that is marked as negative, "
        + "such as a refund, does not convert"
    case .conversions: return "the number of \(conversions), negative ones too"
    case .revenue: return "the sum of the revenue of \(conversions), negative ones subtracted"
    case .decisions: return "the number of a unit's confirmed decisions at the point and slot"
    case .visits: return "the number of a unit's visits; 30 minutes without any event of the unit end one"
    }
  }
}

extension Metric {
  /// The meaning of each form of a metric: of a unit those of ``forms``, of a decision those of ``RewardMetric``.
  package static func meanings(of owner: Owner) -> [(form: String, meaning: String)] {
    let counts = Count.allCases.filter { owner == .unit || $0.takesGoal }
    let ratio = ("ratio", "the sum of a metric over all units by that of another one: ratio:of=METRIC,over=METRIC")
    return counts.map { ($0.rawValue, $0.meaning(of: owner)) } + (owner == .unit ? [ratio] : [])
  }
}
