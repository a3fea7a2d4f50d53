/// The run of a predictor over a study of a unit.
///
/// Its methods mutate it in place: copying it out of the list of runs for each take would cost many times what most
/// predictors do.
struct PredictorRun<P: OptionPredictor> {
  var learning: P.Learning
  /// The catalog numbers of the options in declared order.
  private var options: [UInt32] = []
  var situation = Situation(time: nil, options: [])
  /// The number of takes so far.
  private var takes = 0
  /// The learned encounters of the options; an added option starts with the same number.
  private var encounters = 0
  /// The number of times the run was redefined or closed: takes pending from before are not learned.
  private(set) var generation = 0
  private var scores = UnitScores()
  /// The scores of earlier values of the dimension, each value once.
  private var closed: [UnitScores] = []

  @inline(__always)
  init(learning: P.Learning) { self.learning = learning }

  /// Predicts and scores a take, and learns it unless it is not known yet.
  @inline(__always)
  mutating func take(_ step: StudyStep, _ shared: inout SharedState) {
    situation.time = step.time
    if takes >= shared.plan.warmUp, step.time >= shared.plan.since { score(step, &shared) }
    takes &+= 1
    if step.kind == .novelTake {
      learning.apply(.add(takes: 0, encounters: encounters), at: step.time)
      append(step.option, shared)
    }
    if shared.plan.delay <= 0 { learn(Int(step.place), step.study, &shared) }
  }

  /// Counts an encounter of the options without a take.
  @inline(__always)
  mutating func encounter(at time: Int64) {
    learning.encounter(at: time)
    if !options.isEmpty { encounters = encounters.addingCount(1) }
  }

  /// Learns a take that has become known.
  mutating func learn(
    late step: StudyStep, knowing features: [Feature], _ shared: inout SharedState
  ) {
    guard let place = options.firstIndex(of: step.option) else { return }
    let current = situation.features
    situation.features = features
    situation.time = step.time
    learn(place, step.study, &shared)
    situation.features = current
  }

  mutating func define(_ table: OptionTable<UInt32>, _ step: StudyStep, _ shared: SharedState) {
    learning.define(table, at: step.time)
    generation += 1
    encounters = table.encountered
    setOptions(table.names, shared)
  }

  mutating func change(_ tables: StudyTables, _ step: StudyStep, _ shared: SharedState) {
    let new = tables.options[Int(step.place)]
    learning.change(from: tables.options[Int(step.place) - 1], to: new, at: step.time)
    encounters = new.encountered
    setOptions(new.names, shared)
  }

  /// Ends the run, so that it can be reused.
  ///
  /// - Returns: Its scores.
  @inline(__always)
  mutating func close(_ shared: inout SharedState) -> [UnitScores] {
    if scores.events > 0 { closed.append(scores) }
    let result = closed
    for scores in result { shared.tallies.add(scores) }
    if shared.isPooled {
      learning = shared.predictor.beginning
    } else {
      // Equal to a new state, but reuses the memory.
      learning.apply(.define(takes: [], encounters: 0), at: nil)
    }
    options.removeAll(keepingCapacity: true)
    situation = Situation(time: nil, options: [])
    (takes, encounters) = (0, 0)
    generation += 1
    scores = UnitScores()
    closed = []
    return result
  }

  @inline(__always)
  private mutating func score(_ step: StudyStep, _ shared: inout SharedState) {
    let isBlind: Bool
    if shared.isPooled {
      shared.turn(to: step.study)
      isBlind = forecast(&shared)
    } else {
      isBlind = learning.forecast(
        into: &shared.confidences, in: situation, pool: shared.predictor.emptyPool)
    }
    if scores.value != step.value || scores.study != step.study {
      change(study: step.study, value: step.value)
    }
    shared.tallies.score(
      shared.confidences, isBlind: isBlind, step, options: options, takesBefore: takes,
      into: &scores)
  }

  /// Writes confidences with the current pool into the buffer. It is not inlined and mutating so that the learning
  /// state is not copied for each take.
  ///
  /// - Returns: Whether the forecast is blind.
  @inline(never)
  private mutating func forecast(_ shared: inout SharedState) -> Bool {
    learning.forecast(into: &shared.confidences, in: situation, pool: shared.pool)
  }

  /// Learns a take with the current pool.
  @inline(never)
  private mutating func learn(_ place: Int, _ shared: inout SharedState) {
    learning.take(place, in: situation, pool: &shared.pool)
  }

  /// Continues with the scores of a value, which the run may have had before: a unit counts once for each of its
  /// values.
  private mutating func change(study: UInt32, value: UInt32) {
    if scores.events > 0 { closed.append(scores) }
    if let place = closed.firstIndex(where: { $0.study == study && $0.value == value }) {
      scores = closed.remove(at: place)
    } else {
      scores = UnitScores(study: study, value: value)
    }
  }

  @inline(__always)
  private mutating func learn(_ place: Int, _ study: UInt32, _ shared: inout SharedState) {
    encounters = encounters.addingCount(1)
    if shared.isPooled {
      shared.turn(to: study)
      learn(place, &shared)
    } else {
      var pool = shared.predictor.emptyPool
      learning.take(place, in: situation, pool: &pool)
    }
  }

  private mutating func setOptions(_ options: [UInt32], _ shared: SharedState) {
    self.options.removeAll(keepingCapacity: true)
    situation.options.removeAll(keepingCapacity: true)
    for option in options { append(option, shared) }
  }

  @inline(__always)
  private mutating func append(_ option: UInt32, _ shared: SharedState) {
    options.append(option)
    if shared.isPooled { situation.options.append(shared.plan.catalog.codes[Int(option)]) }
  }
}
