internal import Statistics

/// What the forecasts of one study, for one value of the dimension, add up to: counts, and sums in fixed point, so that neither
/// order nor parts show.
///
/// - Complexity: memory about 36 KB, up to 24 KB more for the periods, 24 bytes for each option of the study, and 64 bytes for
///   each rank that was met, however many takes there are.
struct StudyTally: Sendable, Equatable {
  /// How often the highest confidence was above so many of the thresholds, and how often that was right.
  struct Acted: Sendable, Equatable {
    var count = 0
    var right = 0

    @inline(__always)
    mutating func add(_ isRight: Bool) {
      count &+= 1
      right &+= isRight ? 1 : 0
    }
  }

  /// Sums over units of their means.
  struct UnitMeans: Sendable, Equatable {
    var hitRate = FixedPointSum()
    var reciprocalRank = FixedPointSum()
    var logLoss = FixedPointSum()
    var brier = FixedPointSum()
  }

  /// How many narrow bins there are, from which those of equal mass are made.
  static let narrowBins = 1024

  var study: UInt32
  var value: UInt32
  var units = 0
  /// Takes of an option that was not there.
  var novel = 0
  /// Takes when nothing was known.
  var blind = 0
  /// By twice the rank times 4 and the place of the tie rule, how often the option taken had the rank.
  var ranks: [Int] = [Int](repeating: 0, count: 64)
  /// By how many thresholds were exceeded.
  var acted: [Acted]
  /// The highest confidences, in bins of equal width.
  var calibration: Calibration
  var narrow = Calibration(bins: Self.narrowBins)
  /// By the place of the option among those of the study in the catalog.
  var options: [Agreement.Option]
  var history = [CurveCell](repeating: CurveCell(), count: HistoryBins.count)
  var periods: PeriodTally
  var rankedProbability = FixedPointSum()
  var unitMeans = UnitMeans()

  init(study: UInt32, value: UInt32, _ plan: EvaluationPlan, options: Int) {
    (self.study, self.value) = (study, value)
    acted = [Acted](repeating: Acted(), count: plan.thresholds.count + 1)
    calibration = Calibration(bins: max(1, plan.bins))
    self.options = [Agreement.Option](repeating: Agreement.Option(), count: options)
    periods = PeriodTally(period: plan.period)
  }

  /// Adds one forecast.
  @inline(__always)
  mutating func add(
    _ forecast: Assessment, isBlind: Bool, loss: Double, time: Int64, takesBefore: Int, taken: Int,
    predicted: Int, thresholds: [Double]
  ) {
    let isHit = forecast.isHit
    let (loss, brier) = (
      FixedPointSum.cutSteps(of: loss), FixedPointSum.cutSteps(of: forecast.brier)
    )
    blind &+= isBlind ? 1 : 0
    if forecast.isSeen { countRanks(forecast) } else { novel &+= 1 }
    if forecast.top >= 0 { countTop(forecast.topConfidence, isRight: isHit, thresholds) }
    countOptions(taken: taken, predicted: predicted, isRight: isHit)
    history[HistoryBins.index(takesBefore)].add(isHit: isHit, loss: loss, brier: brier)
    periods.add(time, isHit: isHit, loss: loss, brier: brier)
    rankedProbability.add(FixedPointSum.cutSteps(of: forecast.rankedProbability))
  }

  /// Counts at which ranks the option taken stands, one for each tie rule.
  @inline(__always)
  private mutating func countRanks(_ forecast: Assessment) {
    let (greater, equal) = (forecast.greater, forecast.equal)
    let last = 8 &* (greater &+ equal) &+ 3
    if last >= ranks.count { growRanks(last) }
    var ranks = ranks.mutableSpan
    ranks[8 &* (greater &+ 1)] &+= 1
    ranks[8 &* (greater &+ equal) &+ 1] &+= 1
    ranks[4 &* (2 &* greater &+ equal &+ 1) &+ 2] &+= 1
    ranks[8 &* (greater &+ 1 &+ forecast.equalBefore) &+ 3] &+= 1
  }

  @inline(never)
  private mutating func growRanks(_ index: Int) {
    // Always a power of two, so that the order in which ranks are met does not show.
    while ranks.count <= index { ranks += [Int](repeating: 0, count: ranks.count) }
  }

  /// Counts the highest confidence.
  @inline(__always)
  private mutating func countTop(_ confidence: Double, isRight: Bool, _ thresholds: [Double]) {
    calibration.add(confidence, outcome: isRight)
    narrow.add(confidence, outcome: isRight)
    var exceeded = 0
    while exceeded < thresholds.count, confidence > thresholds[exceeded] { exceeded &+= 1 }
    acted[exceeded].add(isRight)
  }

  /// Counts which option was taken and which one was predicted.
  @inline(__always)
  private mutating func countOptions(taken: Int, predicted: Int, isRight: Bool) {
    var options = options.mutableSpan
    if taken >= 0, taken < options.count {
      options[taken].taken &+= 1
      options[taken].right &+= isRight ? 1 : 0
    }
    if predicted >= 0, predicted < options.count { options[predicted].predicted &+= 1 }
  }

  /// Adds the means of a unit.
  mutating func add(_ scores: UnitScores) {
    guard scores.events > 0 else { return }
    let n = Double(scores.events)
    units += 1
    unitMeans.hitRate.add(FixedPointSum.cutSteps(of: Double(scores.hits) / n))
    unitMeans.reciprocalRank.add(FixedPointSum.cutSteps(of: scores.reciprocalRank / n))
    unitMeans.logLoss.add(FixedPointSum.cutSteps(of: scores.logLoss / n))
    unitMeans.brier.add(FixedPointSum.cutSteps(of: scores.brier / n))
  }

  /// Adds what was seen elsewhere with the same plan.
  mutating func merge(_ other: StudyTally) {
    units += other.units
    novel += other.novel
    blind += other.blind
    if ranks.count < other.ranks.count { growRanks(other.ranks.count - 1) }
    for (place, count) in other.ranks.enumerated() { ranks[place] += count }
    for (place, other) in other.acted.enumerated() where place < acted.count {
      acted[place].count += other.count
      acted[place].right += other.right
    }
    calibration.merge(other.calibration)
    narrow.merge(other.narrow)
    var agreement = Agreement(options)
    agreement.merge(Agreement(other.options))
    options = agreement.options
    for (place, cell) in other.history.enumerated() { history[place].merge(cell) }
    periods.merge(other.periods)
    rankedProbability.merge(other.rankedProbability)
    unitMeans.hitRate.merge(other.unitMeans.hitRate)
    unitMeans.reciprocalRank.merge(other.unitMeans.reciprocalRank)
    unitMeans.logLoss.merge(other.unitMeans.logLoss)
    unitMeans.brier.merge(other.unitMeans.brier)
  }

  /// All that was predicted.
  var total: CurveCell {
    history.reduce(into: CurveCell()) { $0.merge($1) }
  }
}
