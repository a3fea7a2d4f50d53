/// Whether a report can be made of parts of a log, each of which has all events of its units.
public enum PartialSupport: Hashable, Sendable {
  /// It can: its states are merged.
  case byUnits
  /// It can for one experiment at a time: its states are merged.
  case byUnitsOfOneExperiment
  /// It can if the end of the data is given, on which the contribution of every unit depends.
  case byUnitsUntilEnd
  /// It cannot; with what to do instead.
  case none(instead: String)
}
