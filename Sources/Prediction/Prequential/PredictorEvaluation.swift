/// A type-erased evaluation of a predictor on studies of units, used by one thread.
public struct PredictorEvaluation {
  private let applySteps: (Span<StudyStep>, StudyTables) -> Void
  private let closeRun: (Int) -> [UnitScores]
  private let readTallies: () -> PredictionTallies
  private let readPool: (UInt32) -> (any OptionPool)?

  init(
    apply: @escaping (Span<StudyStep>, StudyTables) -> Void,
    close: @escaping (Int) -> [UnitScores],
    tallies: @escaping () -> PredictionTallies,
    pool: @escaping (UInt32) -> (any OptionPool)?
  ) {
    applySteps = apply
    closeRun = close
    readTallies = tallies
    readPool = pool
  }

  /// Processes steps: each take is predicted, scored and learned.
  ///
  /// - Parameters:
  ///   - steps: The steps in time order, of one run or of several interleaved ones.
  ///   - tables: The tables that the steps refer to.
  public func apply(_ steps: Span<StudyStep>, _ tables: StudyTables) { applySteps(steps, tables) }

  /// Ends a run, whose number may then be reused.
  ///
  /// - Returns: Its scores; several if the value of the dimension changed during the run.
  public func close(_ run: Int) -> [UnitScores] { closeRun(run) }

  /// The tallies of all closed runs.
  public var tallies: PredictionTallies { readTallies() }

  /// Returns what the units of a study have in common; nil if the predictor does not learn across units.
  public func pool(_ study: UInt32) -> (any OptionPool)? { readPool(study) }
}
