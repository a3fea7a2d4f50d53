internal import Specifications
internal import Statistics

/// The summed scores of a predictor's forecasts, by study and value of the dimension.
///
/// All sums are counts or fixed-point numbers: they do not depend on the order of the takes, nor on how these were
/// divided among threads and merged.
///
/// - Complexity: memory for each study and value that occurs: about 36 KB, up to 24 KB more for the periods, 24 bytes
///   for each option of the study, and 64 bytes for each rank that occurs. It does not grow with the number of takes
///   or units.
public struct PredictionTallies: Sendable {
  let plan: EvaluationPlan
  /// The thresholds of the plan, distinct and ascending.
  private let thresholds: [Double]
  /// The log loss of an option that is missing or below the clipping probability.
  private let missLoss: Double
  /// The index of each option of the catalog within its study.
  let placeInStudy: [UInt32]
  /// The number of options of each study of the catalog.
  private let optionsOfStudy: [Int]
  var slots: [StudyTally] = []
  private var slotOf: [UInt64: Int] = [:]

  /// Creates empty tallies.
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

  /// The studies and values of the dimension with predictions, ascending by study, then by value.
  public var groups: [(study: UInt32, value: UInt32)] {
    slots.map { ($0.study, $0.value) }.sorted { ($0.study, $0.value) < ($1.study, $1.value) }
  }

  /// Returns the scores of a study for a value of the dimension; nil without predictions.
  public func scores(study: UInt32, value: UInt32 = 0) -> PredictionScores? {
    guard let slot = slotOf[Self.key(study, value)], slots[slot].total.events > 0 else {
      return nil
    }
    return PredictionScores(slots[slot], plan)
  }

  /// Returns the scores of a study over all values of the dimension; nil without predictions. In the means over
  /// units, a unit with several values counts once for each of them.
  public func scores(ofAllValuesOf study: UInt32) -> PredictionScores? {
    let parts = slots.filter { $0.study == study }.sorted { $0.value < $1.value }
    guard var sum = parts.first else { return nil }
    for part in parts.dropFirst() { sum.merge(part) }
    return sum.total.events > 0 ? PredictionScores(sum, plan) : nil
  }

  /// Scores one forecast.
  ///
  /// - Parameters:
  ///   - confidences: The confidence of each present option.
  ///   - isBlind: Whether nothing was known that distinguishes the options.
  ///   - step: The take; the option of a novel take has no confidence.
  ///   - options: The catalog numbers of the options in declared order.
  ///   - takesBefore: The number of earlier takes of the unit.
  ///   - scores: The scores of the unit, which are added to.
  /// - Complexity: O(options), without allocation unless a rank or a period occurs for the first time.
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

  /// Returns the slot of a study and value.
  @inline(never)
  mutating func slot(_ study: UInt32, _ value: UInt32) -> Int32 {
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

  /// Adds the scores of a finished run.
  mutating func add(_ scores: UnitScores) {
    guard scores.events > 0 else { return }
    slots[Int(slot(scores.study, scores.value))].add(scores)
  }

  /// Merges tallies with the same plan.
  public mutating func merge(_ other: PredictionTallies) {
    for tally in other.slots {
      slots[Int(slot(tally.study, tally.value))].merge(tally)
    }
  }
}

extension UnitScores {
  /// Adds the scores of one forecast.
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
