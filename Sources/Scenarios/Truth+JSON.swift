internal import Specifications

extension Truth {
  /// The truth as JSON text with a line terminator, with keys in a fixed order and named as in the reports. Numbers
  /// are the shortest decimals that parse back to the same value.
  ///
  /// - Complexity: O(number of variants).
  package var json: String {
    var members: [(String, JSONTree?)] = [
      ("scenario", .text(scenario)),
      ("parameters", .members(parameters.map { ($0.key, .text($0.value)) })),
      ("events", .integer(events)),
      ("seed", .unsigned(seed)),
      ("attribution", .text("last")),
      ("counts", counts.json),
      ("experiments", .list(experiments.map { $0.json })),
      ("conversions", .list(conversions.map { $0.json })),
    ]
    if !studies.isEmpty { members.append(("studies", .list(studies.map { $0.json }))) }
    return String(decoding: JSONTree.members(members).bytes(.innermost), as: UTF8.self)
  }
}

extension Truth.Counts {
  fileprivate var json: JSONTree {
    let members: [(String, Int)] = [
      ("units", units), ("confirmed", confirmed), ("provisional", provisional),
      ("repeated", repeated), ("excluded", excluded),
      ("decisions_confirmed", decisionsConfirmed), ("goals_accepted", accepted),
      ("goals_refused", refused), ("conversions", conversions), ("data_points", dataPoints),
      ("out_of_order", outOfOrder),
    ]
    return .members(members.map { ($0.0, .integer($0.1)) })
  }
}

extension Truth.Experiment {
  fileprivate var json: JSONTree {
    var members: [(String, JSONTree?)] = [
      ("experiment", .text(experiment)), ("about", .text(about)), ("goal", .text(goal)),
      ("policy", .text(policy)), ("propensity_min", .number(smallestPropensity)), ("sticky", .flag(isSticky)),
      ("goals", .integer(goals)), ("goals_refused", .integer(refusedGoals)),
      ("slots", .list(slots.map { $0.json })),
    ]
    if !effects.isEmpty { members.append(("effects", .list(effects.map { $0.json }))) }
    return .members(members)
  }
}

extension Truth.Effect {
  fileprivate var json: JSONTree {
    .members([
      ("metric", .text(metric)), ("variant", .text(variant)), ("mean", .number(mean)),
      ("lift", lift.map { .number($0) } ?? .null),
    ])
  }
}

extension Truth.Slot {
  fileprivate var json: JSONTree {
    var members: [(String, JSONTree?)] = [
      ("point", point.map { .text($0) } ?? .null),
      ("slot", slot.map { .text($0) } ?? .null),
      ("best_variant", .text(bestVariant)), ("variants", .list(variants.map { $0.json })),
    ]
    if !contexts.isEmpty { members.append(("contexts", .list(contexts.map { $0.json }))) }
    return .members(members)
  }
}

extension Truth.Variant {
  fileprivate var json: JSONTree {
    .members([
      ("variant", .text(variant)), ("propensity", propensity.map { .number($0) } ?? .null),
      ("reward_mean", .number(rewardMean)), ("reward_variance", .number(rewardVariance)),
      ("decisions", .integer(decisions)), ("rewards", .integer(rewards)),
      ("reward_sum", .number(rewardSum)),
    ])
  }
}

extension Truth.Context {
  fileprivate var json: JSONTree {
    .members([
      ("attribute", .text(attribute)), ("value", .text(value)), ("share", .number(share)),
      ("best_variant", .text(bestVariant)), ("variants", .list(variants.map { $0.json })),
    ])
  }
}

extension Truth.Conversion {
  fileprivate var json: JSONTree {
    .members([
      ("goal", .text(goal)), ("conversions", .integer(conversions)),
      ("negative", .integer(negative)), ("revenue_sum", .number(revenueSum)),
      ("depends_on_experiments", .flag(false)),
    ])
  }
}

extension Truth.Study {
  fileprivate var json: JSONTree {
    .members([
      ("study", .text(study)), ("options", .list(options.map { .text($0) })),
      ("order", .integer(order)), ("entropy_rate", .number(entropyRate)),
      ("entropy", .number(entropy)), ("best_hit_rate", .number(bestHitRate)),
      ("takes", .integer(takes)), ("units", .integer(units)),
    ])
  }
}
