/// A predictor that goes through studies of units: each take is predicted, scored, and then learned.
///
/// Runs may be one after the other (each closed before the next one begins, all with the number 0) or side by side in
/// the order of time: predictors by which units learn from each other need the latter. A.P. Dawid, *Present position
/// and potential developments: the prequential approach*, JRSS A 147(2), 1984, https://doi.org/10.2307/2981683.
///
/// All that a step touches is changed where it stands: a copy of a run for each step would take longer than the step.
struct PredictorRuns<P: OptionPredictor> {
  private let predictor: P
  private let plan: EvaluationPlan
  private let isPooled: Bool
  private let emptyPool: P.Learning.Pool
  /// The codes of the options in the catalog; none where units learn nothing from each other.
  private let codes: [UInt64]
  private var runs: [Run] = []
  /// By study, what units have in common.
  private(set) var pools: [UInt32: P.Learning.Pool] = [:]
  private(set) var tallies: PredictionTallies
  private var confidences: [Double] = []
  /// Takes that are not known yet, the oldest first, from `firstPending` on.
  private var pending: [Pending] = []
  private var firstPending = 0

  @inline(__always)
  init(_ predictor: P, _ plan: EvaluationPlan) {
    self.predictor = predictor
    self.plan = plan
    isPooled = predictor.isPooled
    emptyPool = predictor.emptyPool
    codes = predictor.isPooled ? plan.catalog.codes : []
    tallies = PredictionTallies(plan)
  }

  /// Goes through steps in their order.
  @inline(__always)
  mutating func apply(_ steps: Span<StudyStep>, _ tables: StudyTables) {
    for index in 0..<steps.count { apply(steps[index], tables) }
  }

  /// Ends a run: what it learned is forgotten.
  ///
  /// - Returns: Its scores, one for each value of the dimension that it had, one after the other.
  @inline(__always)
  mutating func close(_ number: Int) -> [UnitScores] {
    guard runs.indices.contains(number) else { return [] }
    let closed = runs[number].close(predictor)
    for scores in closed { tallies.add(scores) }
    if runs.count == 1 {
      // What is still pending was of this run, and may be later than what the next one begins with.
      pending.removeAll(keepingCapacity: true)
      firstPending = 0
    }
    return closed
  }

  @inline(__always)
  private mutating func apply(_ step: StudyStep, _ tables: StudyTables) {
    let number = Int(step.run)
    while number >= runs.count { runs.append(Run(learning: predictor.beginning)) }
    if plan.delay > 0 { learnWhatIsKnown(at: step.time) }
    switch step.kind {
    case .take, .novelTake: take(step, number)
    case .encounter: runs[number].learning.encounter(at: step.time)
    case .define:
      let table = tables.options[Int(step.place)]
      runs[number].learning.define(table, at: step.time)
      runs[number].generation += 1
      runs[number].setOptions(table.names, codes: codes)
    case .change:
      let new = tables.options[Int(step.place)]
      runs[number].learning.change(
        from: tables.options[Int(step.place) - 1], to: new, at: step.time)
      runs[number].setOptions(new.names, codes: codes)
    case .features: runs[number].situation.features = tables.features[Int(step.place)]
    }
  }

  @inline(__always)
  private mutating func take(_ step: StudyStep, _ number: Int) {
    runs[number].situation.time = step.time
    if runs[number].takes >= plan.warmUp, step.time >= plan.since { score(step, number) }
    runs[number].takes &+= 1
    if step.kind == .novelTake {
      runs[number].learning.add(takes: 0, encounters: 0, at: step.time)
      runs[number].append(step.option, codes: codes)
    }
    if plan.delay > 0 {
      pending.append(
        Pending(
          step: step, generation: runs[number].generation,
          features: runs[number].situation.features))
    } else {
      learn(Int(step.place), number, step.study)
    }
  }

  @inline(__always)
  private mutating func score(_ step: StudyStep, _ number: Int) {
    let isBlind: Bool
    if isPooled {
      isBlind = runs[number].forecast(
        into: &confidences, pool: pools[step.study] ?? emptyPool)
    } else {
      isBlind = runs[number].forecast(into: &confidences, pool: emptyPool)
    }
    runs[number].score(confidences, isBlind: isBlind, step, &tallies)
  }

  @inline(__always)
  private mutating func learn(_ place: Int, _ number: Int, _ study: UInt32) {
    var none = emptyPool
    if isPooled {
      runs[number].learn(place, &pools[study, default: none])
    } else {
      runs[number].learn(place, &none)
    }
  }
}

// MARK: - What is not known at once

extension PredictorRuns {
  /// A take that is not known yet.
  private struct Pending {
    let step: StudyStep
    let generation: Int
    let features: [Feature]
  }

  /// Learns the takes that are known by now, of every run.
  private mutating func learnWhatIsKnown(at time: Int64) {
    let (limit, isOver) = time.subtractingReportingOverflow(plan.delay)
    guard !isOver else { return }
    while firstPending < pending.count, pending[firstPending].step.time <= limit {
      learn(pending[firstPending])
      firstPending += 1
    }
    if firstPending > 64, firstPending * 2 > pending.count {
      pending.removeFirst(firstPending)
      firstPending = 0
    }
  }

  private mutating func learn(_ take: Pending) {
    let number = Int(take.step.run)
    guard runs[number].generation == take.generation,
      let place = runs[number].options.firstIndex(of: take.step.option)
    else { return }
    let features = runs[number].situation.features
    runs[number].situation.features = take.features
    runs[number].situation.time = take.step.time
    learn(place, number, take.step.study)
    runs[number].situation.features = features
  }
}

// MARK: - One run

extension PredictorRuns {
  /// A study of a unit on its way.
  private struct Run {
    var learning: P.Learning
    /// The options in declared order, by their numbers in the catalog.
    var options: [UInt32] = []
    var situation = Situation(time: nil, options: [])
    /// Takes so far.
    var takes = 0
    /// How often the run was defined anew or closed: what is pending from before is not learned.
    var generation = 0
    var scores = UnitScores()
    /// Scores of values of the dimension that the run had before, each value once.
    var closed: [UnitScores] = []

    @inline(__always)
    func forecast(into confidences: inout [Double], pool: P.Learning.Pool) -> Bool {
      learning.forecast(into: &confidences, in: situation, pool: pool)
    }

    @inline(__always)
    mutating func learn(_ place: Int, _ pool: inout P.Learning.Pool) {
      learning.take(place, in: situation, pool: &pool)
    }

    @inline(__always)
    mutating func score(
      _ confidences: [Double], isBlind: Bool, _ step: StudyStep, _ tallies: inout PredictionTallies
    ) {
      if scores.value != step.value || scores.study != step.study {
        change(study: step.study, value: step.value)
      }
      tallies.score(
        confidences, isBlind: isBlind, step, options: options, takesBefore: takes, into: &scores)
    }

    /// Goes on with the scores of a value, which the run may have had before: a unit counts once for each of its values.
    private mutating func change(study: UInt32, value: UInt32) {
      if scores.events > 0 { closed.append(scores) }
      if let place = closed.firstIndex(where: { $0.study == study && $0.value == value }) {
        scores = closed.remove(at: place)
      } else {
        scores = UnitScores(study: study, value: value)
      }
    }

    /// Ends the run, so that it may be another one.
    ///
    /// - Returns: Its scores.
    @inline(__always)
    mutating func close(_ predictor: P) -> [UnitScores] {
      if scores.events > 0 { closed.append(scores) }
      let result = closed
      if predictor.isPooled {
        learning = predictor.beginning
      } else {
        // The same, in the memory that is there.
        learning.define(takes: [], encounters: 0, at: nil)
      }
      options.removeAll(keepingCapacity: true)
      situation = Situation(time: nil, options: [])
      takes = 0
      generation += 1
      scores = UnitScores()
      closed = []
      return result
    }

    mutating func setOptions(_ options: [UInt32], codes: [UInt64]) {
      self.options.removeAll(keepingCapacity: true)
      situation.options.removeAll(keepingCapacity: true)
      for option in options { append(option, codes: codes) }
    }

    mutating func append(_ option: UInt32, codes: [UInt64]) {
      options.append(option)
      if Int(option) < codes.count { situation.options.append(codes[Int(option)]) }
    }
  }
}
