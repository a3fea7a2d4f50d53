internal import Replay
internal import Statistics

extension PairTest {
  /// Adds whether there are enough events, and enough variance, for the method.
  func addFindings(
    _ treatment: MetricSample, _ control: MetricSample, _ result: inout Comparison
  ) {
    if let text = constancy(treatment, control, result) {
      result.findings.append(VerdictFinding("no_variance", .untestable, text))
      if plan.method == .bootstrap || result.difference?.interval?.width == 0 {
        result.difference?.interval = nil
        result.lift?.interval = nil
      }
      return
    }
    guard areShort(treatment, control), !plan.method.isExact, !result.isEarly else { return }
    let few = "fewer than \(Self.leastEvents) units of a variant"
    if treatment.proportion == nil {
      result.findings.append(
        VerdictFinding("few_events", .early, "\(few) have a value, too few for any test"))
    } else if let replacement, fewEvents(treatment, control) != nil {
      result.findings.append(
        VerdictFinding(
          "few_events", .warns,
          "\(few) are 0 or 1, so that \(replacement) replaces \(plan.method.rawValue)"))
    } else {
      result.findings.append(
        VerdictFinding(
          "few_events", .early,
          "\(few) are 0 or 1, too few for \(plan.method.rawValue); miettinen-nurminen and fisher are for few"
        ))
    }
  }

  /// Describes groups without variance: both, or one without a test for it; nil for others.
  private func constancy(
    _ treatment: MetricSample, _ control: MetricSample, _ result: Comparison
  ) -> String? {
    let still = [treatment, control].map { $0.mean.map { $0.variance == 0 } ?? false }
    // The replicates of a variant without variance are all alike.
    let isTested =
      plan.method != .bootstrap
      && (result.difference?.pValue != nil || (result.difference?.interval?.width ?? 0) > 0)
    let value = { (group: MetricSample) in AnswerNumber.number(group.point ?? 0) }
    let areAlike = still == [true, true] && value(treatment) == value(control)
    guard areAlike || still.contains(true) && !isTested else { return nil }
    let metric = treatment.metric.description
    switch still {
    case [true, true] where areAlike:
      return "\(metric) is \(value(treatment)) for every unit"
    case [true, true]:
      return
        "\(metric) is \(value(treatment)) for every unit of the variant and \(value(control)) for every unit of the "
        + "baseline"
    case [true, false]: return "\(metric) is \(value(treatment)) for every unit of the variant"
    default: return "\(metric) is \(value(control)) for every unit of the baseline"
    }
  }

  /// Returns whether too few units of a variant have a value, or are 0 or 1.
  ///
  /// Tests under the hypothesis of no difference rest on both variants together: fewer than so many are expected of
  /// one.
  private func areShort(_ treatment: MetricSample, _ control: MetricSample) -> Bool {
    guard plan.method == .pooled || plan.method == .mannWhitney else {
      return min(treatment.outcomes, control.outcomes) < Self.leastEvents
    }
    let units = treatment.units + control.units
    let smaller = Double(min(treatment.units, control.units)) / Double(max(1, units))
    let values = treatment.valued + control.valued
    let areBinary = treatment.hasBinaryValues && control.hasBinaryValues
    let few = areBinary ? min(values, units - values) : values
    return Double(few) * smaller < Double(Self.leastEvents)
  }
}

extension ComparisonMethod {
  /// Whether the method is valid for any number of events.
  fileprivate var isExact: Bool {
    switch self {
    case .fisher, .newcombe, .agrestiCaffo, .miettinenNurminen, .betaBinomial: true
    default: false
    }
  }
}
