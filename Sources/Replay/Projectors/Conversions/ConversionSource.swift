/// What is counted for the units of a variant.
public enum ConversionSource: String, Sendable, CaseIterable {
  /// Conversions, which belong to no experiment: they count for every experiment that the unit is in.
  case conversions
  /// Goals of experiments: each counts for its own experiment only, and 1 when it has no value.
  case goals

  /// The kind of the events that are counted.
  var kind: UnitEvent.Kind { self == .conversions ? .conversion : .goal }

  /// What a projector must be shown.
  var needs: UnitNeeds {
    self == .conversions ? [.decisions, .conversions] : [.decisions, .goals]
  }

  /// Whether an event can count for an experiment.
  func concerns(_ event: UnitEvent, _ experiment: UInt32) -> Bool {
    self == .conversions || event.experiment == experiment
  }
}
