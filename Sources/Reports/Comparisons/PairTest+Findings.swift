internal import Replay
internal import Statistics

extension PairTest {
  /// Adds whether there are enough events, and enough variance, for the method.
  func addFindings(
    _ treatment: MetricSample, _ control: MetricSample, _ result: inout Comparison
  ) {
    if let text = reversals(treatment, control) {
      result.findings.append(VerdictFinding(VerdictFinding.refunds, .warns, text))
    }
    if let text = constancy(treatment, control, result) {
      result.findings.append(VerdictFinding("no_variance", .untestable, text))
      if plan.method == .bootstrap || result.difference?.interval?.width == 0 {
        result.difference?.interval = nil
        result.lift?.interval = nil
      }
      return
    }
    guard !plan.method.isExact, !result.isEarly else { return }
    if let text = fewText(treatment, control) {
      result.findings.append(VerdictFinding(VerdictFinding.fewEvents, .warns, text))
    } else if areShort(treatment, control) {
      result.findings.append(VerdictFinding(VerdictFinding.fewEvents, .early, shortText(treatment)))
    }
  }

  /// Says what replaces the errors of two variances where a variant has few events; nil where nothing does.
  private func fewText(_ treatment: MetricSample, _ control: MetricSample) -> String? {
    let few = "a variant has too few units with a value for a variance of its own"
    if let replacement, fewEvents(treatment, control) != nil {
      return "\(few), so that \(replacement) replaces \(plan.method.rawValue)"
    }
    return sharesVariance(treatment, control) ? "\(few), so that both have at least that of all units" : nil
  }

  /// Says why there are too few events for the method, and which method there is for so few.
  private func shortText(_ treatment: MetricSample) -> String {
    let isOwn = plan.method == .bootstrap || treatment.tally.ratio != nil
    let few =
      "fewer than \(Self.leastEvents) units "
      + (treatment.hasBinaryValues ? "are 0 or 1" : "have a value") + " in a variant"
      + (isOwn ? "" : ", as expected of both together")
    guard treatment.proportion != nil, plan.margin == nil, plan.covariate(of: treatment.metric) == nil else {
      return "\(few): too few for any test"
    }
    return "\(few): too few for \(plan.method.rawValue); miettinen-nurminen and fisher are for few"
  }

  /// Says that refunds are among the conversions that are counted; nil where there are none, or where all are, since a
  /// metric may count them.
  private func reversals(_ treatment: MetricSample, _ control: MetricSample) -> String? {
    let metric = treatment.metric
    let count = treatment.tally.reversers + control.tally.reversers
    guard count > 0, count < treatment.tally.converters + control.tally.converters,
      [metric.term, metric.denominator].contains(where: { $0?.count == .conversions })
    else { return nil }
    return "refunds and other negative conversions are among those that count; revenue subtracts them"
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
      let reversers = treatment.tally.reversers + control.tally.reversers
      return "\(metric) is \(value(treatment)) for every unit"
        + (treatment.metric.isBinary && reversers > 0 && treatment.valued + control.valued == 0
          ? ": its conversions are all negative, which make no converter" : "")
    case [true, true]:
      return
        "\(metric) is \(value(treatment)) for every unit of the variant and \(value(control)) for every unit of the "
        + "baseline"
    case [true, false]: return "\(metric) is \(value(treatment)) for every unit of the variant"
    default: return "\(metric) is \(value(control)) for every unit of the baseline"
    }
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
