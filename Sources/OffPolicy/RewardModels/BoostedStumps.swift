public import Bandits
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
  /// The number of stumps.
  public var rounds = 100
  /// The learning rate.
  public var rate = 0.1
  /// The constant that is added to the weight of each side.
  public var lambda = 1.0
  /// The maximum number of bins per column.
  public var bins = 32
  /// The minimum weight of each side in rows.
  public var leastWeight = 20.0
  public var specification = Self.info.specification()

  /// Creates the model with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "stumps", "gradient-boosted regression stumps on the features",
    source: "Friedman 2001, algorithm 2", example: "stumps:rounds=100,rate=0.1")

  public static var parameters: [Field] {
    Field.integer("rounds", \.rounds, in: 1...100_000, "number of stumps, {range}")
    Field.number("rate", \.rate, in: 1e-6...1, "learning rate, {range}")
    Field.number("lambda", \.lambda, in: 0...1e9, "added to the weight of each side, {range}")
    Field.integer("bins", \.bins, in: 2...256, "maximum number of bins per column, {range}")
    Field.number(
      "min-weight", \.leastWeight, in: 0...1e12, "minimum weight of each side in rows, {range}")
  }

  public static let usesFeatures = true

  public func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    try LinearRewards.check(problem, Self.info.name)
    return StumpFit(
      problem.columns, bins,
      StumpBoosting(rounds: rounds, rate: rate, lambda: lambda, leastWeight: leastWeight))
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
