public import Statistics

/// How much better a predictor is than another one, by the same takes of the same units.
///
/// Intervals cover 95 % and take units, not takes, for independent: they are Student intervals of a ratio of sums over units by
/// the delta method (`RatioMoments`), with as many degrees of freedom as there are units, less one. With a single unit there
/// is no interval.
public struct PredictionSkill: Sendable, Equatable {
  /// Units whose takes both predicted.
  public var units: Int
  /// The takes.
  public var events: Int
  /// 1 − log loss ÷ the other's: above 0 where it is lower. Nil where the other's is 0.
  public var logLoss: Difference?
  /// 1 − Brier score ÷ the other's (the Brier skill score); nil where the other's is 0.
  public var brier: Difference?
  /// The hit rate less the other's.
  public var hitRate: Difference?
  /// The mean reciprocal rank less the other's.
  public var reciprocalRank: Difference?
}

/// How much better a predictor is than another one while units have about as long a history.
public struct StageSkill: Sendable, Equatable {
  /// The least number of takes that the units had before.
  public var low: Int
  /// The greatest one; nil where there is no end.
  public var high: Int?
  /// Units that had so many.
  public var units: Int
  /// The takes that were predicted.
  public var events: Int
  /// By how many nats the mean log loss is lower than the other's.
  public var difference: Difference
}

extension Difference {
  /// Whether the interval excludes 0; nil without an interval.
  public var isReal: Bool? { interval.map { !$0.contains(0) } }
}

/// Adds up what two predictors made of the same takes, unit by unit; exact and free of order.
///
/// - Complexity: memory about 11 KB, and 3 KB for each of at most 16 stages of history.
public struct SkillTally: Sendable, Equatable {
  private var logLoss = RatioMoments()
  private var brier = RatioMoments()
  private var hits = RatioMoments()
  private var reciprocalRank = RatioMoments()
  private var stages: [RatioMoments] = []
  private var events = 0
  /// Units of which both did not score the same number of takes of the same study and value: these are left out.
  public private(set) var unpaired = 0

  /// No units.
  public init() {}

  /// Adds a unit.
  ///
  /// - Parameters:
  ///   - predictor: Its scores by the one predictor.
  ///   - baseline: Its scores by the other one, for the same takes.
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

  /// Adds the units of another tally.
  public mutating func merge(_ other: SkillTally) {
    logLoss.merge(other.logLoss)
    brier.merge(other.brier)
    hits.merge(other.hits)
    reciprocalRank.merge(other.reciprocalRank)
    while stages.count < other.stages.count { stages.append(RatioMoments()) }
    for (stage, moments) in other.stages.enumerated() { stages[stage].merge(moments) }
    events += other.events
    unpaired += other.unpaired
  }

  /// The skill of the predictor against the baseline.
  public var skill: PredictionSkill {
    PredictionSkill(
      units: logLoss.numerator.count, events: events,
      logLoss: Self.difference(logLoss) { 1 - $0 }, brier: Self.difference(brier) { 1 - $0 },
      hitRate: Self.difference(hits) { $0 },
      reciprocalRank: Self.difference(reciprocalRank) { $0 })
  }

  /// The skill of the baseline against the predictor.
  public var reversed: PredictionSkill {
    PredictionSkill(
      units: logLoss.numerator.count, events: events,
      logLoss: Self.difference(logLoss.inverse) { 1 - $0 },
      brier: Self.difference(brier.inverse) { 1 - $0 },
      hitRate: Self.difference(hits) { 0 - $0 },
      reciprocalRank: Self.difference(reciprocalRank) { 0 - $0 })
  }

  /// How much lower the predictor's log loss is than the baseline's, by the history of the units; stages that no unit was in
  /// are left out.
  public var byHistory: [StageSkill] { byHistory { $0 } }

  /// The same of the baseline against the predictor.
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

  /// What a ratio of sums says once it is turned; nil where the denominators add up to 0.
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
public struct SkillTable: Sendable, Equatable {
  /// How many predictors there are.
  public let count: Int
  /// Of each pair with the first one before the second, by the second and then by the first.
  private var pairs: [SkillTally]

  /// A table of so many predictors, without units.
  public init(count: Int) {
    self.count = max(0, count)
    pairs = [SkillTally](repeating: SkillTally(), count: self.count * (self.count - 1) / 2)
  }

  /// Adds a unit.
  ///
  /// - Parameter scores: Its scores by each predictor, for the same takes; where there are not as many of them as predictors,
  ///   those beyond are left out.
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

  /// Adds the units of a table of the same predictors.
  public mutating func merge(_ other: SkillTable) {
    for place in pairs.indices where other.pairs.indices.contains(place) {
      pairs[place].merge(other.pairs[place])
    }
  }

  /// The skill of a predictor against another one; nil for one that is not there, or twice the same.
  public func skill(of predictor: Int, against other: Int) -> PredictionSkill? {
    pair(predictor, other).map { predictor < other ? $0.skill : $0.reversed }
  }

  /// How much lower the log loss of a predictor is than another's, by the history of the units; empty for one that is not there.
  public func byHistory(of predictor: Int, against other: Int) -> [StageSkill] {
    pair(predictor, other).map { predictor < other ? $0.byHistory : $0.reversedByHistory } ?? []
  }

  private func pair(_ a: Int, _ b: Int) -> SkillTally? {
    let (first, second) = (min(a, b), max(a, b))
    guard first >= 0, first < second, second < count else { return nil }
    return pairs[second * (second - 1) / 2 + first]
  }
}
