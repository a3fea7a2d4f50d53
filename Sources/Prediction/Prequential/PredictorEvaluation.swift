/// A predictor at work on studies of units, whatever its type; one thread's own.
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

  /// Goes through steps: each take is predicted, scored and learned.
  ///
  /// - Parameters:
  ///   - steps: In the order of time; of one run, or of several side by side.
  ///   - tables: What the steps point at.
  public func apply(_ steps: Span<StudyStep>, _ tables: StudyTables) { applySteps(steps, tables) }

  /// Ends a run, whose number may then be used for another one.
  ///
  /// - Returns: Its scores; several where the value of the dimension changed on the way.
  public func close(_ run: Int) -> [UnitScores] { closeRun(run) }

  /// What was seen so far. Only runs that were closed are in its sums.
  public var tallies: PredictionTallies { readTallies() }

  /// What the units of a study have in common, if the predictor has such a thing.
  public func pool(_ study: UInt32) -> (any OptionPool)? { readPool(study) }
}
