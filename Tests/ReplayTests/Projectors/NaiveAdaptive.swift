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
      var choices = ChoiceBalance()
      for (counted, logged) in zip(decisions, logged) {
        let (chosen, own) = (counted.key.variant, logged?[variant] ?? 0)
        if own > 0 { choices.add(own, isChosen: chosen == variant) }
        mean.add(counted.sum, isChosen: chosen == variant, probability: own)
        contrast.add(
          counted.sum,
          choice: chosen == variant ? .treatment : chosen == baseline ? .control : .other,
          treatmentProbability: own, controlProbability: logged?[baseline] ?? 0)
      }
      return AdaptiveEstimate(mean: mean, contrast: variant == baseline ? nil : contrast, choices: choices)
    }
  }
}
