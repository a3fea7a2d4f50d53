public import Statistics

/// The scores of one predictor, for one study and value of the dimension.
///
/// A take of a missing option is a miss: it has no rank, and the maximum log loss. Ties go to the option declared
/// first unless a tie rule is named. Confidences are taken as probabilities, without normalisation. Undefined scores
/// are nil.
public struct PredictionScores: Sendable {
  let tally: StudyTally
  let plan: EvaluationPlan
  private let total: CurveCell

  init(_ tally: StudyTally, _ plan: EvaluationPlan) {
    (self.tally, self.plan, total) = (tally, plan, tally.total)
  }

  /// The number of the study in the catalog.
  public var study: UInt32 { tally.study }
  /// The value of the dimension.
  public var value: UInt32 { tally.value }
  /// The number of predicted takes.
  public var events: Int { total.events }
  /// The number of units with predicted takes.
  public var units: Int { tally.units }
  /// The number of takes of an option that was missing at the time of prediction.
  public var novel: Int { tally.novel }
  /// The number of takes with a blind forecast: nothing was known that distinguishes the options.
  public var blind: Int { tally.blind }
  /// The number of takes whose option was predicted first.
  public var hits: Int { total.hits }

  /// The mean −ln of the confidence in the option taken, in nats, clipped away from 0.
  public var logLoss: Double? { mean(total.loss) }
  /// The mean log loss in bits.
  public var logLossBits: Double? { logLoss.map { $0 / Double.log(2) } }
  /// The mean Brier score, the sum over options of the squared distances to the outcome, in 0 ... 2 if confidences
  /// sum to at most 1 (G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather
  /// Review 78, 1950).
  public var brier: Double? { mean(total.brier) }
  /// The mean ranked probability score, by the declared order of the options (`ChoiceScores`).
  public var rankedProbability: Double? { mean(tally.rankedProbability) }

  /// The entropy of the shares of the options taken, in nats: the log loss of a forecast of these shares.
  public var entropy: Double? { Agreement(tally.options).entropy }
  /// The log loss divided by the ``entropy``: below 1 the predictor is better than the shares of the options taken
  /// (X. He et al., "Practical lessons from predicting clicks on ads at Facebook", ADKDD 2014). Nil if only one
  /// option was taken.
  public var normalisedEntropy: Double? {
    guard let logLoss, let entropy, entropy > 0 else { return nil }
    return logLoss / entropy
  }
  /// Cohen's kappa of predicted and taken options.
  public var kappa: Double? { Agreement(tally.options).kappa }
  /// The macro-averaged F1: the mean of the harmonic means of precision and recall over the options that occur.
  public var macroF1: Double? { Agreement(tally.options).macroF1 }

  private func mean(_ sum: FixedPointSum) -> Double? {
    events > 0 ? sum.value / Double(events) : nil
  }
}

// MARK: - Ranks

extension PredictionScores {
  /// Returns the share of takes whose option had a rank of at most `k`; nil without events.
  public func hitRate(at k: Int = 1, _ rule: TieRule = .declared) -> Double? {
    meanOverRanks(rule) { $0 <= Double(k) ? 1 : 0 }
  }

  /// Returns the mean of 1 ÷ rank, 0 for a missing option; nil without events.
  public func meanReciprocalRank(_ rule: TieRule = .pessimistic) -> Double? {
    meanOverRanks(rule) { 1 / $0 }
  }

  /// Returns the mean discounted gain 1/log₂(rank + 1) up to rank `k`, which is normalised, as only one option is
  /// correct (K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20, 2002);
  /// nil without events.
  public func discountedGain(at k: Int, _ rule: TieRule = .pessimistic) -> Double? {
    meanOverRanks(rule) { ChoiceScores.discountedGain(rank: $0, k: Double(k)) }
  }

  private func meanOverRanks(_ rule: TieRule, _ score: (Double) -> Double) -> Double? {
    guard events > 0 else { return nil }
    var sum = 0.0
    for index in stride(from: rule.rankColumn, to: tally.ranks.counts.count, by: 4)
    where tally.ranks.counts[index] > 0 {
      sum += Double(tally.ranks.counts[index]) * score(Double(index / 4) / 2)
    }
    return sum / Double(events)
  }
}

extension TieRule {
  /// The index of the tie rule among the four counts that a ``StudyTally`` has for each half rank.
  fileprivate var rankColumn: Int {
    switch self {
    case .optimistic: 0
    case .pessimistic: 1
    case .average: 2
    case .declared: 3
    }
  }
}

// MARK: - Units

/// Means over units of the means of each, so that every unit has the same weight.
public struct UnitMeans: Sendable, Equatable {
  /// The hit rate.
  public var hitRate: Double
  /// The mean reciprocal rank, ties counted pessimistically.
  public var reciprocalRank: Double
  /// The log loss in nats.
  public var logLoss: Double
  /// The Brier score.
  public var brier: Double
}

extension PredictionScores {
  /// The means over units; nil without units.
  public var unitMeans: UnitMeans? {
    guard units > 0 else { return nil }
    let (sums, n) = (tally.unitMeans, Double(units))
    return UnitMeans(
      hitRate: sums.hitRate.value / n, reciprocalRank: sums.reciprocalRank.value / n,
      logLoss: sums.logLoss.value / n, brier: sums.brier.value / n)
  }
}

// MARK: - Learning curves

extension PredictionScores {
  /// The scores by the number of earlier takes of the unit, up to the largest one that occurred.
  public var byHistory: LearningCurve {
    let end = (tally.history.lastIndex { $0.events > 0 } ?? -1) + 1
    return LearningCurve(
      (0..<end).map { bin in
        LearningPoint(
          low: Int64(HistoryBins.lowest(bin)), high: HistoryBins.highest(bin).map { Int64($0) },
          cell: tally.history[bin])
      })
  }

  /// The scores by time, from the first period to the last. There are at most 512 of them: the periods of the plan
  /// are doubled in length until they fit.
  public var byPeriod: LearningCurve { tally.periods.curve }
}
