internal import Bandits
internal import DecidingCore
internal import Events

extension Site {
  /// How long at least lies between two times at which a policy moves the traffic.
  static let reallocationMicroseconds: Int64 = 3_600_000_000
}

extension ExperimentPlan {
  /// The shares that the policy says now, when conversions were counted since it last did and an hour has
  /// passed; nil otherwise.
  ///
  /// The variations that have traffic in the configuration share it anew. Those without stay without, and
  /// users who are left out stay left out. Saved variations stay, so only new users move, and the propensity
  /// of each decision is the share that it was made with.
  func dueReallocation(in state: ExperimentsState, siteCode: String, at now: Timestamp)
    -> Site.Reallocation?
  {
    guard let policy, let learning = state.learning[experiment.id], learning.news > 0 else {
      return nil
    }
    if let last = state.sites[TextKey(siteCode)]?.reallocations[experiment.id]?.time,
      now.microseconds(since: last) < Site.reallocationMicroseconds
    {
      return nil
    }
    guard !arms.isEmpty else { return nil }
    let total = variations.map(\.deviation).reduce(0, +)
    let shares = policy.allocation(over: arms.map { learning.tallies[choices[$0]] ?? ArmTally() })
      .probabilities
    guard shares.count == arms.count else { return nil }
    var deviations: [VariationID: Double] = [:]
    for variation in variations { deviations[variation.id] = 0 }
    for (arm, share) in zip(arms, shares) { deviations[choices[arm]] = share * total }
    return Site.Reallocation(time: now, deviations: deviations)
  }

  /// What the log says of a reallocation.
  func payload(of reallocation: Site.Reallocation, siteCode: String) -> Payload {
    let shares = choices.map { id in
      JSONObject.Member(
        name: id.rawValue, value: .number(reallocation.deviations[id] ?? 0))
    }
    let json: JSONValue = [
      "siteCode": .string(siteCode), "deviations": .object(JSONObject(shares)),
    ]
    return .configurationApplied(
      ConfigurationApplied(
        system: ExperimentsState.system, experiment: experiment.id,
        reason: Reason.reallocated.rawValue, changed: ["deviations"], configuration: json.jsonText))
  }
}
