internal import EventLog
internal import Replay
internal import Specifications

extension MetricProjector {
  /// Notes on how units were measured.
  package var notes: [(name: String, text: String)] {
    var notes = [
      ("goals_count", Self.text(attribution.of(.goals))),
      ("conversions_count", Self.text(attribution.of(.conversions))),
    ]
    if let cap { notes.append(("cap", "\(cap)")) }
    // Those of a metric with a name do not stand in its name, and hold in place of the options.
    for metric in metrics where metric.label != nil {
      if let window = metric.setting("window") { notes.append(("window_of_\(metric)", window)) }
      if let cap = metric.setting("cap"), metric.cap?.isPercentile == false { notes.append(("cap_of_\(metric)", cap)) }
    }
    if let covariatePeriod {
      notes.append(
        ("covariate", "the same metric \(DurationText.text(covariatePeriod)) before exposure"))
    }
    return notes
  }

  /// A note on each metric with a cap at a percentile: what the caps of the experiments became.
  func capNotes(_ names: LogNames) -> [(name: String, text: String)] {
    metrics.indices.compactMap { index in
      guard let capping = metrics[index].cap, capping.isPercentile else { return nil }
      let found = caps.compactMap { code, caps in
        caps[index].map { "\(names.string(code, in: .experiments) ?? "") \(NumberText.readable($0))" }
      }
      let text = found.sorted(by: VariantPairs.inBytes).joined(separator: ", ")
      return ("cap_of_\(metrics[index])", "\(capping): \(text)")
    }
  }

  /// Describes an attribution without its rule, which has no effect where a unit belongs to one variant.
  private static func text(_ attribution: Attribution) -> String {
    let text = attribution.description
    return "from the first exposure on, "
      + text.split(separator: ", ", maxSplits: 1).dropFirst().joined()
  }
}
