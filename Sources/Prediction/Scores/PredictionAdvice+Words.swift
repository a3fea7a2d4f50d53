internal import Specifications
internal import Statistics

extension PredictionAdvice {
  /// The advice in plain English, sentence by sentence.
  public var sentences: [String] {
    [recommendation, againstBaseline, againstRunnerUp, byHits, history].compactMap { $0 }
  }

  private var recommendation: String {
    let scores = candidates[best].scores
    let loss = NumberText.fixed(scores.logLoss ?? .infinity, places: 3)
    let takes = "\(Self.count(scores.events, "take")) of \(Self.count(scores.units, "unit"))"
    if candidates.count == 1 {
      return "\(name(best)) has a log loss of \(loss) nats over \(takes)."
    }
    let among = "the lowest of \(candidates.count) predictors over \(takes)"
    guard candidates[best].isBaseline else {
      return "Use \(name(best)): its log loss of \(loss) nats is \(among)."
    }
    return
      "No predictor beats the baseline \(name(best)): its log loss of \(loss) nats is \(among)."
  }

  private var againstBaseline: String? {
    guard let bestBaseline, let skill = overBaseline?.logLoss else { return nil }
    return "That is \(Self.lower(skill)) the best baseline, \(name(bestBaseline))."
  }

  private var againstRunnerUp: String? {
    guard let runnerUp, runnerUp != bestBaseline || overBaseline == nil,
      let skill = overRunnerUp?.logLoss
    else { return nil }
    return "It is \(Self.lower(skill)) the runner-up, \(name(runnerUp))."
  }

  private var byHits: String? {
    guard bestByHits != best, let most = candidates[bestByHits].scores.hitRate(),
      let own = candidates[best].scores.hitRate(), Self.percent(most) != Self.percent(own)
    else { return nil }
    return
      "By first guesses \(name(bestByHits)) is best: \(Self.percent(most)) of them were right, against "
      + "\(Self.percent(own)) of those of \(name(best))."
  }

  private var history: String? {
    guard let bestBaseline else { return nil }
    switch historyNeeded {
    case .takes(0): return "It beats \(name(bestBaseline)) from a unit's first take on."
    case .takes(let takes):
      return
        "A unit needs \(Self.count(takes, "take")) before its prediction beats \(name(bestBaseline))."
    case .never:
      return "However long a unit's history is, it does not beat \(name(bestBaseline)) for good."
    case .unknown: return nil
    }
  }

  private func name(_ place: Int) -> String { candidates[place].name }

  /// Describes the reduction in log loss and its significance, up to the name of the baseline.
  private static func lower(_ skill: Difference) -> String {
    // Reductions below a tenth of a percent get the precision of their interval.
    let places = abs(skill.estimate) < 0.001 ? 4 : 1
    let much = percent(skill.estimate, places)
    guard let interval = skill.interval, let isReal = skill.isReal else {
      return "\(much) (a single unit, so no interval) below"
    }
    let range =
      "95 % interval \(percent(interval.low, places)) to \(percent(interval.high, places))"
    return "\(much) (\(range), \(isReal ? "a real difference" : "which may be chance")) below"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func percent(_ share: Double, _ places: Int = 1) -> String {
    "\(NumberText.fixed(share * 100, places: places)) %"
  }
}
