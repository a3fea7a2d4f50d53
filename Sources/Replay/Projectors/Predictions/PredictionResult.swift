public import Prediction

/// How good predictions of a log are.
public struct PredictionResult: Sendable {
  /// What one predictor came to.
  public struct Scored: Sendable {
    /// What predicted.
    public var predictor: Predictor
    /// Whether it was asked for; otherwise it is a baseline only.
    public var isWanted: Bool
    /// The scores, by study and value of the dimension.
    public var tallies: PredictionTallies
  }

  /// How predictions were made and scored, with the studies, options and values of the dimension.
  public let plan: EvaluationPlan
  /// The predictors that were asked for, in their order, then the other baselines.
  public let predictors: [Scored]
  /// What was read, and what of it did not count.
  public let ledger: PredictionLedger
}
