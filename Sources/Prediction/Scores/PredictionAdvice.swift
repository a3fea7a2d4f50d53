internal import Statistics

/// The recommended predictor of a study, with its skill, significance and required history.
public struct PredictionAdvice: Sendable {
  /// A predictor that may be recommended.
  public struct Candidate: Sendable {
    /// The specification, such as `markov:order=2`.
    public var name: String
    /// Whether the predictor is a baseline.
    public var isBaseline: Bool
    /// The scores of its predictions.
    public var scores: PredictionScores

    /// Creates a candidate.
    public init(name: String, isBaseline: Bool, scores: PredictionScores) {
      (self.name, self.isBaseline, self.scores) = (name, isBaseline, scores)
    }
  }

  /// The history that a unit needs before its predictions beat the baseline.
  public enum HistoryNeeded: Sendable, Equatable {
    /// The number of takes.
    case takes(Int)
    /// The baseline is never beaten for good.
    case never
    /// There is no baseline, or not enough data.
    case unknown
  }

  /// The candidates with predictions; the indices below refer to them.
  public let candidates: [Candidate]
  /// The candidate with the lowest log loss, the first of equals.
  public let best: Int
  /// The candidate with the highest hit rate; of equals ``best`` if it is one of them, else the first.
  public let bestByHits: Int
  /// The baseline with the lowest log loss; nil without baselines.
  public let bestBaseline: Int?
  /// The candidate with the lowest log loss other than ``best``; nil if there is only one.
  public let runnerUp: Int?
  /// The skill of the best candidate against the best baseline; nil if it is a baseline itself, or there is none.
  public let overBaseline: PredictionSkill?
  /// The skill of the best candidate against the runner-up.
  public let overRunnerUp: PredictionSkill?
  /// The history that a unit needs before the best candidate beats the best baseline.
  public let historyNeeded: HistoryNeeded

  /// Compares predictors of the same takes; nil if nothing was predicted.
  ///
  /// - Parameters:
  ///   - candidates: The predictors with their scores.
  ///   - skills: The skill of each against each other, in the same order.
  public init?(_ candidates: [Candidate], _ skills: SkillTable) {
    let scored = candidates.indices.filter { candidates[$0].scores.events > 0 }
    func loss(_ place: Int) -> Double { candidates[place].scores.logLoss ?? .infinity }
    func hitRate(_ place: Int) -> Double { candidates[place].scores.hitRate() ?? 0 }
    func lowest(_ places: [Int]) -> Int? {
      // Of equally good candidates, a baseline, which is the simplest.
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

  /// Whether the best candidate beats the best baseline significantly: its interval excludes 0. Nil if it is a
  /// baseline itself, or there is no interval.
  public var isReal: Bool? { overBaseline?.logLoss?.isReal }

  /// Returns the first stage from which on the log loss is lower. A later stage with a higher log loss only counts if
  /// the difference is significant: the last stages often have few units.
  ///
  /// - Parameter stages: The differences to the baseline, ascending.
  /// - Returns: The least number of earlier takes that a unit must have.
  public static func historyNeeded(_ stages: [StageSkill]) -> HistoryNeeded {
    guard !stages.isEmpty else { return .unknown }
    let lost = stages.lastIndex {
      $0.difference.estimate <= 0 && $0.difference.isReal ?? false
    }
    let rest = stages[(lost.map { $0 + 1 } ?? 0)...]
    return rest.first { $0.difference.estimate > 0 }.map { .takes($0.low) } ?? .never
  }
}
