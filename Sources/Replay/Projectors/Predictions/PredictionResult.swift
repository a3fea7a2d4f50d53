public import Prediction
internal import Specifications

/// The scores of predictors on a log.
public struct PredictionResult: Sendable {
  /// A predictor with its scores.
  public struct Scored: Sendable {
    /// The predictor.
    public var predictor: Predictor
    /// Whether the predictor was requested.
    public var isWanted: Bool
    /// Whether other predictors are compared with it.
    public var isBaseline: Bool
    /// The scores, by study and value of the dimension.
    public var tallies: PredictionTallies
  }

  /// The evaluation plan, with the studies, options and values of the dimension.
  public let plan: EvaluationPlan
  /// The requested predictors in order, then the other baselines.
  public let predictors: [Scored]
  /// The counts of what was read and what was excluded.
  public let ledger: PredictionLedger
  let skills: SegmentTable<SkillTable>

  init(
    plan: EvaluationPlan, predictors: [Scored], ledger: PredictionLedger,
    skills: SegmentTable<SkillTable>
  ) {
    (self.plan, self.predictors, self.ledger, self.skills) = (plan, predictors, ledger, skills)
  }

  /// Creates the result of no predictor.
  package init(_ plan: EvaluationPlan) {
    self.init(
      plan: plan, predictors: [], ledger: PredictionLedger(),
      skills: SegmentTable(SkillTable(count: 0)))
  }

  /// Returns the skill of each predictor relative to each other one, in the order of ``predictors``, over the units of
  /// a study for a value of the dimension; nil if nothing was predicted.
  public func skills(study: UInt32, value: UInt32 = 0) -> SkillTable? {
    skills.find(study, value)
  }

  /// Returns the skills over the units of a study whatever the value of the dimension; a unit that had several values
  /// counts once for each of them.
  public func skills(ofAllValuesOf study: UInt32) -> SkillTable? {
    var sum: SkillTable?
    for place in 0..<skills.count where skills.segment(at: place).subject == study {
      if sum == nil { sum = skills.tallies[place] } else { sum?.merge(skills.tallies[place]) }
    }
    return sum
  }

  /// Returns advice on the predictor to use for a study; nil if nothing was predicted.
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
