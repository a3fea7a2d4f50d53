import Events
import Statistics
import TestSupport

@testable import Replay

/// The decisions of a place in their order, by the words of their definition.
struct NaiveAdaptive {
  var decisions: [NaiveRewards.Counted] = []

  /// By place.
  static func places(_ events: [Event]) -> [ArmName: NaiveAdaptive] {
    return Dictionary(grouping: NaiveRewards(events).inOrder) { ArmName($0.decision).place }
      .mapValues { NaiveAdaptive(decisions: $0) }
  }

  var variants: [String] { Array(Set(decisions.map(\.key.variant))) }

  private var logged: [[String: Double]?] {
    decisions.map { counted in
      guard let choices = counted.decision.choices,
        let probabilities = counted.decision.probabilities
      else { return nil }
      let pairs = zip(choices.map(\.rawValue), probabilities)
      return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
  }

  /// How many decisions were logged without choices or without probabilities.
  var missing: Int { logged.count { $0 == nil } }

  /// How many have probabilities that cannot be right, or that name a choice twice.
  var wrong: Int {
    zip(decisions, logged).count { counted, logged in
      guard let logged else { return false }
      let numbers = counted.decision.probabilities ?? []
      return numbers.count != logged.count || numbers.contains { $0 < 0 || $0 > 1 }
        || abs(numbers.reduce(0, +) - 1) > 1e-6 || logged[counted.key.variant, default: 0] == 0
    }
  }

  /// An estimate for each of the variants; nil where probabilities are missing or wrong.
  func estimates(
    _ variants: [String], _ weighting: AdaptiveWeighting, baseline: String
  ) -> [AdaptiveEstimate]? {
    guard missing == 0, wrong == 0 else { return nil }
    return variants.map { variant in
      var mean = AdaptivelyWeightedMean(weighting)
      var contrast = AdaptivelyWeightedContrast(weighting)
      for (counted, logged) in zip(decisions, logged) {
        let (chosen, own) = (counted.key.variant, logged?[variant] ?? 0)
        mean.add(counted.sum, isChosen: chosen == variant, probability: own)
        contrast.add(
          counted.sum,
          choice: chosen == variant ? .treatment : chosen == baseline ? .control : .other,
          treatmentProbability: own, controlProbability: logged?[baseline] ?? 0)
      }
      return AdaptiveEstimate(mean: mean, contrast: variant == baseline ? nil : contrast)
    }
  }

  /// Gives a decision choices and probabilities, mostly such as can be right; a variant may be listed twice.
  static func addProbabilities(to decision: inout Decision, _ random: inout SeededGenerator) {
    var choices = (0..<random.index(4)).map { _ in VariantID("v\(random.index(4))") }
    choices.insert(decision.variant, at: random.index(choices.count + 1))
    var eighths = choices.map { _ in 0.0 }
    eighths[choices.firstIndex(of: decision.variant) ?? 0] = 1
    for _ in 0..<7 { eighths[random.index(eighths.count)] += 1 }
    decision.choices = choices
    decision.probabilities = eighths.map { $0 / 8 }
    switch random.index(60) {
    case 0: decision.probabilities = nil
    case 1: (decision.choices, decision.probabilities) = (nil, nil)
    case 2: decision.probabilities?[0] += 0.25
    case 3: decision.variant = "v5"
    default: break
    }
  }
}
