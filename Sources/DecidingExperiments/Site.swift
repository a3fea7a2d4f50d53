internal import Bandits
internal import Events

/// The configuration in use of a site, and the values derived from it.
///
/// Only the configuration as given and the reallocations are stored and compared; the rest is computed once,
/// so that a trigger only looks it up. Immutable, and a class so that triggers share it without copying.
final class Site: Sendable {
  /// A reallocation: the shares that a policy gave to the variations of an experiment.
  struct Reallocation: Hashable, Sendable, Codable {
    /// The time of the reallocation.
    var time: Timestamp
    /// The share of each variation.
    var deviations: [VariationID: Double]
  }

  /// The configuration as given.
  let configuration: ExperimentConfiguration
  /// The latest reallocations by experiment.
  let reallocations: [ExperimentID: Reallocation]
  /// The segments, flags and consent mode.
  let parts: ConfigurationParts
  /// The plans of the experiments.
  let plans: [ExperimentID: ExperimentPlan]
  /// The plans once more while there are only a few, for a linear search, which is then faster; empty
  /// otherwise.
  private let fewPlans: [ExperimentPlan]
  /// The experiments whose policies learn from a goal.
  let learners: [GoalID: [ExperimentID]]
  /// The kind of campaign of each experiment.
  let kinds: [ExperimentID: Experiment.Kind]

  /// Reads and validates a configuration, and computes the values derived from it.
  convenience init(reading json: JSONValue) throws(ExperimentError) {
    try self.init(ExperimentConfiguration(unchecked: json))
  }

  /// Validates the configuration, and computes the values derived from it.
  init(_ configuration: ExperimentConfiguration) throws(ExperimentError) {
    if configuration.siteCode.isEmpty {
      throw .invalidConfiguration(path: "siteCode", reason: "is empty; give the site's code")
    }
    let parts = try ConfigurationParts(configuration)
    var plans: [ExperimentID: ExperimentPlan] = [:]
    var learners: [GoalID: [ExperimentID]] = [:]
    for (index, experiment) in configuration.experiments.enumerated() {
      let path = "experiments[\(index)]"
      let plan = try ExperimentPlan(
        experiment, isEnabled: configuration.enabled, consent: parts.consent, at: path)
      guard plans.updateValue(plan, forKey: experiment.id) == nil else {
        throw .invalidConfiguration(
          path: path + ".id", reason: "is \"\(experiment.id)\" for the second time; ids are unique")
      }
      if plan.policy != nil, let goal = experiment.goal {
        learners[goal, default: []].append(experiment.id)
      }
    }
    self.configuration = configuration
    self.parts = parts
    self.plans = plans
    fewPlans = Self.few(plans)
    self.learners = learners
    kinds = plans.mapValues { $0.experiment.kind }
    reallocations = [:]
  }

  private init(
    _ site: Site, plans: [ExperimentID: ExperimentPlan],
    reallocations: [ExperimentID: Reallocation]
  ) {
    (configuration, parts, learners, kinds) =
      (site.configuration, site.parts, site.learners, site.kinds)
    self.plans = plans
    fewPlans = Self.few(plans)
    self.reallocations = reallocations
  }

  private static func few(_ plans: [ExperimentID: ExperimentPlan]) -> [ExperimentPlan] {
    plans.count > 8 ? [] : Array(plans.values)
  }

  /// Returns the plan of an experiment; nil when there is none.
  func plan(of id: ExperimentID) -> ExperimentPlan? {
    if fewPlans.isEmpty { return plans[id] }
    for plan in fewPlans where plan.experiment.id == id { return plan }
    return nil
  }

  /// Returns the site with reallocated shares. Invalid ones are ignored: they must be of the same variations,
  /// finite, not negative, and add up to at most 1.
  func reallocated(_ moves: [ExperimentID: Reallocation]) -> Site {
    var (plans, reallocations) = (plans, reallocations)
    for (id, move) in moves {
      guard let plan = plans[id], plan.policy != nil, let moved = plan.moved(to: move.deviations)
      else { continue }
      plans[id] = moved
      reallocations[id] = move
    }
    return Site(self, plans: plans, reallocations: reallocations)
  }

  /// Returns the site with the reallocations made under an earlier configuration, where they still fit.
  func inheriting(from earlier: Site) -> Site {
    guard !earlier.reallocations.isEmpty else { return self }
    return reallocated(
      earlier.reallocations.filter { id, _ in
        guard let now = plans[id]?.experiment, let before = earlier.plans[id]?.experiment else {
          return false
        }
        return now.policy == before.policy && now.goal == before.goal
          && now.variations == before.variations
      })
  }
}

extension Site: Equatable {
  static func == (a: Site, b: Site) -> Bool {
    a === b || a.configuration == b.configuration && a.reallocations == b.reallocations
  }
}

extension Site: Codable {
  private enum CodingKeys: CodingKey { case configuration, reallocations }

  convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let site = try Site(container.decode(ExperimentConfiguration.self, forKey: .configuration))
      .reallocated(
        container.decode([ExperimentID: Reallocation].self, forKey: .reallocations))
    self.init(site, plans: site.plans, reallocations: site.reallocations)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(configuration, forKey: .configuration)
    try container.encode(reallocations, forKey: .reallocations)
  }
}
