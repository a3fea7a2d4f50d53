internal import Specifications

/// Counts of what was read for predictions, and of what was excluded.
public struct PredictionLedger: NotedLedger, Sendable, Equatable {
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
  /// Provisional decisions that were never confirmed.
  public var unconfirmedDecisions = 0
  /// Decisions that repeat an existing assignment.
  public var repeatedDecisions = 0
  /// Decisions that excluded the unit, which got the default.
  public var excludedDecisions = 0
  /// Decisions with a status unknown to this version; they do not count.
  public var unknownDecisions = 0
  /// Decisions excluded because of their reason.
  public var leftOutDecisions = 0

  /// Creates a ledger of zeros.
  public init() {}

  public static let named: KeyValuePairs<String, any WritableKeyPath<PredictionLedger, Int> & Sendable> = [
    "units": \.units, "runs": \.runs, "takes": \.takes, "takes_novel": \.novelTakes,
    "encounters": \.encounters, "encounters_without_options": \.emptyEncounters,
    "configurations": \.configurations, "configurations_unreadable": \.unreadableConfigurations,
    "takes_without_study": \.withoutStudy, "takes_without_option": \.withoutOption,
    "attributes_unread": \.unreadAttributes, "decisions_unconfirmed": \.unconfirmedDecisions,
    "decisions_repeated": \.repeatedDecisions, "decisions_excluded": \.excludedDecisions,
    "decisions_of_unknown_status": \.unknownDecisions, "decisions_left_out": \.leftOutDecisions,
  ]
}

extension PredictionLedger: DecisionLedger {}
