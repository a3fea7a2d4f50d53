/// A policy whose index is the mean plus a width, common to all variants, divided by √n.
public protocol RootIndexPolicy: IndexPolicy {
  /// Returns the width that is divided by √n, from ln t ≥ 0.
  func width(_ log: Double) -> Double
}

extension RootIndexPolicy {
  public static var isEstimateClose: Bool { true }

  public static var isEstimateLine: Bool { true }

  /// Returns the width, positive: with a single reward it would be 0, and 0 · ∞ is NaN.
  @inline(__always)
  public func abscissa(_ now: IndexSituation) -> Double {
    max(width(now.log), Double.leastNormalMagnitude)
  }

  @inline(__always)
  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    arm.mean + abscissa(now) * (1 / SquareRoot.of(Double(arm.decisions)))
  }

  /// Returns the mean and 1/√n, of which the line is the index itself.
  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    IndexTerms(a: arm.mean, b: 1 / SquareRoot.of(Double(arm.decisions)), c: 0)
  }
}
