internal import Bandits
internal import Replay
internal import Specifications
internal import Statistics

/// The fitted reward models of an evaluation.
struct FittedModels: Sendable {
  /// The model to which all decisions count the same; nil if none is needed.
  var shared: CrossFittedModels?
  /// For each policy the model whose decisions are weighed by it; empty if none is needed.
  var ofPolicies: [CrossFittedModels] = []
}

/// The fit of a reward model in progress.
struct RewardModelFit {
  /// The models to fit, and the decisions of each.
  private let fitter: RewardModelFitter
  private let decisions: EvaluatedDecisions
  private var fit: CrossFitting
  /// Whether no more passes are needed.
  private(set) var isDone = false

  /// Starts a fit.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - decisions: The decisions.
  ///   - features: The features; nil if the model uses none.
  ///   - part: The decisions that the model sees.
  ///   - policy: The policy by which decisions are weighed; nil for equal weights.
  ///   - shared: The model that the policy asks; nil if it asks none.
  /// - Throws: `SpecificationError` if the problem is too large for the model.
  init(
    _ plan: OffPolicyPlan, _ decisions: EvaluatedDecisions, _ features: DecisionFeatures?,
    _ part: DecisionPart = .all, policy: (any TargetPolicy)? = nil,
    shared: CrossFittedModels? = nil
  ) throws(SpecificationError) {
    let problem = RewardProblem(
      slots: decisions.source.places.count, variants: decisions.source.numbers.codes.count,
      columns: features?.map.columnCount ?? 1)
    self.decisions = decisions
    fit = try CrossFitting(plan.rewardModel, problem, folds: plan.folds)
    fitter = RewardModelFitter(
      source: decisions.source, attribution: plan.attribution, needs: plan.needs,
      features: features, fit: fit, policy: policy,
      use: policy == nil ? .unweighted : .varianceMinimizing, shared: shared, part: part)
  }

  /// Returns the slot of the current pass.
  fileprivate var slot: UnitSlot<RewardModelFitter> {
    var fitter = fitter
    fitter.fit = fit
    return UnitSlot(fitter)
  }

  fileprivate mutating func finish(
    _ slot: UnitSlot<RewardModelFitter>, _ context: UnitContext
  ) throws(SpecificationError) {
    fit = slot.result(context)
    isDone = try !fit.finishPass()
  }

  /// Fits models, all of the same units.
  ///
  /// - Returns: For each, a model for the units of each fold.
  /// - Throws: `SpecificationError` if a model cannot be fitted; `LogError` if the units cannot be read.
  static func models(_ fits: [RewardModelFit]) throws -> [CrossFittedModels] {
    var fits = fits
    while true {
      let open = fits.indices.filter { !fits[$0].isDone }
      guard let first = open.first else { break }
      let slots = open.map { fits[$0].slot }
      let context = try fits[first].decisions.units.fillEach(slots)
      for (index, slot) in zip(open, slots) { try fits[index].finish(slot, context) }
    }
    return try fits.map { try $0.fit.models() }
  }
}
