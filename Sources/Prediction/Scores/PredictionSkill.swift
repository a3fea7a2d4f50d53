public import Specifications
public import Statistics

/// The skill of a predictor against another one, by the same takes of the same units.
///
/// Intervals have a confidence level of 95 % and assume independent units, not takes: they are Student intervals of a
/// ratio of sums over units by the delta method (`RatioMoments`), with one degree of freedom less than there are
/// units. A single unit has no interval.
public struct PredictionSkill: Sendable, Equatable {
  /// The number of units whose takes both predicted.
  public var units: Int
  /// The number of takes.
  public var events: Int
  /// 1 − log loss ÷ the other's: above 0 if it is lower. Nil if the other's is 0.
  public var logLoss: Difference?
  /// 1 − Brier score ÷ the other's (the Brier skill score); nil if the other's is 0.
  public var brier: Difference?
  /// The hit rate minus the other's.
  public var hitRate: Difference?
  /// The mean reciprocal rank minus the other's.
  public var reciprocalRank: Difference?
}

/// The skill of a predictor against another one in one stage of the units' history.
public struct StageSkill: Sendable, Equatable {
  /// The least number of earlier takes of the units.
  public var low: Int
  /// The greatest number of earlier takes; nil for the unbounded last stage.
  public var high: Int?
  /// The number of units in the stage.
  public var units: Int
  /// The number of predicted takes.
  public var events: Int
  /// The mean log loss of the other predictor minus that of this one, in nats.
  public var difference: Difference
}

extension Difference {
  /// Whether the interval excludes 0; nil without an interval.
  public var isReal: Bool? { interval.map { !$0.contains(0) } }
}

/// A tally of the scores of two predictors for the same takes, by unit; exact and independent of order.
///
/// - Complexity: memory about 11 KB, and 3 KB for each of at most 16 stages of history.
public struct SkillTally: StateFields, Equatable {
  var logLoss = RatioMoments()
  var brier = RatioMoments()
  var hits = RatioMoments()
  var reciprocalRank = RatioMoments()
  var stages: [RatioMoments] = []
  var events = 0
  /// The number of units left out because the two did not score the same number of takes of the same study and value.
  public internal(set) var unpaired = 0

  /// Creates an empty tally.
  public init() {}

  /// Adds a unit.
  ///
  /// - Parameters:
  ///   - predictor: Its scores by the predictor.
  ///   - baseline: Its scores by the baseline, for the same takes.
  public mutating func add(predictor: UnitScores, baseline: UnitScores) {
    guard predictor.study == baseline.study, predictor.value == baseline.value,
      predictor.events == baseline.events
    else {
      unpaired += 1
      return
    }
    guard predictor.events > 0 else { return }
    let n = Double(predictor.events)
    events += predictor.events
    logLoss.add(predictor.logLoss, over: baseline.logLoss)
    brier.add(predictor.brier, over: baseline.brier)
    hits.add(Double(predictor.hits - baseline.hits), over: n)
    reciprocalRank.add(predictor.reciprocalRank - baseline.reciprocalRank, over: n)
    for stage in HistoryStage.all where predictor.stageEvents[stage] > 0 {
      while stages.count <= stage { stages.append(RatioMoments()) }
      stages[stage].add(
        baseline.stageLogLoss[stage] - predictor.stageLogLoss[stage],
        over: Double(predictor.stageEvents[stage]))
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&logLoss, other.logLoss)
    visit(&brier, other.brier)
    visit(&hits, other.hits)
    visit(&reciprocalRank, other.reciprocalRank)
    visit.list(&stages, other.stages, RatioMoments())
    visit(&events, other.events)
    visit(&unpaired, other.unpaired)
  }

  public func validate() throws(StateError) {
    guard stages.count <= HistoryStage.count else { throw StateError("there are too many stages") }
  }

  /// The skill of the predictor against the baseline.
  public var skill: PredictionSkill { skill(logLoss, brier) { $0 } }

  /// The skill of the baseline against the predictor.
  public var reversed: PredictionSkill { skill(logLoss.inverse, brier.inverse) { 0 - $0 } }

  private func skill(
    _ logLoss: RatioMoments, _ brier: RatioMoments, _ sign: (Double) -> Double
  ) -> PredictionSkill {
    PredictionSkill(
      units: self.logLoss.numerator.count, events: events,
      logLoss: Self.difference(logLoss) { 1 - $0 }, brier: Self.difference(brier) { 1 - $0 },
      hitRate: Self.difference(hits, sign), reciprocalRank: Self.difference(reciprocalRank, sign))
  }

  /// The reduction in log loss of the predictor against the baseline, by the history of the units; stages without
  /// units are left out.
  public var byHistory: [StageSkill] { byHistory { $0 } }

  /// The reduction in log loss of the baseline against the predictor, by the history of the units.
  public var reversedByHistory: [StageSkill] { byHistory { 0 - $0 } }

  private func byHistory(_ sign: (Double) -> Double) -> [StageSkill] {
    stages.indices.compactMap { stage in
      let moments = stages[stage]
      guard let difference = Self.difference(moments, sign) else { return nil }
      return StageSkill(
        low: HistoryStage.lowest(stage), high: HistoryStage.highest(stage),
        units: moments.numerator.count, events: Int(moments.denominator.sum),
        difference: difference)
    }
  }

  /// Returns a transformed ratio of sums with its interval; nil if the denominators sum to 0.
  private static func difference(_ moments: RatioMoments, _ turn: (Double) -> Double)
    -> Difference?
  {
    let (above, below) = (moments.numerator.sum, moments.denominator.sum)
    guard moments.numerator.count > 0, below != 0 else { return nil }
    guard let ratio = moments.ratio else { return Difference(estimate: turn(above / below)) }
    return Difference(
      estimate: turn(ratio.mean), standardError: ratio.squaredError.squareRoot(),
      degreesOfFreedom: ratio.count - 1, alternative: .twoSided, level: 0.95)
  }
}

/// The skill of each of several predictors against each other.
///
/// - Complexity: memory of a ``SkillTally`` for each pair.
public struct SkillTable: StateFields, Equatable {
  /// The number of predictors.
  public let count: Int
  /// The tally of each pair, the first predictor before the second, ordered by the second and then by the first.
  var pairs: [SkillTally]

  /// Creates a table of the given number of predictors, without units.
  public init(count: Int) {
    self.count = max(0, count)
    pairs = [SkillTally](repeating: SkillTally(), count: self.count * (self.count - 1) / 2)
  }

  /// Adds a unit.
  ///
  /// - Parameter scores: Its scores by each predictor, for the same takes; if their number differs from that of the
  ///   predictors, the excess is left out.
  public mutating func add(_ scores: [UnitScores]) {
    let count = min(count, scores.count)
    var pair = 0
    for second in 0..<count {
      for first in 0..<second {
        pairs[pair].add(predictor: scores[first], baseline: scores[second])
        pair += 1
      }
    }
  }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&pairs, other.pairs)
  }

  /// Returns the skill of a predictor against another one; nil for an invalid index, or equal ones.
  public func skill(of predictor: Int, against other: Int) -> PredictionSkill? {
    pair(predictor, other).map { predictor < other ? $0.skill : $0.reversed }
  }

  /// Returns the reduction in log loss of a predictor against another, by the history of the units; empty for an
  /// invalid index.
  public func byHistory(of predictor: Int, against other: Int) -> [StageSkill] {
    pair(predictor, other).map { predictor < other ? $0.byHistory : $0.reversedByHistory } ?? []
  }

  private func pair(_ a: Int, _ b: Int) -> SkillTally? {
    let (first, second) = (min(a, b), max(a, b))
    guard first >= 0, first < second, second < count else { return nil }
    return pairs[second * (second - 1) / 2 + first]
  }
}
