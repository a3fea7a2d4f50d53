/// A predictor that goes through studies of units: each take is predicted, scored, and then learned.
///
/// Runs may be one after the other (each closed before the next one begins, all with the number 0) or side by side in
/// the order of time: predictors by which units learn from each other need the latter. A.P. Dawid, *Present position
/// and potential developments: the prequential approach*, JRSS A 147(2), 1984, https://doi.org/10.2307/2981683.
final class PredictorRuns<P: OptionPredictor> {
  /// A study of a unit on its way.
  private struct Run {
    var learning: P.Learning
    /// The options in declared order, by their numbers in the catalog.
    var options: [UInt32] = []
    var situation = Situation(time: nil, options: [])
    /// Takes so far.
    var takes = 0
    /// How often the options were encountered, as far as that was learned: an option that is added was as often.
    var encounters = 0
    /// How often the run was defined anew or closed: what is pending from before is not learned.
    var generation = 0
    var scores = UnitScores()
    /// Scores of values of the dimension that the run had before, each value once.
    var closed: [UnitScores] = []

    /// Goes on with the scores of a value, which the run may have had before: a unit counts once for each of its values.
    mutating func change(study: UInt32, value: UInt32) {
      if scores.events > 0 { closed.append(scores) }
      if let place = closed.firstIndex(where: { $0.study == study && $0.value == value }) {
        scores = closed.remove(at: place)
      } else {
        scores = UnitScores(study: study, value: value)
      }
    }
  }

  /// A take that is not known yet.
  private struct Pending {
    let step: StudyStep
    let generation: Int
    let features: [Feature]
  }

  private let predictor: P
  private let plan: EvaluationPlan
  private let isPooled: Bool
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
    tallies = PredictionTallies(plan)
  }

  /// Goes through steps in their order.
  @inline(__always)
  func apply(_ steps: Span<StudyStep>, _ tables: StudyTables) {
    for index in 0..<steps.count { apply(steps[index], tables) }
  }

  /// Ends a run: what it learned is forgotten.
  ///
  /// - Returns: Its scores, one for each value of the dimension that it had, one after the other.
  @inline(__always)
  func close(_ number: Int) -> [UnitScores] {
    guard runs.indices.contains(number) else { return [] }
    var closed = runs[number].closed
    if runs[number].scores.events > 0 { closed.append(runs[number].scores) }
    for scores in closed { tallies.add(scores) }
    let generation = runs[number].generation
    runs[number] = Run(learning: predictor.beginning)
    runs[number].generation = generation + 1
    if runs.count == 1 {
      // What is still pending was of this run, and may be later than what the next one begins with.
      pending.removeAll(keepingCapacity: true)
      firstPending = 0
    }
    return closed
  }

  @inline(__always)
  private func apply(_ step: StudyStep, _ tables: StudyTables) {
    let number = Int(step.run)
    while number >= runs.count { runs.append(Run(learning: predictor.beginning)) }
    if plan.delay > 0 { learnWhatIsKnown(at: step.time) }
    switch step.kind {
    case .take, .novelTake: take(step, number)
    case .encounter:
      runs[number].learning.encounter(at: step.time)
      runs[number].encounters = runs[number].encounters.addingCount(1)
    case .define: define(tables.options[Int(step.place)], number, step)
    case .change: change(tables, number, step)
    case .features: runs[number].situation.features = tables.features[Int(step.place)]
    }
  }

  @inline(__always)
  private func take(_ step: StudyStep, _ number: Int) {
    runs[number].situation.time = step.time
    let isNovel = step.kind == .novelTake
    if runs[number].takes >= plan.warmUp, step.time >= plan.since { score(step, number) }
    runs[number].takes &+= 1
    if isNovel {
      runs[number].learning.add(
        takes: 0, encounters: runs[number].encounters, at: step.time)
      append(step.option, number)
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
  private func score(_ step: StudyStep, _ number: Int) {
    let isBlind: Bool
    if isPooled {
      let pool = pools[step.study] ?? predictor.emptyPool
      isBlind = runs[number].learning.forecast(
        into: &confidences, in: runs[number].situation, pool: pool)
    } else {
      isBlind = runs[number].learning.forecast(
        into: &confidences, in: runs[number].situation, pool: predictor.emptyPool)
    }
    if runs[number].scores.value != step.value || runs[number].scores.study != step.study {
      runs[number].change(study: step.study, value: step.value)
    }
    tallies.score(
      confidences, isBlind: isBlind, step, options: runs[number].options,
      takesBefore: runs[number].takes, into: &runs[number].scores)
  }

  @inline(__always)
  private func learn(_ place: Int, _ number: Int, _ study: UInt32) {
    runs[number].encounters = runs[number].encounters.addingCount(1)
    guard isPooled else {
      var pool = predictor.emptyPool
      runs[number].learning.take(place, in: runs[number].situation, pool: &pool)
      return
    }
    runs[number].learning.take(
      place, in: runs[number].situation, pool: &pools[study, default: predictor.emptyPool])
  }

  /// Learns the takes that are known by now, of every run.
  private func learnWhatIsKnown(at time: Int64) {
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

  private func learn(_ take: Pending) {
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

  private func define(_ table: OptionTable<UInt32>, _ number: Int, _ step: StudyStep) {
    runs[number].learning.define(table, at: step.time)
    runs[number].encounters = table.encountered
    runs[number].generation += 1
    setOptions(table.names, number)
  }

  private func change(_ tables: StudyTables, _ number: Int, _ step: StudyStep) {
    let new = tables.options[Int(step.place)]
    runs[number].learning.change(
      from: tables.options[Int(step.place) - 1], to: new, at: step.time)
    runs[number].encounters = new.encountered
    setOptions(new.names, number)
  }

  private func setOptions(_ options: [UInt32], _ number: Int) {
    runs[number].options = []
    runs[number].situation.options = []
    for option in options { append(option, number) }
  }

  private func append(_ option: UInt32, _ number: Int) {
    runs[number].options.append(option)
    if isPooled { runs[number].situation.options.append(plan.catalog.codes[Int(option)]) }
  }
}

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
