/// The kind of event that is counted for the units of a variant.
public enum ConversionSource: String, Sendable, CaseIterable {
  /// Conversions, which belong to no experiment: they count in every experiment of the unit.
  case conversions
  /// Goals of experiments: each counts in its own experiment only, and as 1 without a value.
  case goals

  /// The kind of the counted events.
  var kind: UnitEvent.Kind { self == .conversions ? .conversion : .goal }

  /// The events that a projector needs.
  var needs: UnitNeeds {
    self == .conversions ? [.decisions, .conversions] : [.decisions, .goals]
  }
}

extension Metric.Count {
  /// The kind of events that are counted; nil where both are, or neither.
  package var source: ConversionSource? {
    switch self {
    case .reward, .goals: .goals
    case .conversions, .revenue: .conversions
    case .converted, .decisions, .visits: nil
    }
  }
}
