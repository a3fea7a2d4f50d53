internal import Bandits
internal import EventLog
internal import Statistics

/// The decisions of an experiment that an evaluation uses, which projectors can visit repeatedly.
struct EvaluatedDecisions {
  /// What is known after the first pass.
  let source: EvaluationSource
  /// The decisions that are used and left out.
  let ledger: EvaluationLedger
  /// What was credited.
  let rewards: RewardLedger
  /// The logged propensities.
  let logging: LoggingTally
  /// The needed events.
  let needs: UnitNeeds
  /// How goals are credited to decisions.
  let attribution: Attribution
  /// The name of the experiment.
  private let experiment: String
  private let log: LogUnits
  private let units: any BucketedUnits

  /// Reads the selected part of a log, and visits its units once.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  init(
    _ replay: LogReplay, _ selection: UnitSelection, _ needs: UnitNeeds, _ attribution: Attribution
  ) throws {
    self.needs = needs
    self.attribution = attribution
    log = LogUnits(replay, selection)
    units = try log.units(needs.union(.hashes))
    let survey = try log.show(
      units, to: EvaluationSurvey(needs: needs, attribution: attribution))
    (ledger, rewards, logging) = (survey.ledger, survey.rewards, survey.logging)
    let names = try LogNames(replay.log, [.experiments, .points, .slots, .variants])
    source = EvaluationSource(units.context, selection, survey.variants, names)
    let codes = (selection.experiments ?? []).sorted()
    experiment = codes.map { names.string($0, in: .experiments) ?? "\($0)" }.joined(separator: ", ")
  }

  /// Returns the result of a projector over the units.
  func show<P: UnitProjector>(to projector: P) throws -> P.Result {
    try log.show(units, to: projector)
  }

  /// Returns the features of a specification, whose attributes were selected.
  ///
  /// - Parameters:
  ///   - specification: The specification.
  ///   - part: The decisions that are surveyed.
  /// - Returns: The features.
  /// - Throws: `SpecificationError` if no decision has one of the attributes, or there are too many values or columns.
  func features(
    _ specification: FeatureSpecification, of part: DecisionPart = .all
  ) throws -> DecisionFeatures {
    try require(specification.sources)
    let survey = try show(
      to: FeatureSurveyor(
        source: source, specification: specification, needs: needs, attribution: attribution,
        part: part))
    return try DecisionFeatures(FeatureMap(survey), source)
  }

  /// Throws if no decision has an attribute that is read.
  func require(_ sources: [FeatureSource]) throws(SpecificationError) {
    guard ledger.decisions > 0 else { return }
    try source.require(sources, of: "experiment \"\(experiment)\"")
  }

  /// Returns the choices of each logging policy in each kind of situation.
  ///
  /// - Parameter attributes: The attributes of the context that distinguish situations, besides place and choices.
  /// - Returns: The choices.
  /// - Throws: ``GroupLimitError`` if there are more kinds of situations than the memory limit allows.
  func shares(_ attributes: [String]) throws -> ShareTable {
    try show(
      to: ShareSurvey(
        source: source, needs: needs, attribution: attribution, attributes: attributes))
  }
}
