internal import Bandits
internal import DecidingCore
internal import Events

extension Site {
  /// The minimum time between two reallocations by a policy.
  static let reallocationMicroseconds: Int64 = 3_600_000_000
}

extension ExperimentPlan {
  /// Returns the shares by the policy, when conversions were counted since the last reallocation and an hour
  /// has passed; nil otherwise.
  ///
  /// The variations with traffic in the configuration share it again; those without any stay without, and
  /// traffic that is not allocated stays unallocated. Saved variations are kept, so only new users are
  /// affected, and the propensity of each decision is the share with which it was made.
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

  /// Returns the payload that records a reallocation.
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
