internal import EventLog
internal import Prediction
internal import Threads

/// Runs predictors over the studies of a log. Predictors without a pool run unit by unit on every thread; predictors
/// that share learning between units run through all steps in order of time, at equal times of the hashes of units, each
/// on a thread of its own.
struct PredictionWalk: Sendable {
  let replay: LogReplay
  let studies: CollectedStudies
  let plan: EvaluationPlan
  let predictors: [Predictor]

  /// The scores of the runs of a predictor, run by run.
  struct RunScores: Sendable {
    private var scores: [UnitScores] = []
    private var ends: [Int] = []

    mutating func append(_ run: [UnitScores]) {
      scores += run
      ends.append(scores.count)
    }

    subscript(run: Int) -> ArraySlice<UnitScores> {
      scores[(run > 0 ? ends[run - 1] : 0)..<ends[run]]
    }
  }

  /// The results of a predictor, in the order of ``predictors``.
  struct Outcome: Sendable {
    var tallies: [PredictionTallies]
    /// By study and value of the dimension.
    var skills: SegmentTable<SkillTable>
    var ledger: PredictionLedger
  }

  func outcome() throws -> Outcome {
    let pooled = predictors.indices.filter { predictors[$0].isPooled }
    let survey = pooled.isEmpty ? nil : try survey()
    let walked = try survey.map { try walk(pooled, $0) } ?? []
    var outcome = try byUnits(zip(pooled, walked.map(\.scores)).map { ($0, $1) }, survey)
    for (number, walked) in zip(pooled, walked) { outcome.tallies[number] = walked.tallies }
    outcome.ledger.merge(studies.ledger)
    return outcome
  }

  // MARK: Unit by unit

  /// Runs the predictors without a pool, and compares all predictors.
  ///
  /// - Parameters:
  ///   - pooled: The predictors that ran over all units together, with the scores of each of their runs.
  ///   - survey: The numbering of the runs; nil if it is not needed.
  /// - Returns: The tallies of the predictors without a pool, the skills of all, and the ledger.
  /// - Throws: `LogError` if a temporary file cannot be read back.
  private func byUnits(_ pooled: [(number: Int, scores: RunScores)], _ survey: Survey?) throws
    -> Outcome
  {
    let numbers = predictors.indices.filter { !predictors[$0].isPooled }
    let parts = try replay.forEachBucket(of: studies.bucketCount) {
      Thread(self, numbers, pooled)
    } _: { bucket, thread in
      try thread.take(bucket, base: survey?.base(of: bucket) ?? 0)
    } finish: { thread in
      thread.outcome
    }
    var outcome = Outcome(
      tallies: Array(repeating: PredictionTallies(plan), count: predictors.count),
      skills: SegmentTable(SkillTable(count: predictors.count)), ledger: PredictionLedger())
    for part in parts {
      outcome.ledger.merge(part.ledger)
      outcome.skills.merge(part.skills) { $1.merge($0) }
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

  // MARK: All units together

  /// The number of runs of each bucket, and the boundaries of slices of steps.
  struct Survey: Sendable {
    var runs: [Int]
    var cuts: [UInt128]

    /// Returns the number of runs before a bucket.
    func base(of bucket: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: runs[..<bucket].reduce(0, +))
    }

    /// The total number of runs.
    var runCount: Int { runs.reduce(0, +) }
  }

  func survey() throws -> Survey {
    typealias Part = (runs: [(bucket: Int, count: Int)], samples: [UInt128])
    let parts = try replay.forEachBucket(of: studies.bucketCount) {
      (
        CollectedStudies.Scratch(studies), StudyResolver(studies), Part(runs: [], samples: []),
        seen: 0
      )
    } _: { bucket, state in
      var runs = 0
      try studies.forEachUnit(ofBucket: bucket, &state.0) { history in
        state.1.resolve(history)
        runs += state.1.runCount
        let unit = studies.hashes.order(of: history[0].unit)
        for step in state.1.steps {
          if state.seen % StepSlices.sampleStride == 0 {
            state.2.samples.append(StepSlices.PlacedStep.key(step.time, unit))
          }
          state.seen += 1
        }
      }
      state.2.runs.append((bucket, runs))
    } finish: { state in
      state.2
    }
    var survey = Survey(
      runs: Array(repeating: 0, count: studies.bucketCount),
      cuts: StepSlices.cuts(parts.flatMap(\.samples)))
    for part in parts {
      for (bucket, count) in part.runs { survey.runs[bucket] = count }
    }
    return survey
  }

  /// Returns the steps of all runs, numbered across all buckets.
  func slices(_ survey: Survey) throws -> StepSlices {
    let limit = replay.memoryLimit.map { $0 / 2 / replay.jobs } ?? .max
    let parts = try replay.forEachBucket(of: studies.bucketCount) {
      (
        CollectedStudies.Scratch(studies),
        StudyResolver(studies, goesToEnd: plan.delay > 0),
        StepSlices.Part(cuts: survey.cuts, memoryLimit: limit, folder: replay.log.path)
      )
    } _: { bucket, state in
      var base = survey.base(of: bucket)
      try studies.forEachUnit(ofBucket: bucket, &state.0) { history in
        state.1.resolve(history, keepingTables: true)
        let unit = studies.hashes.order(of: history[0].unit)
        for var step in state.1.steps {
          step.run &+= base
          try state.2.add(step, unit)
        }
        base &+= UInt32(truncatingIfNeeded: state.1.runCount)
      }
    } finish: { state in
      var part = state.2
      part.tables = state.1.tables
      return part
    }
    return try StepSlices(
      parts, slices: survey.cuts.count + 1, jobs: replay.jobs, folder: replay.log.path)
  }

  private func walk(
    _ numbers: [Int], _ survey: Survey
  ) throws -> [(tallies: PredictionTallies, scores: RunScores)] {
    let slices = try slices(survey)
    let (plan, runCount) = (plan, survey.runCount)
    return try Workers.map(numbers.count, jobs: replay.jobs) { place in
      let evaluation = predictors[numbers[place]].evaluation(plan)
      try slices.forEach { evaluation.apply($0, slices.tables) }
      var scores = RunScores()
      for run in 0..<runCount { scores.append(evaluation.close(run)) }
      return (evaluation.tallies, scores)
    }
  }

  /// Returns the pool that a predictor learned from the units of a study together.
  func pool(_ predictor: Predictor, _ study: UInt32) throws -> (any OptionPool)? {
    let evaluation = predictor.evaluation(plan)
    let slices = try slices(try survey())
    try slices.forEach { evaluation.apply($0, slices.tables) }
    return evaluation.pool(study)
  }
}
