import Foundation
import Prediction
import Statistics

/// One take that was predicted, found by going through the run from its beginning.
struct ScoredTake {
  var step: StudyStep
  var run: Int
  var takesBefore: Int
  /// In declared order; a novel option at the end, with 0.
  var confidences: [Double]
  var isSeen: Bool
  var isBlind: Bool
  /// By the first of the greatest confidences of those that were there.
  var predicted: UInt32?
  var topConfidence: Double?

  var taken: Int { Int(step.place) }
  var isHit: Bool { predicted == step.option }

  /// By tie rule; none for a novel option.
  var ranks: [TieRule: Double] = [:]

  func rank(_ rule: TieRule) -> Double? { ranks[rule] }

  func loss(_ clip: Double) -> Double {
    ChoiceScores.logLoss(confidences, taken: taken, clip: clip)
  }

  var brier: Double { ChoiceScores.brier(confidences, taken: taken) }
}

/// What evaluation means, without any thought of speed.
struct NaiveEvaluation {
  let predictor: Predictor
  let plan: EvaluationPlan
  let tables: StudyTables

  /// The takes of a run that are to be scored.
  func takes(of run: Int, _ steps: [StudyStep]) -> [ScoredTake] {
    let takes = steps.indices.filter { [.take, .novelTake].contains(steps[$0].kind) }
    return takes.enumerated().compactMap { number, place in
      guard number >= plan.warmUp, steps[place].time >= plan.since else { return nil }
      return scored(steps, place, run: run, takesBefore: number)
    }
  }

  private func scored(_ steps: [StudyStep], _ place: Int, run: Int, takesBefore: Int) -> ScoredTake {
    let (learning, options) = known(steps[..<place], at: steps[place].time)
    let forecast = learning.forecast(at: steps[place].time)
    return scored(steps[place], forecast, options, run: run, takesBefore: takesBefore)
  }

  private func scored(
    _ step: StudyStep, _ forecast: Forecast, _ options: [UInt32], run: Int, takesBefore: Int
  ) -> ScoredTake {
    let isSeen = step.kind == .take
    var take = ScoredTake(
      step: step, run: run, takesBefore: takesBefore,
      confidences: forecast.confidences + (isSeen ? [] : [0]), isSeen: isSeen,
      isBlind: forecast.isBlind, predicted: forecast.mostLikely.map { options[$0] },
      topConfidence: forecast.confidences.max())
    for rule in TieRule.allCases where isSeen {
      take.ranks[rule] = rule.rank(of: take.taken, among: take.confidences)
    }
    return take
  }

  /// What is known at a time after these steps, by one who learns a take as soon as a step of the run comes when it is known.
  private func known(_ steps: ArraySlice<StudyStep>, at time: Int64) -> (
    Predictor.Learning, [UInt32]
  ) {
    var learning = predictor.beginning
    var options: [UInt32] = []
    var encounters = 0
    var unknown: [StudyStep] = []
    func learn(until time: Int64) {
      while let first = unknown.first, first.time <= time - plan.delay {
        if let place = options.firstIndex(of: first.option) {
          learning.take(place, at: first.time)
          encounters += 1
        }
        unknown.removeFirst()
      }
    }
    for step in steps {
      learn(until: step.time)
      switch step.kind {
      case .take: unknown.append(step)
      case .novelTake:
        learning.apply(.add(takes: 0, encounters: encounters), at: step.time)
        options.append(step.option)
        unknown.append(step)
      case .encounter:
        learning.encounter(at: step.time)
        encounters += options.isEmpty ? 0 : 1
      case .define:
        let new = tables.options[Int(step.place)]
        learning.define(new, at: step.time)
        (options, encounters) = (new.names, new.encountered)
        unknown = []
      case .change:
        let new = tables.options[Int(step.place)]
        learning.change(from: tables.options[Int(step.place) - 1], to: new, at: step.time)
        (options, encounters) = (new.names, new.encountered)
      case .features: break
      }
      if plan.delay == 0 { learn(until: step.time) }
    }
    learn(until: time)
    return (learning, options)
  }
}

extension NaiveEvaluation {
  /// What is known of a run whose units learn from each other.
  private struct Known {
    var learning: Predictor.Learning
    var options: [UInt32] = []
    var features: [Feature] = []
    var takes = 0
    var encounters = 0
  }

  /// The takes of all runs that are to be scored, by one who goes through all steps by time and gives each unit what those of
  /// its study have in common.
  func takesTogether(_ steps: [StudyStep]) -> [ScoredTake] {
    var scored: [ScoredTake] = []
    var runs: [UInt32: Known] = [:]
    var pools: [UInt32: any OptionPool] = [:]
    var unknown: [(step: StudyStep, features: [Feature])] = []
    func situation(_ known: Known, _ step: StudyStep, _ features: [Feature]) -> Situation {
      let codes = known.options.map { plan.catalog.codes[Int($0)] }
      return Situation(time: step.time, options: codes, features: features)
    }
    func learn(until time: Int64) {
      while let (step, features) = unknown.first, step.time <= time - plan.delay {
        unknown.removeFirst()
        guard var known = runs[step.run], let place = known.options.firstIndex(of: step.option)
        else { continue }
        known.learning.common = pools[step.study] ?? predictor.beginning.common
        known.learning.take(place, in: situation(known, step, features))
        known.encounters += 1
        pools[step.study] = known.learning.common
        runs[step.run] = known
      }
    }
    for step in steps {
      learn(until: step.time)
      var known = runs[step.run] ?? Known(learning: predictor.beginning)
      if [.take, .novelTake].contains(step.kind) {
        known.learning.common = pools[step.study] ?? predictor.beginning.common
        var forecast = Forecast(confidences: [], isBlind: false)
        forecast.isBlind = known.learning.forecast(
          into: &forecast.confidences, in: situation(known, step, known.features))
        if known.takes >= plan.warmUp, step.time >= plan.since {
          scored.append(
            self.scored(
              step, forecast, known.options, run: Int(step.run), takesBefore: known.takes))
        }
        known.takes += 1
        unknown.append((step, known.features))
      }
      switch step.kind {
      case .take: break
      case .novelTake:
        known.learning.apply(.add(takes: 0, encounters: known.encounters), at: step.time)
        known.options.append(step.option)
      case .encounter:
        known.learning.encounter(at: step.time)
        known.encounters += known.options.isEmpty ? 0 : 1
      case .define:
        let new = tables.options[Int(step.place)]
        known.learning.define(new, at: step.time)
        (known.options, known.encounters) = (new.names, new.encountered)
        unknown.removeAll { $0.step.run == step.run }
      case .change:
        let new = tables.options[Int(step.place)]
        known.learning.change(from: tables.options[Int(step.place) - 1], to: new, at: step.time)
        (known.options, known.encounters) = (new.names, new.encountered)
      case .features: known.features = tables.features[Int(step.place)]
      }
      runs[step.run] = known
      if plan.delay == 0 { learn(until: step.time) }
    }
    return scored
  }
}

/// A measure by name.
typealias Measure = (name: String, value: Double?)

extension NaiveEvaluation {
  /// The measures of some takes, by their definitions.
  func measures(_ takes: [ScoredTake]) -> [Measure] {
    func mean(_ score: (ScoredTake) -> Double) -> Double? {
      takes.isEmpty ? nil : takes.reduce(0) { $0 + score($1) } / Double(takes.count)
    }
    var result: [Measure] = [
      ("events", Double(takes.count)), ("units", Double(Set(takes.map(\.run)).count)),
      ("novel", mean { $0.isSeen ? 0 : 1 }), ("blind", mean { $0.isBlind ? 1 : 0 }),
      ("log loss", mean { $0.loss(plan.clip) }), ("Brier", mean { $0.brier }),
      (
        "RPS",
        mean { ChoiceScores.rankedProbability($0.confidences, taken: $0.taken) }
      ),
    ]
    for rule in TieRule.allCases {
      result.append(("MRR \(rule)", mean { take in take.rank(rule).map { 1 / $0 } ?? 0 }))
      for k in [1, 3] {
        result.append(
          ("hits@\(k) \(rule)", mean { $0.rank(rule).map { $0 <= Double(k) ? 1 : 0 } ?? 0 }))
        result.append(
          (
            "NDCG@\(k) \(rule)",
            mean {
              $0.rank(rule).map { ChoiceScores.discountedGain(rank: $0, k: Double(k)) } ?? 0
            }
          ))
      }
    }
    return result + byThreshold(takes) + byBin(takes) + byOption(takes) + byUnit(takes)
  }

  private func byThreshold(_ takes: [ScoredTake]) -> [Measure] {
    plan.thresholds.flatMap { threshold in
      let acted = takes.filter { $0.topConfidence ?? -1 > threshold }
      return [
        ("coverage \(threshold)", Double(acted.count) / Double(takes.count)),
        (
          "accuracy \(threshold)",
          acted.isEmpty ? nil : Double(acted.count(where: \.isHit)) / Double(acted.count)
        ),
      ]
    }
  }

  private func byBin(_ takes: [ScoredTake]) -> [Measure] {
    let n = Double(takes.count)
    let bins = Dictionary(grouping: takes) {
      min(plan.bins - 1, Int(($0.topConfidence ?? 0) * Double(plan.bins)))
    }.values
    let base = Double(takes.count(where: \.isHit)) / n
    let parts = bins.map { bin in
      let size = Double(bin.count)
      let confidence = bin.reduce(0) { $0 + ($1.topConfidence ?? 0) } / size
      let rate = Double(bin.count(where: \.isHit)) / size
      return (size: size, gap: abs(confidence - rate), spread: rate - base)
    }
    guard n > 0 else { return ["ECE", "MCE", "reliability", "resolution"].map { ($0, nil) } }
    return [
      ("ECE", parts.reduce(0) { $0 + $1.size * $1.gap } / n), ("MCE", parts.map(\.gap).max()),
      ("reliability", parts.reduce(0) { $0 + $1.size * $1.gap * $1.gap } / n),
      ("resolution", parts.reduce(0) { $0 + $1.size * $1.spread * $1.spread } / n),
    ]
  }

  private func byOption(_ takes: [ScoredTake]) -> [Measure] {
    let (n, options) = (Double(takes.count), Set(takes.flatMap { [$0.step.option, $0.predicted] }))
    var (chance, entropy, f1) = (0.0, 0.0, [Double]())
    for option in options.compactMap({ $0 }).sorted() {
      let taken = Double(takes.count { $0.step.option == option })
      let predicted = Double(takes.count { $0.predicted == option })
      let both = Double(takes.count { $0.isHit && $0.predicted == option })
      chance += taken / n * predicted / n
      if taken > 0 { entropy -= taken / n * log(taken / n) }
      f1.append(2 * both / (taken + predicted))
    }
    let accuracy = Double(takes.count(where: \.isHit)) / n
    let loss = takes.reduce(0) { $0 + $1.loss(plan.clip) } / n
    return [
      ("kappa", chance < 1 ? (accuracy - chance) / (1 - chance) : nil),
      ("macro F1", f1.reduce(0, +) / Double(f1.count)),
      ("normalised entropy", entropy > 1e-12 ? loss / entropy : nil),
    ]
  }

  private func byUnit(_ takes: [ScoredTake]) -> [Measure] {
    let units = Dictionary(grouping: takes, by: \.run).values
    func mean(_ score: (ScoredTake) -> Double) -> Double {
      units.reduce(0) { sum, unit in
        sum + unit.reduce(0) { $0 + score($1) } / Double(unit.count)
      } / Double(units.count)
    }
    return [
      ("hits by unit", mean { $0.isHit ? 1 : 0 }),
      ("MRR by unit", mean { take in take.rank(.pessimistic).map { 1 / $0 } ?? 0 }),
      ("log loss by unit", mean { $0.loss(plan.clip) }), ("Brier by unit", mean { $0.brier }),
    ]
  }
}
