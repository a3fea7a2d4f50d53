internal import Bandits
internal import Replay
internal import Specifications

/// The columns of decisions that learners and learned policies read: slots and variants by their numbers in the policy,
/// and features; private to one thread.
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
        !source.variants.isEmpty(at: UInt32(truncatingIfNeeded: $0))
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

  /// The common part of all decisions with a long list of choices.
  private struct KeptList: Sendable {
    /// The indices of the variants.
    var choices: [Int]
    /// The situation of the vectors, and for each of the features those of the choices.
    var situation: UInt64 = .max
    var vectors: [[FeatureVector]] = []
  }

  private let source: EvaluationSource
  private let names: Names
  private var features: [DecisionFeatures]
  /// For each of the features, whether a policy sees them.
  private let areUsed: [Bool]
  private var lists = ChoiceLists()
  private var kept: [UInt64: KeptList] = [:]
  /// The codes of the choices of the current decision.
  private(set) var variants: [UInt32] = []
  /// The choices, slot, chosen variant, propensity and reward of the current decision.
  private(set) var decision = LearningDecision()
  /// For each of the features, the vectors of the choices of the current decision; none if no policy sees them.
  private(set) var vectors: [[FeatureVector]]

  init(
    _ source: EvaluationSource, _ names: Names, _ features: [DecisionFeatures], areUsed: [Bool]
  ) {
    self.source = source
    self.names = names
    self.features = features
    self.areUsed = areUsed
    vectors = features.map { _ in [] }
  }

  /// Fills ``variants``, ``decision`` and ``vectors``; returns false if the chosen variant is not among the choices.
  mutating func take(_ row: CreditedDecision) -> Bool {
    variants = source.choices(of: row)
    guard let chosen = lists.chosen(of: row, among: variants, source) else { return false }
    decision.slot = names.slotOfPlace[Int(row.place)]
    decision.chosen = chosen
    decision.propensity = row.propensity
    decision.reward = row.reward
    if variants.count < ChoiceLists.leastKept {
      decision.group = nil
      decision.choices = indices()
      writeVectors(row)
    } else {
      takeKept(row)
    }
    return true
  }

  /// Returns whether a decision has a value, of its context or its chosen variant, that the survey of some features did
  /// not see; false for features that no policy sees.
  mutating func isUnseen(_ row: CreditedDecision, _ index: Int) -> Bool {
    areUsed[index] && features[index].isUnseen(row)
  }

  /// Fills the choices and vectors of a decision with a long list of choices.
  private mutating func takeKept(_ row: CreditedDecision) {
    let list = source.list(of: row)
    let key = list ^ UInt64(row.place) << 40
    if kept[key] == nil {
      kept[key] = KeptList(choices: indices())
    }
    decision.group = LearningGroup(list: key, model: 0)
    decision.choices = kept[key]?.choices ?? []
    guard areUsed.contains(true) else { return }
    if kept[key]?.situation != UInt64(row.situation) {
      writeVectors(row)
      kept[key]?.situation = UInt64(row.situation)
      kept[key]?.vectors = vectors
    } else {
      vectors = kept[key]?.vectors ?? []
    }
  }

  private func indices() -> [Int] {
    variants.map { variant in
      let number = source.numbers.number(of: variant)
      return number < names.indexOfVariant.count ? names.indexOfVariant[number] : -1
    }
  }

  private mutating func writeVectors(_ row: CreditedDecision) {
    for index in features.indices where areUsed[index] {
      features[index].write(variants, row, into: &vectors[index])
    }
  }
}

/// The predictions of each fold's reward model for the choices of a decision; private to one thread.
struct FoldPredictions: Sendable {
  private var predictor: RewardPredictor
  private let models: CrossFittedModels?
  /// Whether the models see features, which depend on the situation.
  let dependOnSituation: Bool
  /// For each fold, the predictions of the model without it; empty without models.
  private(set) var folds: [[Double]]

  init(_ source: EvaluationSource, _ features: DecisionFeatures?, _ models: CrossFittedModels?) {
    predictor = RewardPredictor(source, features)
    dependOnSituation = features != nil
    self.models = models
    folds = models?.models.map { _ in [] } ?? []
  }

  /// Computes the predictions for the choices of a decision, by all models or that without a fold.
  mutating func take(_ variants: [UInt32], _ row: CreditedDecision, fold: Int? = nil) {
    guard let models else { return }
    for index in folds.indices where fold == nil || fold == index {
      predictor.predict(variants, row, models.models[index], number: index, into: &folds[index])
    }
  }

  /// Returns the predictions of the model without a fold; empty without models.
  func without(_ fold: Int) -> [Double] { folds.indices.contains(fold) ? folds[fold] : [] }
}
