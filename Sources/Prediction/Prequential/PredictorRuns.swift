/// The runs of a predictor over studies of units: each take is predicted, scored, and then learned.
///
/// Runs may be consecutive (each closed before the next one starts, all with the number 0) or interleaved in time
/// order: predictors that learn across units need the latter. A.P. Dawid, *Present position and potential
/// developments: the prequential approach*, JRSS A 147(2), 1984, https://doi.org/10.2307/2981683.
struct PredictorRuns<P: OptionPredictor> {
  /// A take that is not known yet.
  private struct Pending {
    let step: StudyStep
    let generation: Int
    let features: [Feature]
  }

  private var runs: [PredictorRun<P>] = []
  private(set) var shared: PredictorRun<P>.SharedState
  /// The runs that are predicted.
  private let slice: RunSlice
  /// Learns the takes of the others.
  private var others: PoolLearner<P>
  /// The takes that are not known yet, the oldest first, starting at `firstPending`.
  private var pending: [Pending] = []
  private var firstPending = 0

  @inline(__always)
  init(_ predictor: P, _ plan: EvaluationPlan, _ slice: RunSlice) {
    shared = PredictorRun<P>.SharedState(predictor, plan)
    self.slice = slice
    others = PoolLearner(predictor)
  }

  /// Processes steps in order.
  @inline(__always)
  mutating func apply(_ steps: Span<StudyStep>, _ tables: StudyTables) {
    guard slice.count == 1 else { return applySlice(steps, tables) }
    for index in 0..<steps.count { apply(steps[index], tables) }
  }

  @inline(never)
  private mutating func applySlice(_ steps: Span<StudyStep>, _ tables: StudyTables) {
    for index in 0..<steps.count {
      var step = steps[index]
      if let place = slice.place(of: step.run) {
        step.run = place
        apply(step, tables)
      } else {
        others.apply(step, tables, &shared)
      }
    }
  }

  /// Ends a run and discards what it learned.
  ///
  /// - Returns: Its scores, one for each value of the dimension, in order.
  @inline(__always)
  mutating func close(_ number: Int) -> [UnitScores] {
    guard runs.indices.contains(number) else { return [] }
    let closed = runs[number].close(&shared)
    if runs.count == 1 {
      // Pending takes belong to this run, and may be later than the first ones of the next.
      pending.removeAll(keepingCapacity: true)
      firstPending = 0
    }
    return closed
  }

  @inline(__always)
  private mutating func apply(_ step: StudyStep, _ tables: StudyTables) {
    let number = Int(step.run)
    while number >= runs.count { runs.append(PredictorRun(learning: shared.predictor.beginning)) }
    if shared.plan.delay > 0 { learnWhatIsKnown(at: step.time) }
    switch step.kind {
    case .take, .novelTake:
      runs[number].take(step, &shared)
      if shared.plan.delay > 0 {
        pending.append(
          Pending(
            step: step, generation: runs[number].generation,
            features: runs[number].situation.features))
      }
    case .encounter: runs[number].encounter(at: step.time)
    case .define: runs[number].define(tables.options[Int(step.place)], step, shared)
    case .change: runs[number].change(tables, step, shared)
    case .features: runs[number].situation.features = tables.features[Int(step.place)]
    }
  }

  /// Learns the takes of every run that are known by a time.
  private mutating func learnWhatIsKnown(at time: Int64) {
    let (limit, isOver) = time.subtractingReportingOverflow(shared.plan.delay)
    guard !isOver else { return }
    while firstPending < pending.count, pending[firstPending].step.time <= limit {
      let take = pending[firstPending]
      let number = Int(take.step.run)
      if runs[number].generation == take.generation {
        runs[number].learn(late: take.step, knowing: take.features, &shared)
      }
      firstPending += 1
    }
    if firstPending > 64, firstPending * 2 > pending.count {
      pending.removeFirst(firstPending)
      firstPending = 0
    }
  }
}
