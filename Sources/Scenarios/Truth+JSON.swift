internal import Events

extension Truth {
  /// The truth as JSON text with a line terminator, with keys in a fixed order and named as in the reports. Numbers
  /// are the shortest decimals that parse back to the same value.
  ///
  /// - Complexity: O(number of variants).
  public var json: String {
    var members: [(String, OrderedJSON)] = [
      ("scenario", .text(scenario)),
      ("parameters", .object(parameters.map { ($0.name, .text($0.value)) })),
      ("events", .integer(events)),
      ("seed", .unsigned(seed)),
      ("attribution", .text("last")),
      ("counts", counts.json),
      ("experiments", .array(experiments.map { $0.json })),
      ("conversions", .array(conversions.map { $0.json })),
    ]
    if !studies.isEmpty { members.append(("studies", .array(studies.map { $0.json }))) }
    return OrderedJSON.object(members).text + "\n"
  }
}

extension Truth.Counts {
  fileprivate var json: OrderedJSON {
    let members: [(String, Int)] = [
      ("units", units), ("confirmed", confirmed), ("provisional", provisional),
      ("repeated", repeated), ("excluded", excluded),
      ("decisions_confirmed", decisionsConfirmed), ("goals_accepted", accepted),
      ("goals_refused", refused), ("conversions", conversions), ("data_points", dataPoints),
      ("out_of_order", outOfOrder),
    ]
    return .object(members.map { ($0.0, .integer($0.1)) })
  }
}

extension Truth.Experiment {
  fileprivate var json: OrderedJSON {
    .object([
      ("experiment", .text(experiment)), ("goal", .text(goal)), ("policy", .text(policy)),
      ("propensity_min", .number(smallestPropensity)), ("sticky", .value(.boolean(isSticky))),
      ("goals", .integer(goals)), ("goals_refused", .integer(refusedGoals)),
      ("slots", .array(slots.map { $0.json })),
    ])
  }
}

extension Truth.Slot {
  fileprivate var json: OrderedJSON {
    var members: [(String, OrderedJSON)] = [
      ("point", point.map { .text($0) } ?? .value(.null)),
      ("slot", slot.map { .text($0) } ?? .value(.null)),
      ("best_variant", .text(bestVariant)), ("variants", .array(variants.map { $0.json })),
    ]
    if !contexts.isEmpty { members.append(("contexts", .array(contexts.map { $0.json }))) }
    return .object(members)
  }
}

extension Truth.Variant {
  fileprivate var json: OrderedJSON {
    .object([
      ("variant", .text(variant)), ("propensity", propensity.map { .number($0) } ?? .value(.null)),
      ("reward_mean", .number(rewardMean)), ("reward_variance", .number(rewardVariance)),
      ("decisions", .integer(decisions)), ("rewards", .integer(rewards)),
      ("reward_sum", .number(rewardSum)),
    ])
  }
}

extension Truth.Context {
  fileprivate var json: OrderedJSON {
    .object([
      ("attribute", .text(attribute)), ("value", .text(value)), ("share", .number(share)),
      ("best_variant", .text(bestVariant)), ("variants", .array(variants.map { $0.json })),
    ])
  }
}

extension Truth.Conversion {
  fileprivate var json: OrderedJSON {
    .object([
      ("goal", .text(goal)), ("conversions", .integer(conversions)),
      ("negative", .integer(negative)), ("revenue_sum", .number(revenueSum)),
      ("depends_on_experiments", .value(.boolean(false))),
    ])
  }
}

extension Truth.Study {
  fileprivate var json: OrderedJSON {
    .object([
      ("study", .text(study)), ("options", .array(options.map { .text($0) })),
      ("order", .integer(order)), ("entropy_rate", .number(entropyRate)),
      ("entropy", .number(entropy)), ("best_hit_rate", .number(bestHitRate)),
      ("takes", .integer(takes)), ("units", .integer(units)),
    ])
  }
}
