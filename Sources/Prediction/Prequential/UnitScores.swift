/// The scores of a study of one unit, added up in the order of its takes.
public struct UnitScores: Sendable, Equatable {
  /// The study in the catalog.
  public var study: UInt32
  /// The value of the dimension.
  public var value: UInt32
  /// Takes that were predicted.
  public var events = 0
  /// Those of them whose option was predicted first.
  public var hits = 0
  /// The sum of 1 ÷ rank, ties counted pessimistically.
  public var reciprocalRank = 0.0
  /// The sum of the log losses, in nats.
  public var logLoss = 0.0
  /// The sum of the Brier scores.
  public var brier = 0.0

  /// Nothing scored.
  public init(study: UInt32 = 0, value: UInt32 = 0) {
    self.study = study
    self.value = value
  }
}
