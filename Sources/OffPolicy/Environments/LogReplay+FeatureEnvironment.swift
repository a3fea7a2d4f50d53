internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications

extension LogReplay {
  /// Returns the environment of a query with features.
  ///
  /// - Throws: Errors like the environment of a query without features; also if no decision has an attribute that the
  ///   features read, or the reward model cannot be fitted.
  func environment(
    _ query: RewardQuery, _ features: FeatureSpecification
  ) throws -> EmpiricalEnvironment {
    let (source, units, target, names) = try collect(query, .situations)
    let rewards = try source.show(units, to: RewardSampleProjector(target, .situations))
    var codes: [NameKey: UInt32] = [:]
    var places = PlaceVariants()
    for (key, _) in rewards {
      codes[NameKey(names.variant(key.variant))] = key.variant
      places.insert(key.variant, at: key.place)
    }
    let variants = try Self.variants(query, codes.keys.sorted().map(\.text))
    let decisions = FeaturedDecisions(
      source: EvaluationSource(units.context, source.selection, places, names),
      variants: variants.map { codes[NameKey($0)] ?? .max }, rewards: rewards)
    try decisions.source.require(features.sources, of: query.specification.description)
    let logged = try decisions.logged(features)
    return try EmpiricalEnvironment(
      query.specification, variantNames: variants, features: logged, model: query.rewardModel())
  }
}

/// The features of all variants in situations, for one thread.
struct SituationFeatures {
  private var features: DecisionFeatures
  private let variants: [UInt32]
  private var buffer: [FeatureVector] = []

  /// Creates the features of variants, given by their codes.
  init(_ map: FeatureMap, _ source: EvaluationSource, _ variants: [UInt32]) {
    features = DecisionFeatures(map, source)
    self.variants = variants
  }

  /// Returns the features of each variant in a situation at a place; a single vector if they are the same for all.
  mutating func vectors(_ situation: UInt32, at place: UInt32) -> [FeatureVector] {
    let row = CreditedDecision(
      index: 0, place: place, variant: 0, situation: situation, probabilities: nil,
      propensity: 1, reward: 0)
    features.write(variants, row, into: &buffer)
    return buffer
  }
}

/// The counted decisions of an experiment by situation, place and variant.
private struct FeaturedDecisions {
  let source: EvaluationSource
  /// The codes of the variants of the environment.
  let variants: [UInt32]
  let rewards: RewardSampleProjector.Output

  /// Returns the features and rewards of the decisions for the variants.
  ///
  /// - Throws: `SpecificationError` if the features have too many values or columns.
  func logged(_ specification: FeatureSpecification) throws(SpecificationError) -> LoggedFeatures {
    let map = try FeatureMap(survey(specification))
    var features = SituationFeatures(map, source, variants)
    var logged = LoggedFeatures(map, variants: variants.count)
    var vectors: [FeatureVector] = []
    var last: (situation: UInt32, place: UInt32)?
    let indices = Dictionary(
      variants.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    for (key, sample) in rewards {
      guard let variant = indices[key.variant] else { continue }
      if last?.situation != key.situation || last?.place != key.place {
        vectors = features.vectors(key.situation, at: key.place)
        last = (key.situation, key.place)
      }
      logged.add(vectors, variant: variant, rewards: sample.others, zeros: sample.zeros)
    }
    return logged
  }

  /// Surveys the features of the chosen variant of each decision.
  private func survey(_ specification: FeatureSpecification) -> FeatureSurvey {
    var survey = FeatureSurvey(specification)
    var cells = DecisionCells(
      specification, attributes: source.attributes, variantFeatures: source.variantFeatures)
    let taken = Set(variants)
    for (key, sample) in rewards where taken.contains(key.variant) {
      cells.fill(key.variant, at: key.place, in: key.situation, source) {
        survey.cell($0, of: $1)
      }
      for _ in 0..<sample.zeros + sample.others.count { survey.add(cells.row) }
    }
    return survey
  }
}
