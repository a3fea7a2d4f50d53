/// What was read for predictions, and what of it did not count.
public struct PredictionLedger: Sendable, Equatable {
  /// Units of which something was read.
  public var units = 0
  /// Studies of units: each is one history of takes.
  public var runs = 0
  /// Takes of options, each of which is predicted: those of data points, or decisions that count.
  public var takes = 0
  /// Takes of an option that was not in its study: it was added then.
  public var novelTakes = 0
  /// Encounters of options of which none was taken.
  public var encounters = 0
  /// Encounters of studies that had no option then: they change nothing.
  public var emptyEncounters = 0
  /// Configurations of studies that could be read, of units and of everyone.
  public var configurations = 0
  /// Configurations of studies that name no study or whose options cannot be read: they change nothing.
  public var unreadableConfigurations = 0
  /// Takes and encounters without a key: of no study.
  public var withoutStudy = 0
  /// Takes without a value: of no option.
  public var withoutOption = 0
  /// Names of attributes beyond those of which contexts were read: no predictor sees them.
  public var unreadAttributes = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// The same assignment shown again.
  public var repeatedDecisions = 0
  /// Units that got the default because they are not in.
  public var excludedDecisions = 0
  /// Decisions with a status that this version does not know: they do not count.
  public var unknownDecisions = 0
  /// Decisions that were left out by their reason.
  public var leftOutDecisions = 0

  /// Nothing read.
  public init() {}

  /// Takes what was read of other units.
  public mutating func merge(_ other: PredictionLedger) {
    let fields: [WritableKeyPath<PredictionLedger, Int>] = [
      \.units, \.runs, \.takes, \.novelTakes, \.encounters, \.emptyEncounters, \.configurations,
      \.unreadableConfigurations, \.withoutStudy, \.withoutOption, \.unreadAttributes,
      \.unconfirmedDecisions, \.repeatedDecisions, \.excludedDecisions, \.unknownDecisions,
      \.leftOutDecisions,
    ]
    for field in fields { self[keyPath: field] += other[keyPath: field] }
  }
}

extension PredictionLedger: DecisionLedger {}
