internal import Replay
internal import Statistics

extension HealthChecks {
  /// Checks for a sample ratio mismatch at a place.
  mutating func checkSampleRatio(_ place: ExposurePlace, _ expected: ExpectedShares.Weights) {
    let finding = SampleRatioFinding(place.intention(expected))
    var check = place.check(.sampleRatio)
    check.threshold = options.sampleRatioAlpha
    check.total = place.units
    check.detail = finding.detail
    check.value = finding.statistic
    check.expected = finding.expectation
    check.pValue = finding.pValue
    if let pValue = finding.pValue {
      check.verdict = PValueRule(failure: options.sampleRatioAlpha).verdict(pValue)
    }
    add(check)
    guard let source = finding.source, !finding.variants.isEmpty else { return }
    add(sequential(place, finding, source))
    for variant in finding.variants {
      var row = place.check(.sampleRatioUnits, variant: variant.variant)
      row.value = Double(variant.units)
      row.expected = variant.expected
      row.count = variant.units
      row.total = check.total
      row.verdict = check.verdict
      row.detail = source
      add(row)
    }
  }

  private func sequential(
    _ place: ExposurePlace, _ finding: SampleRatioFinding, _ source: String
  ) -> HealthCheck {
    var check = place.check(.sampleRatioSequential)
    check.threshold = options.sampleRatioAlpha
    check.total = place.units
    guard let deal = finding.deal else { return check.saying("shares changed; \(source)") }
    guard let test = SequentialSampleRatio.test(counts: deal.counts, shares: deal.shares) else {
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
