internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension HealthChecks {
  /// Checks whether the logged propensities of an experiment are valid.
  mutating func checkPropensities(_ tally: PropensityTally, of experiment: String) {
    var missing = ShareRule.suspicious.check(
      HealthCheck(.propensityMissing, experiment: experiment), tally.withoutPropensity,
      of: tally.decisions, "decisions")
    if tally.decisions > 0, tally.withoutPropensity == tally.decisions {
      missing = missing.saying("no decision has a propensity")
    }
    add(missing)
    let known = tally.decisions - tally.withoutPropensity
    let rows: [(HealthCheck.Name, Int, Int, String)] = [
      (.propensityRange, tally.outOfRange, known, "propensities"),
      (.propensityChoice, tally.notAmongChoices, tally.withChoices, "decisions with choices"),
      (
        .propensitySum, tally.wrongSums, tally.withProbabilities,
        "decisions with a probability for every choice"
      ),
      (
        .propensityMatch, tally.different, tally.compared,
        "propensities with a probability to compare them with"
      ),
    ]
    for (name, count, total, what) in rows {
      let check = HealthCheck(name, experiment: experiment)
      add(ShareRule.impossible.check(check, count, of: total, what))
    }
    add(inverse(tally, experiment))
  }

  /// Checks that the mean of 1/p is the number of choices with a positive probability, as it is for correct
  /// propensities p: E[1/p] = Σ p·(1/p) over these choices.
  ///
  /// The differences 1/p − K of decisions sum to a martingale, also if a policy learns. A mean that is too small is
  /// only a warning: choices that are rarely or never chosen make it small.
  private func inverse(_ tally: PropensityTally, _ experiment: String) -> HealthCheck {
    var check = HealthCheck(.propensityInverse, experiment: experiment)
    check.threshold = PValueRule.usual.failure
    let count = tally.excesses.count
    check.total = count
    guard count > 1, let mean = tally.inverses.mean, let excess = tally.excesses.mean else {
      return check.saying("fewer than two decisions have both a propensity and choices")
    }
    check.value = mean
    check.expected = Double(tally.choices) / Double(count)
    let n = Double(count)
    guard let error = tally.excesses.standardError, error.isFinite else {
      return check.saying("a propensity is too small to compute with")
    }
    if error == 0, excess == 0 {
      check.verdict = .ok
      check.detail = "one over the propensity is the number of choices at every decision"
      return check
    }
    guard count >= 30 else { return check.saying("fewer than 30 decisions") }
    if error == 0 {
      check.verdict = excess > 0 ? .failed : .warning
      check.detail = "every decision differs by \(NumberText.readable(excess))"
      return check
    }
    let sumOfSquares = error * error * n * n
    guard tally.greatestExcess * tally.greatestExcess <= 0.1 * sumOfSquares else {
      return check.saying("a few decisions with small propensities make up the mean")
    }
    let z = excess / error
    let pValue = 2 * StandardNormal.upperTail(abs(z))
    check.pValue = pValue
    check.verdict = PValueRule.usual.verdict(pValue)
    if z < 0, check.verdict == .failed { check.verdict = .warning }
    check.detail = "z = \(NumberText.readable(z)); mean of 1/p against the mean number of choices"
    return check
  }

  /// Checks the observed choices of an experiment's variants against their probabilities.
  mutating func checkCalibration(
    _ variants: [(name: String, tally: CalibrationTally)], of experiment: String
  ) {
    let test = ChoiceTest(variants.map { ($0.tally.chosen, $0.tally.expected.value, $0.tally.variance) })
    for ((name, tally), finding) in zip(variants, test.findings) {
      var check = HealthCheck(.propensityCalibration, experiment: experiment)
      check.variant = name
      check.count = tally.chosen
      check.total = tally.decisions
      check.threshold = PValueRule.usual.failure
      check.value = Double(tally.chosen) / Double(max(1, tally.decisions))
      check.expected = tally.expected.value / Double(max(1, tally.decisions))
      if let finding {
        check.pValue = finding.pValue
        check.verdict = PValueRule.usual.verdict(finding.pValue)
        check.detail =
          "z = \(NumberText.readable(finding.z)); share chosen against mean probability; p adjusted by Holm"
      } else {
        check = check.saying("too rarely neither sure nor impossible to test")
      }
      add(check)
    }
  }
}
