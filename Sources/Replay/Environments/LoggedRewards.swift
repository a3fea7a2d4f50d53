public import Bandits

/// The counted decisions of an experiment with their rewards, in order of time: what policies can learn before their
/// first decision in a simulation.
public struct LoggedRewards: Sendable {
  /// Whose rewards they are.
  public let query: RewardQuery
  let decisions: [DecisionRewardProjector.Rewarded]
  /// By their codes.
  let variants: [UInt32: String]
  /// The values of the attribute of the query; the first one stands for what is not known.
  let values: [DimensionValue]

  /// How many there are.
  public var count: Int { decisions.count }

  /// What of a log an environment has no use for.
  public struct Unmatched: Sendable, Equatable {
    /// How many decisions were for a variant of another name than the environment's, by name.
    public var variants: [String: Int] = [:]
    /// How many others had a context that the environment does not have.
    public var contexts = 0
  }

  /// What policies learn of it before they choose in an environment.
  ///
  /// Variants are matched by name. Where the environment is one from a log with `context=`, and the query has `context=`
  /// as well, decisions have the environment's context of their value; otherwise none.
  ///
  /// - Parameter environment: The environment.
  /// - Returns: The warm start, and what is not in it.
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
