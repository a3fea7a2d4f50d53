internal import Prediction
internal import Replay

extension PredictionReport {
  public static let explanation = Explanation(
    question: "how good would predictions of what units do next have been?",
    inputs: """
      --over studies: dataPoint of the kinds optionTaken and optionEncountered (time, unit, key = study, value = \
      option), configurationApplied of the system studies; for predictors that look at a unit, its other data points. \
      --over decisions: decisions (time, unit, experiment, point, slot, variant, choices, status, reason, context), \
      decisionConfirmed
      """,
    of: PredictionTable.allCases.map(
      PredictionTables(PredictionResult(EvaluationPlan(catalog: StudyCatalog(studies: [], options: [])))).draft))
}
