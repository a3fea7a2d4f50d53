internal import Statistics

/// What a predictor's forecasts add up to, for each study and value of the dimension.
///
/// All sums are counts or in fixed point: they do not depend on the order of the takes, nor on how they were split among
/// threads and merged.
///
/// - Complexity: memory for each study and value that occurs: about 36 KB, up to 24 KB more for the periods, 24 bytes for each
///   option of the study, and 64 bytes for each rank that was met. It does not grow with the number of takes or units.
public struct PredictionTallies: Sendable {
  let plan: EvaluationPlan
  /// The thresholds of the plan, ascending, each once.
  private let thresholds: [Double]
  /// The log loss of an option that was not there, or had less than the least probability.
  private let missLoss: Double
  /// By option in the catalog, its place among those of its study.
  private let placeInStudy: [UInt32]
  /// By study in the catalog, how many options it has.
  private let optionsOfStudy: [Int]
  private var slots: [StudyTally] = []
  private var slotOf: [UInt64: Int] = [:]

  /// Nothing scored.
  public init(_ plan: EvaluationPlan) {
    var plan = plan
    plan.thresholds = Set(plan.thresholds.filter { !$0.isNaN }).sorted()
    plan.cutoffs = Set(plan.cutoffs.filter { $0 > 0 }).sorted()
    plan.clip = plan.clip > 0 ? min(plan.clip, 1) : .leastNonzeroMagnitude
    self.plan = plan
    thresholds = plan.thresholds
    missLoss = ChoiceScores.logLoss([0], taken: 0, clip: plan.clip)
    var counts = [Int](repeating: 0, count: plan.catalog.studies.count)
    placeInStudy = plan.catalog.studyOfOption.map { study in
      guard counts.indices.contains(Int(study)) else { return .max }
      counts[Int(study)] += 1
      return UInt32(counts[Int(study)] - 1)
    }
    optionsOfStudy = counts
  }

  /// The studies and values of the dimension of which anything was predicted, ascending by study, then by value.
  public var groups: [(study: UInt32, value: UInt32)] {
    slots.map { ($0.study, $0.value) }.sorted { ($0.study, $0.value) < ($1.study, $1.value) }
  }

  /// The scores of a study for a value of the dimension; nil where nothing was predicted.
  public func scores(study: UInt32, value: UInt32 = 0) -> PredictionScores? {
    guard let slot = slotOf[Self.key(study, value)], slots[slot].total.events > 0 else {
      return nil
    }
    return PredictionScores(slots[slot], plan)
  }

  /// The scores of a study whatever the value of the dimension; nil where nothing was predicted. A unit that had several
  /// values counts once for each of them in the means over units.
  public func scores(ofAllValuesOf study: UInt32) -> PredictionScores? {
    let parts = groups.filter { $0.study == study }.compactMap {
      slotOf[Self.key($0.study, $0.value)]
    }
    guard var sum = parts.first.map({ slots[$0] }) else { return nil }
    for part in parts.dropFirst() { sum.merge(slots[part]) }
    return sum.total.events > 0 ? PredictionScores(sum, plan) : nil
  }

  /// Scores one forecast.
  ///
  /// - Parameters:
  ///   - confidences: Of each option now in the study.
  ///   - isBlind: Whether nothing was known that tells the options apart.
  ///   - step: The take: its option has no confidence if it is a novel one.
  ///   - options: The options in declared order, by their numbers in the catalog.
  ///   - takesBefore: How often the unit took something before.
  ///   - scores: Takes the sums.
  /// - Complexity: O(options), without allocation but where a rank or a period is met for the first time.
  @inline(never)
  mutating func score(
    _ confidences: [Double], isBlind: Bool, _ step: StudyStep, options: [UInt32], takesBefore: Int,
    into scores: inout UnitScores
  ) {
    if scores.slot < 0 { scores.slot = slot(step.study, step.value) }
    let forecast = Assessment(
      confidences, taken: step.kind == .novelTake ? .max : Int(step.place))
    let loss = forecast.logLoss(clip: plan.clip, ofMiss: missLoss)
    let top = forecast.top >= 0 && forecast.top < options.count ? options[forecast.top] : .max
    slots[Int(scores.slot)].add(
      forecast, isBlind: isBlind, loss: loss, time: step.time, takesBefore: takesBefore,
      taken: placeInStudy(step.option), predicted: placeInStudy(top), thresholds: thresholds)
    scores.add(forecast, loss: loss, takesBefore: takesBefore)
  }

  @inline(__always)
  private func placeInStudy(_ option: UInt32) -> Int {
    option < placeInStudy.count ? Int(placeInStudy[Int(option)]) : -1
  }

  /// Where a study and value are kept.
  @inline(never)
  private mutating func slot(_ study: UInt32, _ value: UInt32) -> Int32 {
    let key = Self.key(study, value)
    if let slot = slotOf[key] { return Int32(truncatingIfNeeded: slot) }
    let options = Int(study) < optionsOfStudy.count ? optionsOfStudy[Int(study)] : 0
    slotOf[key] = slots.count
    slots.append(StudyTally(study: study, value: value, plan, options: options))
    return Int32(truncatingIfNeeded: slots.count - 1)
  }

  private static func key(_ study: UInt32, _ value: UInt32) -> UInt64 {
    UInt64(study) << 32 | UInt64(value)
  }

  /// Adds the scores of a run that has ended.
  mutating func add(_ scores: UnitScores) {
    guard scores.events > 0 else { return }
    slots[Int(slot(scores.study, scores.value))].add(scores)
  }

  /// Adds what was seen elsewhere with the same plan.
  public mutating func merge(_ other: PredictionTallies) {
    for tally in other.slots {
      slots[Int(slot(tally.study, tally.value))].merge(tally)
    }
  }
}

extension UnitScores {
  /// Adds one forecast.
  @inline(__always)
  fileprivate mutating func add(_ forecast: Assessment, loss: Double, takesBefore: Int) {
    events &+= 1
    hits &+= forecast.isHit ? 1 : 0
    if forecast.isSeen { reciprocalRank += 1 / Double(forecast.pessimisticRank) }
    logLoss += loss
    brier += forecast.brier
    let stage = HistoryStage.index(takesBefore)
    stageEvents[stage] &+= 1
    stageLogLoss[stage] += loss
  }
}
