internal import Bandits
internal import Events

/// A site's configuration in use, and what follows from it.
///
/// Stored and compared are the configuration as it was given and the shares that policies moved since; the
/// rest is worked out once, so that a trigger only looks it up.
struct Site: Sendable {
  /// Shares that a policy gave to the variations of an experiment.
  struct Reallocation: Hashable, Sendable, Codable {
    /// When.
    var time: Timestamp
    /// The share of each variation.
    var deviations: [VariationID: Double]
  }

  /// The configuration as it was given.
  let configuration: ExperimentConfiguration
  /// The shares that policies gave since.
  private(set) var reallocations: [ExperimentID: Reallocation] = [:]
  /// Segments, flags, consent.
  let parts: ConfigurationParts
  /// What a trigger needs to know of each experiment.
  private(set) var plans: [ExperimentID: ExperimentPlan] = [:]
  /// The experiments whose policies learn from a goal.
  private(set) var learners: [GoalID: [ExperimentID]] = [:]
  /// What sort of campaign each experiment is.
  private(set) var kinds: [ExperimentID: Experiment.Kind] = [:]

  /// Reads a configuration, checks it and works out what follows from it.
  init(reading json: JSONValue) throws(ExperimentError) {
    try self.init(ExperimentConfiguration(unchecked: json))
  }

  /// Checks the configuration and works out what follows from it.
  init(_ configuration: ExperimentConfiguration) throws(ExperimentError) {
    self.configuration = configuration
    if configuration.siteCode.isEmpty {
      throw .invalidConfiguration(path: "siteCode", reason: "is empty; give the site's code")
    }
    parts = try ConfigurationParts(configuration)
    for (index, experiment) in configuration.experiments.enumerated() {
      let path = "experiments[\(index)]"
      let plan = try ExperimentPlan(
        experiment, isEnabled: configuration.enabled, consent: parts.consent, at: path)
      guard plans.updateValue(plan, forKey: experiment.id) == nil else {
        throw .invalidConfiguration(
          path: path + ".id", reason: "is \"\(experiment.id)\" for the second time; ids are unique")
      }
      kinds[experiment.id] = experiment.kind
      if plan.policy != nil, let goal = experiment.goal {
        learners[goal, default: []].append(experiment.id)
      }
    }
  }

  /// Gives the variations of an experiment the shares that a policy says, as far as they fit: the same
  /// variations, finite, not negative, and adding up to at most 1.
  mutating func reallocate(_ id: ExperimentID, _ reallocation: Reallocation) {
    guard let plan = plans[id], plan.policy != nil,
      let moved = plan.moved(to: reallocation.deviations)
    else { return }
    plans[id] = moved
    reallocations[id] = reallocation
  }

  /// Takes over what policies found out under an earlier configuration, where it still fits.
  mutating func inherit(from earlier: Site) {
    for (id, reallocation) in earlier.reallocations {
      guard let now = plans[id]?.experiment, let before = earlier.plans[id]?.experiment,
        now.policy == before.policy, now.goal == before.goal, now.variations == before.variations
      else { continue }
      reallocate(id, reallocation)
    }
  }
}

extension Site: Equatable {
  static func == (a: Site, b: Site) -> Bool {
    a.configuration == b.configuration && a.reallocations == b.reallocations
  }
}

extension Site: Codable {
  private enum CodingKeys: CodingKey { case configuration, reallocations }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(container.decode(ExperimentConfiguration.self, forKey: .configuration))
    let moved = try container.decode(
      [ExperimentID: Reallocation].self, forKey: .reallocations)
    for (id, reallocation) in moved { reallocate(id, reallocation) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(configuration, forKey: .configuration)
    try container.encode(reallocations, forKey: .reallocations)
  }
}
