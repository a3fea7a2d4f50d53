extension NormalPosterior {
  /// Returns the probability of each of several independent quantities to be the greatest, by quadrature to about
  /// 1e-10; they add up to 1.
  ///
  /// - Complexity: O(n²) for n quantities.
  public static func chancesToBeBest(_ posteriors: [NormalPosterior]) -> [Double] {
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
