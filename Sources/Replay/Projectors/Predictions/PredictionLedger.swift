internal import Specifications

/// Counts of what was read for predictions, and of what was excluded.
public struct PredictionLedger: DecisionLedger, Equatable {
  /// Units with at least one event read.
  public var units = 0
  /// Studies of units: each is one history of takes.
  public var runs = 0
  /// Takes of options, each of which is predicted: from data points, or decisions that count.
  public var takes = 0
  /// Takes of an option that was not in its study; it is added at the take.
  public var novelTakes = 0
  /// Encounters of options without a take.
  public var encounters = 0
  /// Encounters of studies that had no option at the time; they have no effect.
  public var emptyEncounters = 0
  /// Readable configurations of studies, for a unit or for all units.
  public var configurations = 0
  /// Configurations that name no study or whose options cannot be read; they have no effect.
  public var unreadableConfigurations = 0
  /// Takes and encounters without a key, and therefore without a study.
  public var withoutStudy = 0
  /// Takes without a value, and therefore without an option.
  public var withoutOption = 0
  /// Context attributes beyond the maximum that is read; no predictor sees them.
  public var unreadAttributes = 0
  /// The decisions that are not counted.
  public var uncounted = UncountedDecisions()

  /// Creates a ledger of zeros.
  public init() {}

  public static let counts: LedgerCounts<Self> =
    [
      "units": \.units, "runs": \.runs, "takes": \.takes, "takes_novel": \.novelTakes,
      "encounters": \.encounters, "encounters_without_options": \.emptyEncounters,
      "configurations": \.configurations, "configurations_unreadable": \.unreadableConfigurations,
      "takes_without_study": \.withoutStudy, "takes_without_option": \.withoutOption,
      "attributes_unread": \.unreadAttributes,
    ] + uncountedDecisions
}
