internal import Bandits

/// Asks fitted reward models for the predicted rewards of the choices of decisions; private to one thread.
struct RewardPredictor: Sendable {
  private let numbers: VariantNumbers
  /// By number of the place, the slot of the model.
  private let ranks: [Int]
  /// The features; nil if the models use none.
  private var features: DecisionFeatures?
  private var vector = FeatureVector()

  init(_ source: EvaluationSource, _ features: DecisionFeatures?) {
    (numbers, ranks) = (source.numbers, source.ranks)
    self.features = features
  }

  /// Computes the predicted reward of each of the choices of a decision.
  ///
  /// - Parameters:
  ///   - variants: The codes of the choices.
  ///   - row: The decision.
  ///   - model: The model.
  ///   - predictions: Receives the rewards, in place of what it held.
  mutating func predict(
    _ variants: [UInt32], _ row: EvaluationRow, _ model: any FittedRewardModel,
    into predictions: inout [Double]
  ) {
    predictions.removeAll(keepingCapacity: true)
    for variant in variants {
      features?.write(variant, row, into: &vector)
      predictions.append(
        model.reward(of: numbers.number(of: variant), in: ranks[Int(row.place)], vector))
    }
  }
}
