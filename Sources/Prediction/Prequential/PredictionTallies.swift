internal import Statistics

/// What a predictor's forecasts add up to, for each study and value of the dimension.
public struct PredictionTallies: Sendable {
  let plan: EvaluationPlan

  /// Nothing scored.
  public init(_ plan: EvaluationPlan) { self.plan = plan }

  /// Scores one forecast.
  ///
  /// - Parameters:
  ///   - confidences: Of each option now in the study.
  ///   - isBlind: Whether nothing was known that tells the options apart.
  ///   - step: The take: its option has no confidence if it is a novel one.
  ///   - options: The options in declared order, by their numbers in the catalog.
  ///   - takesBefore: How often the unit took something before.
  ///   - scores: Takes the sums.
  @inline(__always)
  mutating func score(
    _ confidences: [Double], isBlind: Bool, _ step: StudyStep, options: [UInt32], takesBefore: Int,
    into scores: inout UnitScores
  ) {
    scores.events += 1
  }

  /// Adds the scores of a run that has ended.
  mutating func add(_ scores: UnitScores) {}

  /// Adds what was seen elsewhere.
  public mutating func merge(_ other: PredictionTallies) {}
}
