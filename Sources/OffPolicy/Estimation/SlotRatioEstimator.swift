internal import Statistics

/// An estimator that is the sum over the slots of whole decisions of one ratio of sums each, Σₖ(Nₖ/N)·ΣWₖ·rₖ/ΣWₖ, where
/// Nₖ of N whole decisions have slot k, counted in their order.
///
/// The standard error is by unit and by the delta method, as that of a ``TermEstimator``.
///
/// - Complexity: for K slots the sums have about 220·K² bytes; an addition is O(K²).
public protocol SlotRatioEstimator: OffPolicyEstimator where Sums == MomentSums {
  /// Whether a slot has the product of the weights up to it, and not only its own.
  static var multipliesWeights: Bool { get }
}

extension SlotRatioEstimator {
  public var judgesWholeDecisions: Bool { true }

  /// Returns sums of, for each slot of a unit, the number of its whole decisions that have the slot, W·r and W.
  public func makeSums() -> MomentSums { MomentSums(0, growingBy: 3) }

  public func add(unit decisions: Span<LoggedDecision>, times: Int, to sums: inout MomentSums) {
    var unit: [(count: Int, numerator: SmallSum, denominator: SmallSum)] = []
    var (whole, matched) = (0, 0)
    decisions.forEachDecision(ofWhole: true) { slots in
      whole += 1
      if slots.areMatched { matched += 1 }
      var weight = 1.0
      for index in slots.indices {
        weight = (Self.multipliesWeights ? weight : 1) * slots[index].weight
        if index == unit.count { unit.append((0, SmallSum(), SmallSum())) }
        unit[index].count += 1
        unit[index].numerator.add(weight * slots[index].reward)
        unit[index].denominator.add(weight)
      }
    }
    let values = unit.flatMap { [Double($0.count), $0.numerator.value, $0.denominator.value] }
    sums.add(values.span, decisions: whole, matched: matched, times: times)
  }

  public func value(of sums: MomentSums) -> Double? {
    ratios(of: sums).map { ratios in ratios.count == 1 ? ratios[0] : ExactSum(ratios).value }
  }

  public func standardError(of sums: MomentSums) -> Double? {
    guard let ratios = ratios(of: sums) else { return nil }
    // N times the derivatives with respect to the sums: the estimate is homogeneous of degree 0 in them.
    let n = Double(sums.decisions)
    var slopes: [Double] = []
    for (slot, ratio) in ratios.enumerated() {
      let (having, weights) = (sums.sum(3 * slot).value, sums.sum(3 * slot + 2).value)
      slopes += [ratio * n / having, having / weights, -ratio * n / weights]
    }
    return sums.deviation((-ExactSum(ratios).value, slopes), scale: n)
  }

  /// Returns for each slot its share of the whole decisions times its ratio; nil if there is no value.
  private func ratios(of sums: MomentSums) -> [Double]? {
    guard sums.decisions > 0 else { return nil }
    var ratios: [Double] = []
    for start in stride(from: 0, to: sums.width, by: 3) {
      guard let ratio = ExactSum.quotient(sums.sum(start + 1), sums.sum(start + 2)) else {
        return nil
      }
      ratios.append(ratio * (sums.sum(start).value / Double(sums.decisions)))
    }
    return ratios
  }
}
