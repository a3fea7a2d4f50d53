internal import EventLog
internal import Prediction
internal import Threads

/// The scores of the runs of a predictor that went through them in slices.
struct RunScores: Sendable {
  /// The scores of a slice, run by run.
  struct Part: Sendable {
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

  /// By the number of the slice.
  let parts: [Part]

  subscript(run: Int) -> ArraySlice<UnitScores> { parts[run % parts.count][run / parts.count] }
}

// Predictors that learn from all units together.
extension PredictionWalk {
  /// The tallies of a predictor, and its scores of each run.
  typealias Walked = (tallies: PredictionTallies, scores: RunScores)

  /// A predictor on a slice of the runs, for one thread.
  private struct Piece {
    /// The index among the pooled predictors.
    var place: Int
    var slice: RunSlice
  }

  /// The largest number of slices of runs: every one of them learns all takes.
  private static let mostSlices = 16

  /// Runs the predictors with a pool.
  ///
  /// - Parameter numbers: Their indices among all.
  /// - Returns: What each of them scored; and by bucket, the number of its first run.
  /// - Throws: `LogError` if a temporary file fails.
  func together(_ numbers: [Int]) throws -> (walked: [Walked], firstRuns: [UInt32]) {
    let (steps, plan) = (try slices(), plan)
    let pieces = pieces(numbers)
    let parts = try Workers.map(pieces.count, jobs: replay.jobs) { number in
      let piece = pieces[number]
      let evaluation = try evaluation(of: predictors[numbers[piece.place]], piece.slice, steps)
      var scores = RunScores.Part()
      for run in Swift.stride(
        from: Int(piece.slice.number), to: steps.runCount, by: Int(piece.slice.count))
      {
        scores.append(evaluation.close(run / Int(piece.slice.count)))
      }
      return (tallies: evaluation.tallies, scores: scores)
    }
    let walked = numbers.indices.map { place in
      let own = pieces.indices.filter { pieces[$0].place == place }
      var tallies = PredictionTallies(plan)
      for number in own { tallies.merge(parts[number].tallies) }
      return (tallies, RunScores(parts: own.map { parts[$0].scores }))
    }
    return (walked, steps.firstRuns)
  }

  /// Divides the work, the longest pieces first: predictors whose pool needs the learning state of each unit cannot be
  /// sliced, nor can takes that are known late.
  private func pieces(_ numbers: [Int]) -> [Piece] {
    let slices = min(replay.jobs, Self.mostSlices)
    let isSliced = numbers.map { plan.delay <= 0 && predictors[$0].poolContext != nil }
    let whole = numbers.indices.filter { !isSliced[$0] }.map { Piece(place: $0, slice: .all) }
    return whole
      + numbers.indices.filter { isSliced[$0] }.flatMap { place in
        (0..<slices).map { Piece(place: place, slice: RunSlice($0, of: slices)) }
      }
  }

  /// Returns the steps of all runs, numbered across all buckets.
  func slices() throws -> StepSlices {
    let limit = replay.memoryLimit.map { $0 / 2 / replay.jobs } ?? .max
    let cuts = StepSlices.cuts(
      studies.samples.map { StepKey(time: $0.time, unit: studies.hashes.order(of: $0.unit)) })
    let parts = try replay.forEachBucket(of: studies.bucketCount) {
      (
        CollectedStudies.Scratch(studies),
        StudyResolver(studies, goesToEnd: plan.delay > 0),
        StepPart(cuts: cuts, memoryLimit: limit, folder: replay.log.path)
      )
    } _: { bucket, state in
      state.2.begin(bucket: bucket)
      try studies.forEachUnit(ofBucket: bucket, &state.0) { history in
        state.1.resolve(history, keepingTables: true)
        let unit = studies.hashes.order(of: history[0].unit)
        try state.2.add(state.1.steps, runs: state.1.runCount, of: unit)
      }
    } finish: { state in
      var part = state.2
      part.tables = state.1.tables
      return part
    }
    return try StepSlices(
      parts, buckets: studies.bucketCount, jobs: replay.jobs, folder: replay.log.path)
  }

  /// Returns the pool that a predictor learned from the units of a study together.
  func pool(_ predictor: Predictor, _ study: UInt32) throws -> (any OptionPool)? {
    try evaluation(of: predictor, .all, try slices()).pool(study)
  }

  /// Runs a predictor through a slice of the runs.
  private func evaluation(
    of predictor: Predictor, _ slice: RunSlice, _ steps: StepSlices
  ) throws -> PredictorEvaluation {
    let evaluation = predictor.evaluation(plan, slice)
    try steps.forEach { evaluation.apply($0, steps.tables) }
    return evaluation
  }
}
