/// The scores of a study of one unit, summed in the order of its takes.
public struct UnitScores: Sendable {
  /// The study in the catalog.
  public var study: UInt32 = 0
  /// The value of the dimension.
  public var value: UInt32 = 0
  /// The number of predicted takes.
  public var events = 0
  /// The number of takes whose option was predicted first.
  public var hits = 0
  /// The sum of 1 ÷ rank, ties counted pessimistically.
  public var reciprocalRank = 0.0
  /// The sum of the log losses, in nats.
  public var logLoss = 0.0
  /// The sum of the Brier scores.
  public var brier = 0.0
  /// The number of predicted takes, by ``HistoryStage``.
  var stageEvents = InlineArray<16, Int32>(repeating: 0)
  /// The sum of the log losses, by ``HistoryStage``.
  var stageLogLoss = InlineArray<16, Double>(repeating: 0)
  /// The slot of the study and value in the tallies that the scores are added to; -1 as long as it is unknown.
  var slot: Int32 = -1
}

extension UnitScores: Equatable {
  public static func == (a: UnitScores, b: UnitScores) -> Bool {
    a.study == b.study && a.value == b.value && a.events == b.events && a.hits == b.hits
      && a.reciprocalRank == b.reciprocalRank && a.logLoss == b.logLoss && a.brier == b.brier
      && HistoryStage.all.allSatisfy {
        a.stageEvents[$0] == b.stageEvents[$0] && a.stageLogLoss[$0] == b.stageLogLoss[$0]
      }
  }
}
