public import Statistics

/// `tabular:prior-sum=1,prior-count=250`: the mean reward of each variant in each slot, shrunk towards a prior.
///
/// The prediction is (Σwr + prior-sum)/(Σw + prior-count) over the rows of the slot and variant with weights w and
/// rewards r: the posterior mean of a Beta or Gamma prior. Without rows and prior it is 0.
public struct TabularRewards: RewardModel {
  private static let priorSum = Parameter.number(
    "prior-sum", default: 1, in: -1e9...1e9, "sum of the rewards of the prior, {range}")
  private static let priorCount = Parameter.number(
    "prior-count", default: 250, in: 0...1e9, "number of the rewards of the prior, {range}")

  public static let info = SpecificationInfo(
    "tabular", "the mean reward of each slot and variant, shrunk towards a prior",
    [priorSum, priorCount], source: "Gelman et al., Bayesian Data Analysis 2013, section 2.4")

  public static let usesFeatures = false
  public static let fitsInParts = true

  public let specification: Specification
  private let priorSum: Double
  private let priorCount: Double

  /// Creates the model; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(priorSum: Double? = nil, priorCount: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(Self.priorSum.written(priorSum), Self.priorCount.written(priorCount)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    priorSum = try Self.priorSum.value(in: specification)
    priorCount = try Self.priorCount.value(in: specification)
  }

  public func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    let (cells, isOver) = problem.slots.multipliedReportingOverflow(by: problem.variants)
    guard !isOver, cells <= 1 << 22 else {
      throw SpecificationError(
        "tabular takes at most \(1 << 22) pairs of slot and variant; there are "
          + "\(problem.slots) slots and \(problem.variants) variants")
    }
    return Fit(problem, priorSum, priorCount)
  }

  struct Fit: RewardFit {
    private let problem: RewardProblem
    private let prior: (sum: Double, count: Double)
    /// By slot, then variant.
    private var rewards: [ExactSum]
    private var weights: [ExactSum]

    init(_ problem: RewardProblem, _ priorSum: Double, _ priorCount: Double) {
      self.problem = problem
      prior = (priorSum, priorCount)
      rewards = Array(repeating: ExactSum(), count: problem.slots * problem.variants)
      weights = rewards
    }

    static var isAdditive: Bool { true }

    mutating func add(_ row: RewardRow, _ features: FeatureVector) {
      add(row, features, times: 1)
    }

    mutating func add(_ row: RewardRow, _ features: FeatureVector, times: Int) {
      guard row.isUsable, (0..<problem.slots).contains(row.slot),
        (0..<problem.variants).contains(row.variant)
      else { return }
      let cell = row.slot * problem.variants + row.variant
      weights[cell].add(row.weight, times: times)
      if row.reward != 0 { rewards[cell].add(product: row.weight, row.reward, times: times) }
    }

    var emptyPart: Fit { Fit(problem, prior.sum, prior.count) }

    mutating func merge(_ part: Fit) {
      for cell in rewards.indices {
        rewards[cell].merge(part.rewards[cell])
        weights[cell].merge(part.weights[cell])
      }
    }

    func removing(_ part: Fit) -> Fit? {
      var rest = self
      for cell in rewards.indices {
        rest.rewards[cell].subtract(part.rewards[cell])
        rest.weights[cell].subtract(part.weights[cell])
      }
      return rest
    }

    /// Writes the cells that have rows.
    func write(to writer: inout StateWriter) {
      let used = weights.indices.filter { weights[$0] != ExactSum() }
      writer.write(UInt64(used.count))
      for cell in used {
        writer.write(UInt64(cell))
        weights[cell].write(to: &writer)
        rewards[cell].write(to: &writer)
      }
    }

    mutating func read(from reader: inout StateReader) throws(StateError) {
      self = emptyPart
      for _ in 0..<(try reader.readCount(below: weights.count + 1)) {
        let cell = try reader.readCount(below: weights.count)
        weights[cell] = try ExactSum(from: &reader)
        rewards[cell] = try ExactSum(from: &reader)
      }
    }

    mutating func finishPass() -> Bool { false }

    func fitted() -> any FittedRewardModel {
      Fitted(
        variants: problem.variants,
        table: zip(rewards, weights).map { mean($0.value, $1.value) }, prior: mean(0, 0))
    }

    private func mean(_ sum: Double, _ count: Double) -> Double {
      let total = count + prior.count
      return total > 0 ? (sum + prior.sum) / total : 0
    }
  }

  private struct Fitted: FittedRewardModel {
    let variants: Int
    let table: [Double]
    let prior: Double

    func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double {
      guard variant >= 0, variant < variants, slot >= 0, slot < table.count / max(variants, 1)
      else { return prior }
      return table[slot * variants + variant]
    }
  }
}
