internal import Replay
internal import Statistics

extension HealthChecks {
  /// Fewer expected units than this in a variant are too few for Pearson's test.
  private static let leastExpected = 5.0

  /// Whether units were dealt to the variants of a place as intended.
  mutating func checkSampleRatio(_ place: ExposurePlace, among experiments: [String]) {
    switch place.intention(options.expected, among: experiments) {
    case .unknown(let why):
      add(place.check(.sampleRatio).saying(why))
    case .shares(let variants, let rest, let source):
      var counts = variants.map(\.units)
      var shares = variants.map(\.share)
      if rest > 0 {
        counts.append(0)
        shares.append(rest)
      }
      let whole = shares.reduce(0, +)
      let expected = shares.map { Double(place.units) * $0 / whole }
      let pearson = pearson(place, counts, shares, expected, source, rest: rest)
      add(pearson)
      guard counts.count > 1 else { return }
      add(sequential(place, counts, shares, source))
      for (index, variant) in variants.enumerated() {
        var check = place.check(.sampleRatioUnits, variant: variant.variant)
        check.value = Double(variant.units)
        check.expected = expected[index]
        check.count = variant.units
        check.total = place.units
        check.verdict = pearson.verdict
        check.detail = source
        add(check)
      }
    }
  }

  private func pearson(
    _ place: ExposurePlace, _ counts: [Int], _ shares: [Double], _ expected: [Double],
    _ source: String, rest: Double
  ) -> HealthCheck {
    var check = place.check(.sampleRatio)
    check.threshold = options.sampleRatioAlpha
    check.total = place.units
    guard counts.count > 1 else { return check.saying("only one variant was seen") }
    let isUnexpected = zip(counts, shares).contains { $0 > 0 && $1 == 0 }
    let isSmall = expected.contains { $0 > 0 && $0 < Self.leastExpected }
    if isSmall, !isUnexpected {
      return check.saying("fewer than 5 units are expected in a variant; \(source)")
    }
    if isUnexpected {
      check.pValue = 0
      check.verdict = .failed
      check.detail = "units of a variant that was to have none; \(source)"
      return check
    }
    guard let test = SampleRatio.chiSquared(counts: counts, shares: shares) else {
      return check.saying("there is only one variant with a share")
    }
    check.value = test.statistic
    check.expected = Double(test.degreesOfFreedom)
    check.pValue = test.pValue
    check.verdict = PValueRule(failure: options.sampleRatioAlpha).verdict(test.pValue)
    check.detail = "chi-squared, \(test.degreesOfFreedom) df; \(source)"
    if rest > 0 {
      check.detail += "; \(ReadableDecimal.text(rest)) is left for variants that nobody got"
    }
    return check
  }

  private func sequential(
    _ place: ExposurePlace, _ counts: [Int], _ shares: [Double], _ source: String
  ) -> HealthCheck {
    var check = place.check(.sampleRatioSequential)
    check.threshold = options.sampleRatioAlpha
    check.total = place.units
    guard let test = SequentialSampleRatio.test(counts: counts, shares: shares) else {
      return check.saying("a share is 0")
    }
    check.value = test.logBayesFactor
    check.expected = 0
    check.pValue = test.pValue
    check.verdict = PValueRule(failure: options.sampleRatioAlpha).verdict(test.pValue)
    check.detail = "ln of the Bayes factor of the final counts, valid at every look; \(source)"
    return check
  }
}
