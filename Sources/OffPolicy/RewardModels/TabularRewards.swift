public import Bandits
public import Specifications
internal import Statistics

/// `tabular:prior-sum=1,prior-count=250`: the mean reward of each variant in each slot, shrunk towards a prior.
///
/// The prediction is (Σwr + prior-sum)/(Σw + prior-count) over the rows of the slot and variant with weights w and
/// rewards r: the posterior mean of a Beta or Gamma prior. Without rows and prior it is 0.
///
/// Without prior-sum the prior has the scale of the rewards: prior-count rewards, 1 by default, of the mean reward of
/// the slot.
public struct TabularRewards: RewardModel {
  /// The sum of the rewards of the prior; nil for ``priorCount`` times the mean reward of the slot.
  public var priorSum: Double?
  /// The number of the rewards of the prior; nil for 1, and for 250 with ``priorSum``.
  public var priorCount: Double?
  public var specification = Self.info.specification()

  /// Creates the model with the standard prior.
  public init() {}

  public static let info = SpecificationInfo(
    "tabular", "the mean reward of each slot and variant, shrunk towards a prior",
    source: "Gelman et al., Bayesian Data Analysis 2013, section 2.4",
    example: "tabular:prior-sum=1,prior-count=250")

  public static var parameters: [Field] {
    Field.number(
      "prior-sum", \.priorSum, in: -1e9...1e9,
      "sum of the rewards of the prior, {range}; without it prior-count times the slot's mean reward"
    )
    Field.number(
      "prior-count", \.priorCount, in: 0...1e9,
      "number of the rewards of the prior, {range}; by default 1, and 250 with prior-sum")
  }

  public static let usesFeatures = false
  public static let fitsInParts = true
  public static let learnsAnySize = true

  /// The rewards that each slot and variant has before any row.
  struct Prior: Sendable {
    /// Their sum; nil for ``count`` times the mean reward of the slot.
    var sum: Double?
    var count: Double
  }

  private var prior: Prior {
    Prior(sum: priorSum, count: priorCount ?? (priorSum == nil ? 1 : 250))
  }

  public var note: String {
    guard prior.sum == nil else { return specification.description }
    let count = Specification.Parameter(key: "", number: prior.count).value
    return
      "\(specification): (sum of rewards + \(count) * m) / (decisions + \(count)) for each variant, with m the mean "
      + "reward of the slot"
  }

  public func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    let (cells, isOver) = problem.slots.multipliedReportingOverflow(by: problem.variants)
    guard !isOver, cells <= 1 << 22 else {
      throw SpecificationError(
        "tabular takes at most \(1 << 22) pairs of slot and variant; there are "
          + "\(problem.slots) slots and \(problem.variants) variants")
    }
    return Fit(problem, prior)
  }

  struct Fit: RewardFit {
    private let problem: RewardProblem
    private let prior: Prior
    /// By slot, then variant.
    private var rewards: [ExactSum]
    private var weights: [ExactSum]

    init(_ problem: RewardProblem, _ prior: Prior) {
      (self.problem, self.prior) = (problem, prior)
      rewards = Array(repeating: ExactSum(), count: problem.slots * problem.variants)
      weights = rewards
    }

    static var isAdditive: Bool { true }

    mutating func add(_ row: RewardRow, _ features: FeatureVector) {
      add(row, features, times: 1)
    }

    mutating func add(_ row: RewardRow, _ features: FeatureVector, times: Int) {
      guard row.weight > 0, row.reward.isFinite, (0..<problem.slots).contains(row.slot),
        (0..<problem.variants).contains(row.variant)
      else { return }
      let cell = row.slot * problem.variants + row.variant
      weights[cell].add(row.weight, times: times)
      if row.reward != 0 { rewards[cell].add(product: row.weight, row.reward, times: times) }
    }

    var emptyPart: Fit { Fit(problem, prior) }

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
      var (table, priors) = ([Double](), [Double]())
      table.reserveCapacity(rewards.count)
      for slot in 0..<problem.slots {
        let cells = slot * problem.variants..<(slot + 1) * problem.variants
        let sum = prior.sum ?? prior.count * mean(of: cells)
        for cell in cells { table.append(shrunk(rewards[cell].value, weights[cell].value, sum)) }
        priors.append(shrunk(0, 0, sum))
      }
      let sum = prior.sum ?? prior.count * mean(of: rewards.indices)
      return Fitted(
        variants: problem.variants, table: table, priors: priors, prior: shrunk(0, 0, sum))
    }

    /// Returns the mean reward of some cells; 0 without rows.
    private func mean(of cells: Range<Int>) -> Double {
      var (reward, weight) = (ExactSum(), ExactSum())
      for cell in cells {
        reward.merge(rewards[cell])
        weight.merge(weights[cell])
      }
      return weight.value > 0 ? reward.value / weight.value : 0
    }

    private func shrunk(_ sum: Double, _ count: Double, _ priorSum: Double) -> Double {
      let total = count + prior.count
      return total > 0 ? (sum + priorSum) / total : 0
    }
  }

  private struct Fitted: FittedRewardModel {
    let variants: Int
    let table: [Double]
    /// The prediction of a variant without rows, by slot.
    let priors: [Double]
    /// The prediction in a slot without rows.
    let prior: Double

    func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double {
      guard priors.indices.contains(slot) else { return prior }
      guard variant >= 0, variant < variants else { return priors[slot] }
      return table[slot * variants + variant]
    }
  }
}
