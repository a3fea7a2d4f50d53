public import Prediction

/// How good predictions of a log are.
public struct PredictionResult: Sendable {
  /// What one predictor came to.
  public struct Scored: Sendable {
    /// What predicted.
    public var predictor: Predictor
    /// Whether it was asked for.
    public var isWanted: Bool
    /// Whether others are compared with it.
    public var isBaseline: Bool
    /// The scores, by study and value of the dimension.
    public var tallies: PredictionTallies
  }

  /// How predictions were made and scored, with the studies, options and values of the dimension.
  public let plan: EvaluationPlan
  /// The predictors that were asked for, in their order, then the other baselines.
  public let predictors: [Scored]
  /// What was read, and what of it did not count.
  public let ledger: PredictionLedger
  let skills: SegmentTable<SkillTable>

  /// How much better each predictor is than each other one, in the order of ``predictors``, by the units of a study for
  /// a value of the dimension; nil where nothing was predicted.
  public func skills(study: UInt32, value: UInt32 = 0) -> SkillTable? {
    skills.find(study, value)
  }

  /// The same by the units of a study whatever the value of the dimension; a unit that had several values counts once
  /// for each of them.
  public func skills(ofAllValuesOf study: UInt32) -> SkillTable? {
    var sum: SkillTable?
    for place in 0..<skills.count where skills.segment(at: place).subject == study {
      if sum == nil { sum = skills.tallies[place] } else { sum?.merge(skills.tallies[place]) }
    }
    return sum
  }

  /// What to use for a study; nil where nothing was predicted.
  public func advice(study: UInt32) -> PredictionAdvice? {
    guard let skills = skills(ofAllValuesOf: study) else { return nil }
    let candidates = predictors.compactMap { scored in
      scored.tallies.scores(ofAllValuesOf: study).map {
        PredictionAdvice.Candidate(
          name: scored.predictor.description, isBaseline: scored.isBaseline, scores: $0)
      }
    }
    return PredictionAdvice(candidates, skills)
  }
}
