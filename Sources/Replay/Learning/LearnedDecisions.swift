internal import Bandits
internal import Statistics

/// What learners and learned policies read of decisions: slots and variants by their numbers in the policy, and features;
/// private to one thread.
struct LearnedDecisions: Sendable {
  /// The slots and variants, sorted by name.
  struct Names: Sendable {
    let slots: [String]
    let variants: [String]
    /// By number of the place, the index of its slot.
    let slotOfPlace: [Int]
    /// By number of the variant, its index.
    let indexOfVariant: [Int]

    init(_ source: EvaluationSource) {
      // Places without a decision that counts have no variants.
      let used = source.places.indices.filter {
        !source.variants.variants(at: UInt32(truncatingIfNeeded: $0)).isEmpty
      }
      let slots = used.map { source.places[$0].slot }.distinctNames
      let names = source.numbers.codes.map { source.names[$0] ?? "" }
      let variants = names.distinctNames
      slotOfPlace = source.places.map { slots.firstIndex(ofName: $0.slot) ?? -1 }
      let places = Dictionary(
        variants.enumerated().map { (NameKey($1), $0) }, uniquingKeysWith: { first, _ in first })
      indexOfVariant = names.map { places[NameKey($0)] ?? -1 }
      (self.slots, self.variants) = (slots, variants)
    }
  }

  private let source: EvaluationSource
  private let names: Names
  private var features: [DecisionFeatures]
  /// The codes of the choices of the current decision.
  private(set) var variants: [UInt32] = []
  /// The choices, slot, chosen variant, propensity and reward of the current decision.
  private(set) var decision = LearningDecision()
  /// For each of the features, the vectors of the choices of the current decision.
  private(set) var vectors: [[FeatureVector]]

  init(_ source: EvaluationSource, _ names: Names, _ features: [DecisionFeatures]) {
    self.source = source
    self.names = names
    self.features = features
    vectors = features.map { _ in [] }
  }

  /// Fills ``variants``, ``decision`` and ``vectors``; returns false if the chosen variant is not among the choices.
  mutating func take(_ row: EvaluationRow) -> Bool {
    variants = source.choices(of: row)
    guard let chosen = variants.firstIndex(of: row.variant) else { return false }
    decision.slot = names.slotOfPlace[Int(row.place)]
    decision.choices.removeAll(keepingCapacity: true)
    for variant in variants {
      let number = source.numbers.number(of: variant)
      decision.choices.append(
        number < names.indexOfVariant.count ? names.indexOfVariant[number] : -1)
    }
    decision.chosen = chosen
    decision.propensity = row.propensity
    decision.reward = row.reward
    for index in features.indices {
      features[index].write(variants, row, into: &vectors[index])
    }
    return true
  }
}

/// The predictions of each fold's reward model for the choices of a decision; private to one thread.
struct FoldPredictions: Sendable {
  private var predictor: RewardPredictor
  private let models: CrossFittedModels?
  /// For each fold, the predictions of the model without it; empty without models.
  private(set) var folds: [[Double]]

  init(_ source: EvaluationSource, _ features: DecisionFeatures?, _ models: CrossFittedModels?) {
    predictor = RewardPredictor(source, features)
    self.models = models
    folds = models?.models.map { _ in [] } ?? []
  }

  /// Computes the predictions for the choices of a decision, by all models or that without a fold.
  mutating func take(_ variants: [UInt32], _ row: EvaluationRow, fold: Int? = nil) {
    guard let models else { return }
    for index in folds.indices where fold == nil || fold == index {
      predictor.predict(variants, row, models.models[index], into: &folds[index])
    }
  }

  /// Returns the predictions of the model without a fold; empty without models.
  func without(_ fold: Int) -> [Double] { folds.indices.contains(fold) ? folds[fold] : [] }
}
