internal import Statistics

/// Which predictor to use for a study, by how much it is better, how sure that is, and how much history a unit needs.
public struct PredictionAdvice: Sendable {
  /// A predictor that may be recommended.
  public struct Candidate: Sendable {
    /// How it is written, such as `markov:order=2`.
    public var name: String
    /// Whether it is only there to be beaten.
    public var isBaseline: Bool
    /// What its predictions came to.
    public var scores: PredictionScores

    /// Makes a candidate.
    public init(name: String, isBaseline: Bool, scores: PredictionScores) {
      (self.name, self.isBaseline, self.scores) = (name, isBaseline, scores)
    }
  }

  /// How much history a unit needs before its prediction beats the baseline.
  public enum HistoryNeeded: Sendable, Equatable {
    /// So many takes.
    case takes(Int)
    /// However long it is, the baseline is not beaten for good.
    case never
    /// There is no baseline, or nothing to tell it by.
    case unknown
  }

  /// The candidates of which something was predicted; the others below are places among them.
  public let candidates: [Candidate]
  /// The one with the lowest log loss, among equals the first.
  public let best: Int
  /// The one with the highest hit rate; ``best`` if that is one of them, else the first.
  public let bestByHits: Int
  /// The baseline with the lowest log loss; nil without baselines.
  public let bestBaseline: Int?
  /// The one with the lowest log loss of all others; nil where there is only one.
  public let runnerUp: Int?
  /// How much better the best one is than the best baseline; nil where it is a baseline itself, or there is none.
  public let overBaseline: PredictionSkill?
  /// How much better it is than the runner-up.
  public let overRunnerUp: PredictionSkill?
  /// How much history a unit needs before its prediction by the best one beats the best baseline.
  public let historyNeeded: HistoryNeeded

  /// Compares predictors of the same takes; nil where nothing was predicted.
  ///
  /// - Parameters:
  ///   - candidates: The predictors with their scores.
  ///   - skills: Of each against each other, in the same order.
  public init?(_ candidates: [Candidate], _ skills: SkillTable) {
    let scored = candidates.indices.filter { candidates[$0].scores.events > 0 }
    func loss(_ place: Int) -> Double { candidates[place].scores.logLoss ?? .infinity }
    func hitRate(_ place: Int) -> Double { candidates[place].scores.hitRate() ?? 0 }
    func lowest(_ places: [Int]) -> Int? {
      // Of those that are as good as each other a baseline: it asks for least.
      places.min {
        (loss($0), candidates[$0].isBaseline ? 0 : 1, $0)
          < (loss($1), candidates[$1].isBaseline ? 0 : 1, $1)
      }
    }
    guard let best = lowest(scored) else { return nil }
    let baseline = lowest(scored.filter { candidates[$0].isBaseline })
    let runnerUp = lowest(scored.filter { $0 != best })
    let byHits = scored.reduce(best) { hitRate($1) > hitRate($0) ? $1 : $0 }
    let beaten = candidates[best].isBaseline ? nil : baseline
    func place(_ candidate: Int?) -> Int? { candidate.flatMap { scored.firstIndex(of: $0) } }
    self.candidates = scored.map { candidates[$0] }
    self.best = place(best) ?? 0
    bestByHits = place(byHits) ?? 0
    bestBaseline = place(baseline)
    self.runnerUp = place(runnerUp)
    overBaseline = beaten.flatMap { skills.skill(of: best, against: $0) }
    overRunnerUp = runnerUp.flatMap { skills.skill(of: best, against: $0) }
    historyNeeded =
      beaten.map { Self.historyNeeded(skills.byHistory(of: best, against: $0)) } ?? .unknown
  }

  /// Whether the best one is better than the best baseline, and not by chance: its interval excludes 0. Nil where it is a
  /// baseline itself, or there is no interval.
  public var isReal: Bool? { overBaseline?.logLoss?.isReal }

  /// The takes of the first stage from which on the log loss is lower. A later stage in which it is higher only counts if that
  /// is no chance: the last ones often have few units.
  ///
  /// - Parameter stages: The differences to the baseline, ascending.
  /// - Returns: The least number of takes that a unit must have before.
  public static func historyNeeded(_ stages: [StageSkill]) -> HistoryNeeded {
    guard !stages.isEmpty else { return .unknown }
    let lost = stages.lastIndex {
      $0.difference.estimate <= 0 && $0.difference.isReal ?? false
    }
    let rest = stages[(lost.map { $0 + 1 } ?? 0)...]
    return rest.first { $0.difference.estimate > 0 }.map { .takes($0.low) } ?? .never
  }
}
