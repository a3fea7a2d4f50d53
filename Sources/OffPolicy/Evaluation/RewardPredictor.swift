internal import Bandits
internal import Replay

/// Asks fitted reward models for the predicted rewards of the choices of decisions; private to one thread.
struct RewardPredictor: Sendable {
  /// The key on which the predictions for long lists of choices depend.
  private struct Key: Hashable, Sendable {
    var place: UInt32
    /// The situation, or only the list of choices where models use no features.
    var situation: UInt64
    var model: Int
  }

  private let source: EvaluationSource
  /// The features; nil if the models use none.
  private var features: DecisionFeatures?
  private var vector = FeatureVector()
  private var kept = KeptNumbers<Key>()

  init(_ source: EvaluationSource, _ features: DecisionFeatures?) {
    (self.source, self.features) = (source, features)
  }

  /// Computes the predicted reward of each of the choices of a decision.
  ///
  /// - Parameters:
  ///   - variants: The codes of the choices.
  ///   - row: The decision.
  ///   - model: The model.
  ///   - number: A number that tells the model from the others that are asked.
  ///   - predictions: Receives the rewards, in place of what it held.
  mutating func predict(
    _ variants: [UInt32], _ row: CreditedDecision, _ model: any FittedRewardModel, number: Int,
    into predictions: inout [Double]
  ) {
    guard variants.count >= ChoiceLists.leastKept else {
      return compute(variants, row, model, into: &predictions)
    }
    let situation = features == nil ? source.list(of: row) : UInt64(row.situation)
    let key = Key(place: row.place, situation: situation, model: number)
    if let known = kept[key] {
      predictions = known
    } else {
      compute(variants, row, model, into: &predictions)
      kept.keep(predictions, key)
    }
  }

  private mutating func compute(
    _ variants: [UInt32], _ row: CreditedDecision, _ model: any FittedRewardModel,
    into predictions: inout [Double]
  ) {
    predictions.removeAll(keepingCapacity: true)
    let slot = source.ranks[Int(row.place)]
    for variant in variants {
      features?.write(variant, row, into: &vector)
      predictions.append(model.reward(of: source.numbers.number(of: variant), in: slot, vector))
    }
  }
}
