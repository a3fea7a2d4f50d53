internal import Statistics

/// The regret interval of some decisions whose variants were drawn with propensities that never changed: the gains of
/// always choosing each variant, with their standard errors.
///
/// With n the numbers of decisions, N their sum, μ the means and e their errors, the gain of b is Σ nₐ(μᵦ − μₐ), with
/// the reaches r = nₐeₐ of the others and (N − nᵦ)eᵦ of its own. The sums over all variants are made once, and the part
/// of each is exchanged for that of the best: O(variants) for all of them.
struct RegretContrasts {
  private let means: [Double]
  private let errors: [Double]
  private let degrees: [Double]
  private let counts: [Double]
  private let total: Double
  private var gain = ExactSum()
  private var variance = ExactSum()
  private var length = ExactSum()
  private var fourth = ExactSum()
  /// The factors of errors by degrees of freedom.
  private var quantiles: [Double: Double] = [:]

  /// Creates the sums; nil if an error is not finite.
  init?(_ counts: [Int], means: [Double], errors: [Double], degrees: [Double]) {
    (self.means, self.errors, self.degrees) = (means, errors, degrees)
    self.counts = counts.map { Double($0) }
    total = Double(counts.reduce(0, +))
    guard errors.allSatisfy(\.isFinite) else { return nil }
    for variant in means.indices {
      gain.add(product: self.counts[variant], -means[variant])
      add(self.counts[variant] * errors[variant], degrees[variant], sign: 1)
    }
  }

  private mutating func add(_ reach: Double, _ degrees: Double, sign: Double) {
    variance.add(sign * (reach * reach))
    length.add(sign * reach)
    fourth.add(sign * (reach * reach * reach * reach / max(1, degrees)))
  }

  /// The gain of always choosing a variant.
  private struct Gain {
    var value: Double
    var error: Double
    var degrees: Double
  }

  /// Returns the gain of each variant.
  ///
  /// - Parameter areShared: Whether units of several variants make their means dependent, in an unknown way.
  /// - Returns: The gains, in the order of the variants.
  private mutating func gains(_ areShared: Bool) -> [Gain] {
    var gains: [Gain] = []
    gains.reserveCapacity(means.count)
    for best in means.indices {
      let (own, swapped) = (counts[best] * errors[best], (total - counts[best]) * errors[best])
      gain.add(product: total, means[best])
      add(own, degrees[best], sign: -1)
      add(swapped, degrees[best], sign: 1)
      let (variance, fourth) = (variance.value, fourth.value)
      gains.append(
        Gain(
          value: gain.value, error: areShared ? length.value : variance.squareRoot(),
          degrees: fourth > 0 ? max(1, variance * variance / fourth) : 1))
      add(swapped, degrees[best], sign: -1)
      add(own, degrees[best], sign: 1)
      gain.add(product: -total, means[best])
    }
    return gains
  }

  /// Returns the greatest lower bound of the gains, each with a part of the error probability, and the greatest upper
  /// bound.
  mutating func bounds(alpha: Double, areShared: Bool) -> (low: Double, high: Double) {
    let gains = gains(areShared)
    return (
      greatest(gains, tail: alpha / 2 / Double(means.count), sign: -1),
      greatest(gains, tail: alpha / 2, sign: 1)
    )
  }

  /// Returns the greatest of value ± t·error, where t is the quantile of Student's distribution.
  ///
  /// A quantile is between those of the least and the most degrees of freedom, so that only those are computed that may
  /// matter.
  private mutating func greatest(_ gains: [Gain], tail: Double, sign: Double) -> Double {
    quantiles = [:]
    guard let least = gains.map(\.degrees).min(), let most = gains.map(\.degrees).max() else {
      return -.infinity
    }
    let ends = [quantile(least, tail), quantile(most, tail)].map { sign * $0 }
    func end(_ gain: Gain, _ pick: (Double, Double) -> Double) -> Double {
      pick(gain.value + ends[0] * gain.error, gain.value + ends[1] * gain.error)
    }
    let reached = gains.map { end($0, min) }.max() ?? -.infinity
    var greatest = -Double.infinity
    for gain in gains where end(gain, max) >= reached {
      greatest = max(greatest, gain.value + sign * quantile(gain.degrees, tail) * gain.error)
    }
    return greatest
  }

  private mutating func quantile(_ degrees: Double, _ tail: Double) -> Double {
    if let known = quantiles[degrees] { return known }
    let quantile = -StudentT(degreesOfFreedom: degrees).quantile(tail)
    quantiles[degrees] = quantile
    return quantile
  }
}
