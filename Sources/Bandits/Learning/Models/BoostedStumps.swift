public import Specifications

/// `stumps:rounds=100,rate=0.1`: gradient-boosted regression stumps on the features.
///
/// Each round adds the stump, a threshold on one column with a value on either side, that reduces the squared error of
/// the residuals most, times the learning rate: J. H. Friedman, "Greedy function approximation: a gradient boosting
/// machine" (Annals of Statistics 29, 2001), algorithm 2. The value of a side is the sum of its weighted residuals over
/// its weight plus λ. Equal reductions go to the lower column, then to the lower threshold.
///
/// Values are sorted into bins in a first pass. A sum of stumps is linear in indicators of the bins, so the second pass
/// sums their normal equations (``NormalSums``), and all rounds follow from those exactly, without further passes. At
/// most 1000 columns and 2000 bins: memory is 28·bins² bytes per fold.
public struct BoostedStumps: RewardModel {
  private static let rounds = Parameter.integer(
    "rounds", default: 100, in: 1...100_000, "number of stumps, {range}")
  private static let rate = Parameter.number(
    "rate", default: 0.1, in: 1e-6...1, "learning rate, {range}")
  private static let lambda = Parameter.number(
    "lambda", default: 1, in: 0...1e9, "added to the weight of each side, {range}")
  private static let bins = Parameter.integer(
    "bins", default: 32, in: 2...256, "maximum number of bins per column, {range}")
  private static let leastWeight = Parameter.number(
    "min-weight", default: 20, in: 0...1e12, "minimum weight of each side in rows, {range}")

  public static let info = SpecificationInfo(
    "stumps", "gradient-boosted regression stumps on the features",
    [rounds, rate, lambda, bins, leastWeight], source: "Friedman 2001, algorithm 2")

  public static let usesFeatures = true

  public let specification: Specification
  private let boosting: StumpBoosting
  private let bins: Int

  /// Creates the model; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    rounds: Int? = nil, rate: Double? = nil, lambda: Double? = nil, bins: Int? = nil,
    leastWeight: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.rounds.written(rounds), Self.rate.written(rate), Self.lambda.written(lambda),
        Self.bins.written(bins), Self.leastWeight.written(leastWeight)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    bins = try Self.bins.value(in: specification)
    boosting = StumpBoosting(
      rounds: try Self.rounds.value(in: specification),
      rate: try Self.rate.value(in: specification),
      lambda: try Self.lambda.value(in: specification),
      leastWeight: try Self.leastWeight.value(in: specification))
  }

  public func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    try LinearRewards.check(problem, Self.info.name)
    return StumpFit(problem.columns, bins, boosting)
  }
}

/// The state of the two passes of boosted stumps.
struct StumpFit: RewardFit {
  /// The maximum number of bins of all columns.
  private static let mostBins = 2000

  private let boosting: StumpBoosting
  private let mostBins: Int
  private let columns: Int
  // Of the first pass.
  private var tallies: [ColumnTally]
  private var rows = 0
  // Of the second pass.
  private var bins: ColumnBins?
  private var sums = NormalSums(0)
  private var indicators = FeatureVector()

  init(_ columns: Int, _ mostBins: Int, _ boosting: StumpBoosting) {
    (self.columns, self.mostBins, self.boosting) = (columns, mostBins, boosting)
    tallies = Array(repeating: ColumnTally(), count: columns)
  }

  static var isAdditive: Bool { true }

  mutating func add(_ row: RewardRow, _ features: FeatureVector) {
    guard row.isUsable else { return }
    guard let bins else {
      rows += 1
      for entry in features.entries where entry.column < columns {
        tallies[entry.column].add(entry.value)
      }
      return
    }
    bins.write(features, into: &indicators)
    sums.add(indicators, weight: row.weight, moment: row.weight * row.reward)
  }

  var emptyPart: StumpFit {
    var part = StumpFit(columns, mostBins, boosting)
    part.bins = bins
    part.sums = NormalSums(bins?.count ?? 0)
    return part
  }

  mutating func merge(_ part: StumpFit) {
    rows += part.rows
    for column in tallies.indices { tallies[column].merge(part.tallies[column]) }
    sums.merge(part.sums)
  }

  func removing(_ part: StumpFit) -> StumpFit? {
    var rest = self
    rest.sums.subtract(part.sums)
    return rest
  }

  mutating func finishPass() throws(SpecificationError) -> Bool {
    guard bins == nil else { return false }
    let found = ColumnBins(tallies.map { $0.bounds(mostBins, rows: rows) })
    guard found.count <= Self.mostBins else {
      throw SpecificationError(
        "stumps has \(found.count) bins for these features, and \(Self.mostBins) are the most; write fewer bins than "
          + "bins=\(mostBins), or keep fewer values, as in one-hot(NAME,100)")
    }
    bins = found
    self = emptyPart
    return true
  }

  func fitted() -> any FittedRewardModel {
    boosting.fitted(bins ?? ColumnBins([]), sums)
  }
}
