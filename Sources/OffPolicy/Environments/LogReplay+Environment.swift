public import Bandits
internal import EventLog
public import Replay
internal import Specifications

extension LogReplay {
  /// The maximum number of values of an attribute used as contexts.
  static let mostContextValues = 100
  /// The maximum number of variants of a simulation.
  static let mostVariants = 1_000

  /// Returns the environment built from the rewards of an experiment of this log.
  ///
  /// The log is read once. Memory: 8 bytes per reward that is not 0, twice that with contexts or features, in addition
  /// to that of the report `rewards`; with features, that of the distinct situations and their features.
  ///
  /// - Parameter query: The rewards to take; its path is ignored.
  /// - Returns: The environment, identical for any order of the log and any number of threads.
  /// - Throws: `SpecificationError` if the log has no such experiment, point, slot or attribute, a variant has no
  ///   decision that counts, or there are too many variants or values; `LogError` if the log cannot be read.
  public func environment(_ query: RewardQuery) throws -> EmpiricalEnvironment {
    if let features = query.features { return try environment(query, features) }
    let (source, units, target, names) = try collect(query)
    let samples = try source.show(units, to: RewardSampleProjector(target, .values))
    var named: [NameKey: [DimensionValue: RewardSampleProjector.Sample]] = [:]
    for (key, sample) in samples {
      let value = units.context.values[Int(key.value)]
      named[NameKey(names.variant(key.variant)), default: [:]][value, default: .init()].merge(sample)
    }
    let variants = try Self.variants(query, named.keys.sorted().map(\.text))
    var environment = try Self.environment(
      query, variants,
      variants.map { name in
        (named[NameKey(name)] ?? [:]).mapValues { ObservedRewards($0.others, zeros: $0.zeros) }
      })
    environment.placeCount = Set(samples.map(\.key.place)).count
    return environment
  }

  /// Returns the variants of a query, given the sorted names of those with a decision that counts.
  static func variants(
    _ query: RewardQuery, _ names: [String]
  ) throws(SpecificationError) -> [String] {
    guard !names.isEmpty else {
      throw SpecificationError(
        "\(query.path) has no decision that counts for \(query.specification); `bandolier report rewards "
          + "\(query.path)` lists what counts")
    }
    guard names.count <= mostVariants else {
      throw SpecificationError(
        "\(query.specification) has \(names.count) variants; name at most \(mostVariants) of them, as "
          + "variants=A;B")
    }
    let variants = query.variants ?? names
    if let missing = variants.first(where: { !names.hasName($0) }) {
      throw SpecificationError(
        "variant \"\(missing)\" of \(query.specification) has no decision that counts"
          + NearestName.remedy(for: missing, among: names))
    }
    return variants
  }

  private static func environment(
    _ query: RewardQuery, _ variants: [String], _ rewards: [[DimensionValue: ObservedRewards]]
  ) throws(SpecificationError) -> EmpiricalEnvironment {
    guard let context = query.context else {
      return try EmpiricalEnvironment(
        query.specification, variantNames: variants,
        rewards: rewards.map { ObservedRewards(joining: $0.values) })
    }
    let values = Set(rewards.flatMap(\.keys))
    guard values != [.unknown] else {
      throw SpecificationError(
        "no decision of \(query.specification) has an attribute \"\(context)\" in its context; leave context out, or "
          + "name one that they have")
    }
    let sorted = values.compactMap(\.text).distinctNames
    // Unknown comes first.
    let ordered = (values.contains(.unknown) ? [nil] : []) + sorted
    return try EmpiricalEnvironment(
      query.specification, variantNames: variants,
      rewards: ordered.map { text in
        let value = text.map(DimensionValue.text) ?? .unknown
        return rewards.map { $0[value] ?? ObservedRewards([]) }
      }, contextValues: ordered)
  }

  /// Returns every counted decision of an experiment of this log with its reward, in order of time.
  ///
  /// - Parameter query: The rewards to take; its path is ignored.
  /// - Returns: The rewards, identical for any number of threads.
  /// - Throws: `SpecificationError` if the log has no such experiment, point or slot, or too many values of the
  ///   attribute; `LogError` if the log cannot be read.
  public func loggedRewards(_ query: RewardQuery) throws -> LoggedRewards {
    let hasFeatures = query.features != nil
    let further: UnitNeeds = hasFeatures ? [.propensities, .situations] : .propensities
    let (source, units, target, names) = try collect(query, further.union(.hashes))
    let projector = CreditedDecisionProjector(target.attribution, further, takes: target.contains)
    let pile = try source.show(units, to: projector).pile
    let decisions = try CreditedDecisions(pile, jobs: jobs).all()
    var variants: [UInt32: String] = [:]
    for decision in decisions where variants[decision.variant] == nil {
      variants[decision.variant] = names.variant(decision.variant)
    }
    var logged = LoggedRewards(
      query: query, decisions: decisions, variants: variants, values: units.context.values)
    if hasFeatures {
      var places = PlaceVariants()
      for decision in decisions { places.insert(decision.variant, at: decision.place) }
      logged.source = EvaluationSource(units.context, source.selection, places, names)
    }
    return logged
  }

  /// Collects the events of the rewards of a query, and further ones.
  func collect(
    _ query: RewardQuery, _ further: UnitNeeds = []
  ) throws -> (
    source: LogUnits, units: any BucketedUnits, target: RewardTarget, names: LogNames
  ) {
    let names = try LogNames(log, [.experiments, .points, .slots, .variants, .goals])
    let target = try RewardTarget(query, names)
    var selection = UnitSelection()
    selection.experiments = [target.experiment]
    selection.dimension = query.context.map(Dimension.context)
    selection.read(query.features?.sources ?? [])
    let source = LogUnits(self, selection)
    let units = try source.units(target.metric.needs.union(further))
    // The first value stands for unknown.
    let values = units.context.values.count - 1
    guard values <= Self.mostContextValues else {
      throw SpecificationError(
        "attribute \"\(query.context ?? "")\" has \(values) values in decisions of \(query.specification); at most "
          + "\(Self.mostContextValues) can be contexts, so name another one")
    }
    return (source, units, target, names)
  }
}

extension LogNames {
  /// Returns the name of a variant, or its code if the name was lost.
  func variant(_ code: UInt32) -> String {
    string(code, in: .variants) ?? "variant \(code)"
  }
}
