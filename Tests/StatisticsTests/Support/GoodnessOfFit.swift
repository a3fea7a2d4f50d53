import Statistics

/// ln 10⁶: the bounds below are exceeded by a correct sampler with a probability of at most 10⁻⁶.
private let logRarity = 13.815510557964274

/// The Kolmogorov-Smirnov distance of a sample from a distribution, over the bound that
/// P. Massart's form of the Dvoretzky-Kiefer-Wolfowitz inequality (1990) gives it; at most 1 is
/// expected.
func kolmogorovSmirnovRatio(_ sample: [Double], cdf: (Double) -> Double) -> Double {
  let n = Double(sample.count)
  let distance = sample.sorted().enumerated().reduce(0.0) { largest, entry in
    let p = cdf(entry.element)
    return max(largest, p - Double(entry.offset) / n, Double(entry.offset + 1) / n - p)
  }
  // P(D > d) ≤ 2·exp(−2nd²).
  return distance / ((logRarity + 0.693147180559945) / (2 * n)).squareRoot()
}

/// The chi-square statistic of counts over the bound of B. Laurent and P. Massart (2000) for a
/// chi-square variable, P(X ≥ k + 2√(kx) + 2x) ≤ e⁻ˣ; at most 1 is expected.
///
/// Every expected count should be 10 or more.
func chiSquareRatio(_ counts: [Int], probabilities: [Double]) -> Double {
  let n = Double(counts.reduce(0, +))
  let statistic = zip(counts, probabilities).reduce(0.0) { sum, cell in
    let expected = n * cell.1
    return sum + (Double(cell.0) - expected) * (Double(cell.0) - expected) / expected
  }
  let freedom = Double(counts.count - 1)
  return statistic / (freedom + 2 * (freedom * logRarity).squareRoot() + 2 * logRarity)
}

/// How far sample mean and variance are from the exact ones, in their standard deviations.
///
/// The variance of the sample variance is σ⁴·(2/(n − 1) + excess kurtosis/n).
func momentDeviations(
  _ sample: [Double], mean: Double, variance: Double, excessKurtosis: Double
) -> (mean: Double, variance: Double) {
  let moments = Moments(sample)
  let n = Double(sample.count)
  let spread = variance * (2 / (n - 1) + excessKurtosis / n).squareRoot()
  guard let sampleMean = moments.mean, let sampleVariance = moments.variance else {
    return (.nan, .nan)
  }
  return (
    abs(sampleMean - mean) / (variance / n).squareRoot(), abs(sampleVariance - variance) / spread
  )
}
