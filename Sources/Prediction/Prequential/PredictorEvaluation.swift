/// A type-erased evaluation of a predictor on studies of units, used by one thread.
public struct PredictorEvaluation {
  /// Processes steps: each take is predicted, scored and learned. The steps are in time order, of one run or of several
  /// interleaved ones, and refer to the tables.
  public let apply: (_ steps: Span<StudyStep>, _ tables: StudyTables) -> Void

  /// Ends a run, whose number may then be reused.
  ///
  /// It returns the scores of the run; several if the value of the dimension changed during the run.
  public let close: (_ run: Int) -> [UnitScores]

  /// Returns what the units of a study have in common; nil if the predictor does not learn across units.
  public let pool: (_ study: UInt32) -> (any OptionPool)?

  let readTallies: () -> PredictionTallies

  /// The tallies of all closed runs.
  public var tallies: PredictionTallies { readTallies() }
}
