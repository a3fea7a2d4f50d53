public import Bandits

/// The counted decisions of an experiment with their rewards, in order of time: the training data of a policy that is
/// warm-started before a simulation.
public struct LoggedRewards: Sendable {
  /// The query that selected the rewards.
  public let query: RewardQuery
  let decisions: [DecisionRewardProjector.Rewarded]
  /// The names of the variants by code.
  let variants: [UInt32: String]
  /// The values of the query's attribute; the first one stands for unknown.
  let values: [DimensionValue]

  /// The number of decisions.
  public var count: Int { decisions.count }

  /// The part of a log that cannot be matched with an environment.
  public struct Unmatched: Sendable, Equatable {
    /// The number of decisions whose variant is not in the environment, by name of the variant.
    public var variants: [String: Int] = [:]
    /// The number of other decisions whose context is not in the environment.
    public var contexts = 0
  }

  /// Returns the data with which policies are warm-started in an environment.
  ///
  /// Variants are matched by name. If the environment comes from a log with `context=`, and the query has `context=`
  /// as well, decisions get the environment's context of their value; otherwise they have no context.
  ///
  /// - Parameter environment: The environment.
  /// - Returns: The warm start, and the decisions that could not be matched.
  public func warmStart(
    for environment: any Environment
  ) -> (warmStart: WarmStart, unmatched: Unmatched) {
    var unmatched = Unmatched()
    var start = WarmStart([])
    start.rewards.reserveCapacity(decisions.count)
    let indices = Dictionary(
      environment.variantNames.enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first })
    let known = variants.mapValues { name in
      query.variants?.contains(name) ?? true ? indices[name] : nil
    }
    let contexts = query.context == nil ? [] : Self.contextValues(of: environment)
    start.contexts = contexts.indices.map { place in
      contexts.indices.map { $0 == place ? 1 : 0 }
    }
    let places = values.map { contexts.firstIndex(of: $0.text) }
    for decision in decisions {
      guard let variant = known[decision.variant] ?? nil else {
        unmatched.variants[variants[decision.variant] ?? "", default: 0] += 1
        continue
      }
      let context = places[Int(decision.value)]
      guard contexts.isEmpty || context != nil else {
        unmatched.contexts += 1
        continue
      }
      start.rewards.append(
        WarmStart.Reward(
          variant: variant, reward: decision.reward, propensity: decision.propensity,
          context: context))
    }
    return (start, unmatched)
  }

  private static func contextValues(of environment: any Environment) -> [String?] {
    var inner = environment
    while let wrapping = inner as? any WrappingEnvironment { inner = wrapping.inner }
    return (inner as? EmpiricalEnvironment)?.contextValues ?? []
  }
}
