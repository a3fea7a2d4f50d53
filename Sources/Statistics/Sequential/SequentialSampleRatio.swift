/// The sequential test for sample ratio mismatch (SRM), valid at every look: M. Lindon and A. Malek, "Anytime-valid
/// inference for multinomial count data" (NeurIPS 2022).
///
/// The Bayes factor of a Dirichlet mixture of multinomials, whose mean is the intended shares, against exactly these
/// shares. The inverse of its running maximum is a p-value at any time.
public struct SequentialSampleRatio: Sendable, Equatable {
  private let shares: [Double]
  private let concentration: Double
  private var counts: [Int]
  /// ln of the Bayes factor after the units so far.
  public private(set) var logBayesFactor = 0.0
  private var logGreatest = 0.0

  /// Creates a test without units; returns nil if a share is not positive or finite, or there are fewer than two.
  ///
  /// - Parameters:
  ///   - shares: The intended shares, positive; they need not add up to 1.
  ///   - concentration: The total of the Dirichlet prior; a larger one targets smaller mismatches.
  public init?(shares: [Double], concentration: Double = 10_000) {
    let total = shares.reduce(0, +)
    guard shares.count > 1, shares.allSatisfy({ $0 > 0 }), total.isFinite, concentration > 0 else {
      return nil
    }
    self.shares = shares.map { $0 / total }
    self.concentration = concentration
    counts = shares.map { _ in 0 }
  }

  /// Adds a unit of the variant with the given index.
  ///
  /// The factor is the predictive probability of the variant over its share.
  ///
  /// - Complexity: O(number of variants).
  public mutating func add(_ variant: Int) {
    let total = counts.reduce(0, +)
    let predictive =
      (concentration * shares[variant] + Double(counts[variant])) / (concentration + Double(total))
    counts[variant] += 1
    logBayesFactor += Double.log(predictive / shares[variant])
    logGreatest = max(logGreatest, logBayesFactor)
  }

  /// Tests final counts, whatever the order of the units.
  ///
  /// ln of the Bayes factor is ln Γ(c) − ln Γ(c + n) + Σ [ln Γ(c·sᵥ + nᵥ) − ln Γ(c·sᵥ) − nᵥ ln sᵥ] for shares s, counts
  /// nᵥ of n units and concentration c; with several concentrations the factor is the mean of theirs, which is a Bayes
  /// factor too and detects large mismatches early and small ones late. Its inverse, at most 1, is a p-value at the
  /// time of the counts, valid at any stopping time. The running maximum behind ``pValue`` needs the order of the units
  /// as well, and gives a p-value that is never above that of the same concentration here.
  ///
  /// - Parameters:
  ///   - counts: The units of each variant, not negative.
  ///   - shares: As in ``init(shares:concentration:)``.
  ///   - concentrations: At least one, each positive.
  /// - Returns: The Bayes factor and p-value; nil for shares that the initializer rejects, for concentrations that are
  ///   not positive, and if counts are negative or their number differs.
  /// - Complexity: O(variants × concentrations).
  public static func test(
    counts: [Int], shares: [Double], concentrations: [Double] = [10, 100, 1_000, 10_000]
  ) -> (logBayesFactor: Double, pValue: Double)? {
    guard counts.count == shares.count, counts.allSatisfy({ $0 >= 0 }) else { return nil }
    var logs: [Double] = []
    for concentration in concentrations {
      guard let test = Self(shares: shares, concentration: concentration) else { return nil }
      logs.append(test.logBayesFactor(of: counts))
    }
    guard let greatest = logs.max() else { return nil }
    let sum = logs.reduce(0) { $0 + Double.exp($1 - greatest) }
    let log = greatest + Double.log(sum / Double(logs.count))
    return (log, min(1, Double.exp(-log)))
  }

  private func logBayesFactor(of counts: [Int]) -> Double {
    let units = counts.reduce(0) { $0 + Double($1) }
    var log = Double.logGamma(concentration) - Double.logGamma(concentration + units)
    for (count, share) in zip(counts, shares) where count > 0 {
      let prior = concentration * share
      log += Double.logGamma(prior + Double(count)) - Double.logGamma(prior)
      log -= Double(count) * Double.log(share)
    }
    return log
  }

  /// The p-value so far: at most 1, nonincreasing.
  public var pValue: Double { Double.exp(-logGreatest) }
}
