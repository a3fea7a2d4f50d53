public import Bandits
internal import Replay
internal import Specifications

/// The counted decisions of an experiment with their rewards, in order of time: the training data of a policy that is
/// warm-started before a simulation.
public struct LoggedRewards: Sendable {
  /// The query that selected the rewards.
  public let query: RewardQuery
  let decisions: [CreditedDecision]
  /// The names of the variants by code.
  let variants: [UInt32: String]
  /// The values of the query's attribute; the first one stands for unknown.
  let values: [DimensionValue]
  /// The names and situations, if the query has features.
  var source: EvaluationSource?

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
  /// as well, decisions get the environment's context of their value. If both have `features=`, decisions get their
  /// features by the environment's columns, if the query reads all their attributes. Otherwise they have no context.
  ///
  /// - Parameter environment: The environment.
  /// - Returns: The warm start, and the decisions that could not be matched.
  public func warmStart(
    for environment: any Environment
  ) -> (warmStart: WarmStart, unmatched: Unmatched) {
    let variants = matched(environment)
    let log = Self.log(of: environment)
    if let source, let map = log?.features {
      return featureStart(map, source, environment.variantNames, variants)
    }
    var unmatched = Unmatched()
    var start = WarmStart([])
    start.rewards.reserveCapacity(decisions.count)
    let contexts = query.context == nil ? [] : log?.contextValues ?? []
    start.contexts = contexts.indices.map { place in
      contexts.indices.map { $0 == place ? 1 : 0 }
    }
    let names = contexts.map { $0.map(NameKey.init) }
    let places = values.map { names.firstIndex(of: $0.text.map(NameKey.init)) }
    for decision in decisions {
      guard let variant = variants[decision.variant] ?? nil else {
        unmatched.variants[self.variants[decision.variant] ?? "", default: 0] += 1
        continue
      }
      let context = contexts.isEmpty ? nil : places[Int(decision.value)]
      guard contexts.isEmpty || context != nil else {
        unmatched.contexts += 1
        continue
      }
      start.rewards.append(reward(decision, variant, context))
    }
    return (start, unmatched)
  }

  /// Returns the index in the environment of each variant, by code; nil for those that are not in it.
  private func matched(_ environment: any Environment) -> [UInt32: Int?] {
    let indices = Dictionary(
      environment.variantNames.enumerated().map { (NameKey($1), $0) },
      uniquingKeysWith: { first, _ in first })
    return variants.mapValues { name in
      query.variants?.hasName(name) ?? true ? indices[NameKey(name)] : nil
    }
  }

  private func reward(
    _ decision: CreditedDecision, _ variant: Int, _ context: Int?
  ) -> WarmStart.Reward {
    WarmStart.Reward(
      variant: variant, reward: decision.reward, propensity: decision.propensity,
      context: context)
  }

  /// Returns the warm start with the features of decisions.
  private func featureStart(
    _ map: FeatureMap, _ source: EvaluationSource, _ names: [String], _ indices: [UInt32: Int?]
  ) -> (warmStart: WarmStart, unmatched: Unmatched) {
    var unmatched = Unmatched()
    var contexts = FeatureContexts(map, variants: names.count)
    var rewards: [WarmStart.Reward] = []
    rewards.reserveCapacity(decisions.count)
    let isRead = map.specification.sources.allSatisfy {
      query.features?.sources.contains($0) == true
    }
    let codes = Dictionary(
      variants.map { (NameKey($1), $0) }, uniquingKeysWith: { first, _ in first })
    // A variant that this log does not have has no features here, and was never chosen.
    var situations = SituationFeatures(map, source, names.map { codes[NameKey($0)] ?? .max })
    var known: [UInt64: Int] = [:]
    for decision in decisions {
      guard let variant = indices[decision.variant] ?? nil else {
        unmatched.variants[variants[decision.variant] ?? "", default: 0] += 1
        continue
      }
      guard isRead else {
        unmatched.contexts += 1
        continue
      }
      let key = UInt64(decision.situation) << 32 | UInt64(decision.place)
      let context =
        known[key]
        ?? contexts.index(of: situations.vectors(decision.situation, at: decision.place))
      known[key] = context
      rewards.append(reward(decision, variant, context))
    }
    return (WarmStart(rewards, features: contexts), unmatched)
  }

  /// Returns the environment made of a log, within wrappers.
  private static func log(of environment: any Environment) -> EmpiricalEnvironment? {
    var inner = environment
    while let wrapping = inner as? any WrappingEnvironment { inner = wrapping.inner }
    return inner as? EmpiricalEnvironment
  }
}
