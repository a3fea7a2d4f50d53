import Statistics

/// The samples that the reference numbers are about.
enum ReferenceSamples {
  static let a = [12.1, 14.3, 9.8, 11.5, 13.2, 10.7, 15.1, 12.9, 8.6, 11.9]
  static let b = [13.4, 16.2, 12.8, 14.9, 11.3, 17.5, 15.8, 12.2, 14.1, 13.7, 16.6, 15.0]
  static let preA: [Double] = [10, 13, 9, 11, 12, 10, 14, 12, 8, 11]
  static let preB: [Double] = [11, 14, 11, 13, 10, 15, 14, 11, 12, 12, 14, 13]

  static let meanA = mean(a)
  static let meanB = mean(b)

  static let control = Proportion(successes: 100, trials: 1000)
  static let treatment = Proportion(successes: 130, trials: 1000)

  static func mean(_ values: [Double]) -> SampleMean {
    SampleMean(Moments(values)) ?? SampleMean(count: 0, mean: .nan, variance: .nan)
  }
}
