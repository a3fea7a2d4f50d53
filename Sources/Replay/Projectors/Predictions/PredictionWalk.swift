internal import EventLog
internal import Prediction
internal import Specifications
internal import Threads

/// Runs predictors over the studies of a log. Predictors without a pool run unit by unit on every thread; predictors
/// that share learning between units run through all steps in order of time, at equal times of the hashes of units.
struct PredictionWalk: Sendable {
  let replay: LogReplay
  let studies: CollectedStudies
  let plan: EvaluationPlan
  let predictors: [Predictor]

  /// The results of a predictor, in the order of ``predictors``.
  struct Outcome: Sendable {
    var tallies: [PredictionTallies]
    /// By study and value of the dimension.
    var skills: SegmentTable<SkillTable>
    var ledger: PredictionLedger
  }

  func outcome() throws -> Outcome {
    let pooled = predictors.indices.filter { predictors[$0].isPooled }
    let (walked, firstRuns) = try pooled.isEmpty ? ([], []) : together(pooled)
    var outcome = try byUnits(zip(pooled, walked.map(\.scores)).map { ($0, $1) }, firstRuns)
    for (number, walked) in zip(pooled, walked) { outcome.tallies[number] = walked.tallies }
    outcome.ledger.merge(studies.ledger)
    return outcome
  }

  // MARK: Unit by unit

  /// Runs the predictors without a pool, and compares all predictors.
  ///
  /// - Parameters:
  ///   - pooled: The predictors that ran over all units together, with the scores of each of their runs.
  ///   - firstRuns: By bucket, the number of its first run; empty if it is not needed.
  /// - Returns: The tallies of the predictors without a pool, the skills of all, and the ledger.
  /// - Throws: `LogError` if a temporary file cannot be read back.
  private func byUnits(
    _ pooled: [(number: Int, scores: RunScores)], _ firstRuns: [UInt32]
  ) throws -> Outcome {
    let numbers = predictors.indices.filter { !predictors[$0].isPooled }
    let parts = try replay.forEachBucket(of: studies.bucketCount) {
      Thread(self, numbers, pooled)
    } _: { bucket, thread in
      try thread.take(bucket, base: firstRuns.isEmpty ? 0 : firstRuns[bucket])
    } finish: { thread in
      thread.outcome
    }
    var outcome = Outcome(
      tallies: Array(repeating: PredictionTallies(plan), count: predictors.count),
      skills: SegmentTable(SkillTable(count: predictors.count)), ledger: PredictionLedger())
    for part in parts {
      outcome.ledger.merge(part.ledger)
      outcome.skills.merge(part.skills)
      for (place, number) in numbers.enumerated() {
        outcome.tallies[number].merge(part.tallies[place])
      }
    }
    return outcome
  }

  /// The working state of one thread.
  private final class Thread {
    private let studies: CollectedStudies
    private var scratch: CollectedStudies.Scratch
    private var resolver: StudyResolver
    /// The predictors without a pool, and their indices among all.
    private let evaluations: [(number: Int, evaluation: PredictorEvaluation)]
    private let pooled: [(number: Int, scores: RunScores)]
    private var skills: SegmentTable<SkillTable>
    /// The scores of each predictor for the current run.
    private var scores: [ArraySlice<UnitScores>]

    init(
      _ walk: PredictionWalk, _ numbers: [Int], _ pooled: [(number: Int, scores: RunScores)]
    ) {
      studies = walk.studies
      scratch = CollectedStudies.Scratch(walk.studies)
      resolver = StudyResolver(walk.studies)
      evaluations = numbers.map { ($0, walk.predictors[$0].evaluation(walk.plan)) }
      self.pooled = pooled
      skills = SegmentTable(SkillTable(count: walk.predictors.count))
      scores = Array(repeating: [], count: walk.predictors.count)
    }

    func take(_ bucket: Int, base: UInt32) throws {
      var number = Int(base)
      try studies.forEachUnit(ofBucket: bucket, &scratch) { history in
        resolver.resolve(history)
        let tables = resolver.tables
        resolver.forEachRun { _, steps in
          for (place, evaluation) in evaluations {
            evaluation.apply(steps, tables)
            scores[place] = evaluation.close(0)[...]
          }
          for (place, runs) in pooled { scores[place] = runs[number] }
          number += 1
          compare()
        }
      }
    }

    /// Adds the scores of a run to the skills, for each value of the dimension that it had.
    private func compare() {
      guard let first = scores.first else { return }
      for part in 0..<first.count {
        let row = scores.compactMap { $0.dropFirst(part).first }
        let place = skills.place(of: row[0].study, row[0].value)
        skills.tallies[place].add(row)
      }
    }

    var outcome: Outcome {
      Outcome(
        tallies: evaluations.map(\.evaluation.tallies), skills: skills, ledger: resolver.ledger)
    }
  }
}
