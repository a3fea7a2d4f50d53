public import Specifications
internal import Statistics

/// `empirical-likelihood:wmin=0`: the value under the most likely distribution of weights and rewards among those that
/// give the weights a mean of 1.
///
/// N. Karampatziakis, J. Langford and P. Mineiro, "Empirical likelihood for contextual bandits" (NeurIPS 2020); `mle`
/// of vw-estimators 0.2.2. It needs every distinct pair of weight and reward; beyond `pairs` of them, those that agree
/// in their first bits are replaced by their mean (``WeightedRewardTable``). The standard error is that of
/// `cressie-read`, to which the estimate is equal up to terms of order 1/n.
public struct EmpiricalLikelihood: OffPolicyEstimator {
  public static let info = SpecificationInfo(
    "empirical-likelihood", "most likely value among those that give the weights a mean of 1",
    source: "Karampatziakis, Langford and Mineiro 2020", example: "empirical-likelihood:wmin=0")

  /// The weights that are possible.
  public var weightLimits = WeightLimits()
  /// The number of distinct pairs of weight and reward before similar ones are merged.
  public var pairs = 50_000
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.group(\.weightLimits)
    Field.integer(
      "pairs", \.pairs, in: 100...10_000_000,
      "number of distinct pairs of weight and reward before similar ones are merged, {range}")
  }

  public var usesWeightsAlone: Bool { true }

  public func makeSums() -> EmpiricalLikelihoodSums {
    EmpiricalLikelihoodSums(
      nearest: CressieReadSums(WeightRange(weightLimits)), table: WeightedRewardTable(limit: pairs))
  }

  public func add(
    unit decisions: Span<LoggedDecision>, times: Int, to sums: inout EmpiricalLikelihoodSums
  ) {
    sums.nearest.add(unit: decisions, times: times)
    for index in decisions.indices { sums.table.add(decisions[index], times: times) }
  }

  public func standardError(of sums: EmpiricalLikelihoodSums) -> Double? {
    sums.nearest.standardError
  }

  /// Returns the estimated value; nil without decisions.
  ///
  /// - Complexity: about 60 passes over the distinct pairs.
  public func value(of sums: EmpiricalLikelihoodSums) -> Double? {
    guard sums.moments.decisions > 0 else { return nil }
    let pairs = sums.table.pairs
    let n = Double(sums.moments.decisions)
    let beta = Self.multiplier(pairs, n, sums.nearest.range)
    var (weighted, value, rewards) = (0.0, 0.0, 0.0)
    for pair in pairs {
      let share = pair.count * pair.weight / ((pair.weight - 1) * beta + n)
      weighted += share
      value += share * pair.reward
      rewards += pair.count * pair.reward
    }
    let estimate = value + max(0, 1 - weighted) * rewards / n
    return estimate.isFinite ? estimate : nil
  }

  /// Returns the Lagrange multiplier β of the mean weight: the zero of Σ(w − 1)/((w − 1)β + n), between the bounds that
  /// keep every probability below 1 and the extreme weights possible.
  private static func multiplier(
    _ pairs: [WeightedRewardTable.Pair], _ n: Double, _ range: WeightRange
  ) -> Double {
    var (low, high) = (range.high == .infinity ? 0 : n / (1 - range.high), n / (1 - range.low))
    for pair in pairs where pair.weight != 1 {
      let limit = (n - 1) / (1 - pair.weight)
      if pair.weight < 1 { high = min(high, limit) } else { low = max(low, limit) }
    }
    let slope = { (beta: Double) in
      pairs.reduce(0.0) { $0 + $1.count * ($1.weight - 1) / (($1.weight - 1) * beta + n) }
    }
    // The slope decreases with β.
    if slope(low) <= 0 { return low }
    if slope(high) >= 0 { return high }
    return RootFinding.zero(between: low, and: high, slope)
  }
}

/// The sums behind ``EmpiricalLikelihood``.
public struct EmpiricalLikelihoodSums: EstimatorSums, StateFields {
  fileprivate var nearest: CressieReadSums
  /// The distinct pairs of weight and reward.
  public fileprivate(set) var table: WeightedRewardTable

  public var moments: MomentSums { nearest.moments }

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&nearest, other.nearest)
    visit(&table, other.table)
  }
}
