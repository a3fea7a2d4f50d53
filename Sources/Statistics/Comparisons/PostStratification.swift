/// Comparisons within strata, combined with the strata's shares as weights: L. W. Miratrix, J. S. Sekhon and B. Yu,
/// "Adjusting treatment effect estimates by post-stratification in randomized experiments" (JRSS B 75, 2013).
public enum PostStratification {
  /// A stratum.
  public struct Stratum: Sendable, Equatable {
    /// The share of all units; shares need not add up to 1.
    public var share: Double
    /// The treatment within the stratum.
    public var treatment: SampleMean
    /// The control within the stratum.
    public var control: SampleMean

    /// Creates a stratum.
    public init(share: Double, treatment: SampleMean, control: SampleMean) {
      (self.share, self.treatment, self.control) = (share, treatment, control)
    }
  }

  /// Compares treatment and control by the weighted difference of the strata, with the normal distribution: Σ w·(T −
  /// C), variance Σ w²·(Var T + Var C). Returns nil if the shares do not add up to a positive number.
  public static func compare(
    _ strata: [Stratum], alternative: Alternative = .twoSided, level: Double = 0.95
  ) -> Difference? {
    let whole = strata.reduce(0) { $0 + $1.share }
    guard whole > 0 else { return nil }
    var (estimate, variance) = (0.0, 0.0)
    for stratum in strata {
      let weight = stratum.share / whole
      estimate += weight * (stratum.treatment.mean - stratum.control.mean)
      variance +=
        weight * weight * (stratum.treatment.squaredError + stratum.control.squaredError)
    }
    return Difference(
      estimate: estimate, standardError: variance.squareRoot(), degreesOfFreedom: nil,
      alternative: alternative, level: level)
  }
}
