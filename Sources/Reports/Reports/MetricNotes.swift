internal import Replay

extension MetricProjector {
  /// Notes on how units were measured.
  package var notes: [(name: String, text: String)] {
    var notes = [
      ("goals_count", Self.text(attribution.of(.goals))),
      ("conversions_count", Self.text(attribution.of(.conversions))),
    ]
    if let cap { notes.append(("cap", "\(cap)")) }
    if let covariatePeriod {
      notes.append(
        ("covariate", "the same metric \(DurationText.text(covariatePeriod)) before exposure"))
    }
    return notes
  }

  /// Describes an attribution without its rule, which has no effect where a unit belongs to one variant.
  private static func text(_ attribution: Attribution) -> String {
    let text = attribution.description
    return "from the first exposure on, "
      + text.split(separator: ", ", maxSplits: 1).dropFirst().joined()
  }
}
