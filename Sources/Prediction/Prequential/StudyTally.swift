internal import Specifications
internal import Statistics

/// The summed scores of one study and value of the dimension: counts and fixed-point sums, independent of order and
/// partition.
///
/// - Complexity: memory about 36 KB, up to 24 KB more for the periods, 24 bytes for each option of the study, and 64
///   bytes for each rank that occurs, regardless of the number of takes.
struct StudyTally: StateFields, Equatable {
  /// The number of predictions whose highest confidence exceeded a number of thresholds, and of correct ones among
  /// them.
  struct Acted: StateFields, Equatable {
    var count = 0
    var right = 0

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&count, other.count)
      visit(&right, other.right)
    }

    @inline(__always)
    mutating func add(_ isRight: Bool) {
      count &+= 1
      right &+= isRight ? 1 : 0
    }
  }

  /// Sums over units of their means.
  struct UnitMeans: StateFields, Equatable {
    var hitRate = FixedPointSum()
    var reciprocalRank = FixedPointSum()
    var logLoss = FixedPointSum()
    var brier = FixedPointSum()

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&hitRate, other.hitRate)
      visit(&reciprocalRank, other.reciprocalRank)
      visit(&logLoss, other.logLoss)
      visit(&brier, other.brier)
    }
  }

  /// The number of narrow bins, from which bins of equal mass are made.
  static let narrowBins = 1024

  var study: UInt32
  var value: UInt32
  var units = 0
  /// Takes of a missing option.
  var novel = 0
  /// Takes without knowledge of the options.
  var blind = 0
  /// The number of times the option taken had a rank: by twice the rank times 4, plus the index of the tie rule.
  private(set) var ranks = RankCounts()
  /// By the number of exceeded thresholds.
  var acted: [Acted]
  /// The highest confidences, in bins of equal width.
  var calibration: Calibration
  var narrow = Calibration(bins: Self.narrowBins)
  /// By the index of the option within its study in the catalog.
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

  /// Adds the scores of one forecast.
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
    countTop(forecast.topConfidence, isRight: isHit, thresholds)
    countOptions(taken: taken, predicted: predicted, isRight: isHit)
    history[HistoryBins.index(takesBefore)].add(isHit: isHit, loss: loss, brier: brier)
    periods.add(time, isHit: isHit, loss: loss, brier: brier)
    rankedProbability.add(FixedPointSum.cutSteps(of: forecast.rankedProbability))
  }

  /// Counts the rank of the option taken, under each tie rule.
  @inline(__always)
  private mutating func countRanks(_ forecast: Assessment) {
    let (greater, equal) = (forecast.greater, forecast.equal)
    let last = 8 &* (greater &+ equal) &+ 3
    ranks.grow(to: last)
    var ranks = ranks.counts.mutableSpan
    ranks[8 &* (greater &+ 1)] &+= 1
    ranks[8 &* (greater &+ equal) &+ 1] &+= 1
    ranks[4 &* (2 &* greater &+ equal &+ 1) &+ 2] &+= 1
    ranks[8 &* (greater &+ 1 &+ forecast.equalBefore) &+ 3] &+= 1
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

  /// Counts the option taken and the one predicted.
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

  mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&novel, other.novel)
    visit(&blind, other.blind)
    visit(&ranks, other.ranks)
    visit(&acted, other.acted)
    visit(&calibration, other.calibration)
    visit(&narrow, other.narrow)
    visit(&options, other.options)
    visit(&history, other.history)
    visit(&periods, other.periods)
    visit(&rankedProbability, other.rankedProbability)
    visit(&unitMeans, other.unitMeans)
  }

  /// The sums over all predictions.
  var total: CurveCell {
    history.reduce(into: CurveCell()) { $0.merge($1) }
  }
}

/// Counts by rank, as many as are needed; those after the last rank that occurs are not written.
struct RankCounts: StateField, Equatable {
  /// Always a power of two, independent of the order in which ranks occur.
  var counts = [Int](repeating: 0, count: 64)

  /// Ensures that there is a count with an index.
  @inline(__always)
  mutating func grow(to index: Int) {
    if index >= counts.count { double(to: index) }
  }

  @inline(never)
  private mutating func double(to index: Int) {
    while counts.count <= index { counts += [Int](repeating: 0, count: counts.count) }
  }

  mutating func merge(_ other: RankCounts) {
    grow(to: other.counts.count - 1)
    for (place, count) in other.counts.enumerated() { counts[place] += count }
  }

  func write(to writer: inout StateWriter) {
    let used = (counts.lastIndex { $0 > 0 } ?? -1) + 1
    writer.write(UInt64(used))
    for count in counts[..<used] { count.write(to: &writer) }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    for place in 0..<(try reader.readCount()) {
      let count = try reader.readTally()
      grow(to: place)
      counts[place] = count
    }
  }
}
