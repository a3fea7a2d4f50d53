internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications

/// The decisions of an experiment that an evaluation uses, which projectors can visit repeatedly.
struct EvaluatedDecisions {
  /// The knowledge after the first pass.
  let source: EvaluationSource
  /// The decisions that are used and left out.
  let ledger: EvaluationLedger
  /// The counts of credited and lost goals.
  let rewards: RewardLedger
  /// The logged propensities.
  let logging: LoggingTally
  /// The needed events.
  let needs: UnitNeeds
  /// How goals are credited to decisions.
  let attribution: Attribution
  /// The units.
  let units: EvaluatedUnits

  /// Creates the decisions of a survey.
  init(
    _ units: EvaluatedUnits, _ needs: UnitNeeds, _ attribution: Attribution,
    _ survey: EvaluationSurvey.Result
  ) {
    self.units = units
    self.needs = needs
    self.attribution = attribution
    (ledger, rewards, logging) = (survey.ledger, survey.rewards, survey.logging)
    source = EvaluationSource(
      units.context, units.selection, survey.variants, units.names,
      contents: survey.contents)
  }

  /// Reads the selected part of a log, and visits its units once.
  ///
  /// - Throws: `LogError` if the log cannot be read.
  init(
    _ replay: LogReplay, _ selection: UnitSelection, _ needs: UnitNeeds, _ attribution: Attribution
  ) throws {
    let units = try EvaluatedUnits(replay, selection, needs)
    let survey = try units.show(to: EvaluationSurvey(needs: needs, attribution: attribution))
    self.init(units, needs, attribution, survey)
  }

  /// Returns the result of a projector over the units.
  func show<P: UnitProjector>(to projector: P) throws -> P.Result {
    try units.show(to: projector)
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
    return try features(
      show(
        to: FeatureSurveyor(
          source: source, specification: specification, needs: needs, attribution: attribution,
          part: part)))
  }

  /// Returns the features of a survey.
  ///
  /// - Throws: `SpecificationError` if no decision has one of the attributes, or there are too many values or columns.
  func features(_ survey: FeatureSurvey) throws(SpecificationError) -> DecisionFeatures {
    try require(survey.specification.sources)
    return DecisionFeatures(try FeatureMap(survey), source)
  }

  /// Throws if no decision has an attribute that is read.
  func require(_ sources: [FeatureSource]) throws(SpecificationError) {
    guard ledger.decisions > 0 else { return }
    try source.require(sources, of: "experiment \"\(units.experiment)\"")
  }
}
