extension NormalPosterior {
  /// Returns the probability of each of several independent quantities to be the greatest; they add up to 1. Of two it
  /// is that of their difference to be positive, of more it is computed by quadrature to about 1e-10.
  ///
  /// - Complexity: O(n²) for n quantities.
  public static func chancesToBeBest(_ posteriors: [NormalPosterior]) -> [Double] {
    if posteriors.count == 2 {
      let variances = posteriors.map { $0.standardDeviation * $0.standardDeviation }
      let distance = (posteriors[0].mean - posteriors[1].mean) / (variances[0] + variances[1]).squareRoot()
      return [StandardNormal.cdf(distance), StandardNormal.cdf(-distance)]
    }
    let least = posteriors.map(\.standardDeviation).min() ?? 1
    return posteriors.indices.map { index in
      let own = posteriors[index]
      let reach = 10 * own.standardDeviation
      // The other distributions rise within a few of their own standard deviations.
      let panels = Int(min(512, max(8, (4 * own.standardDeviation / least).rounded(.up))))
      let chance = Quadrature.integral(
        from: own.mean - reach, to: own.mean + reach, panels: panels
      ) { x in
        var product =
          StandardNormal.density((x - own.mean) / own.standardDeviation) / own.standardDeviation
        for (other, posterior) in posteriors.enumerated() where other != index {
          product *= StandardNormal.cdf((x - posterior.mean) / posterior.standardDeviation)
        }
        return product
      }
      return min(1, max(0, chance))
    }
  }
}
