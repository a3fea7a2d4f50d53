public import Bandits
public import Replay
public import Specifications
internal import Statistics

/// How a policy is learned from a log: the candidates, how they are judged, and which decisions are held back.
public struct LearningPlan: Sendable {
  /// A class of policies with its settings, and the features that it sees.
  public struct Candidate: Sendable {
    /// The class, with its objective and settings.
    public var learner: any PolicyLearner
    /// The features.
    public var features: FeatureSpecification

    /// Creates a candidate.
    public init(_ learner: any PolicyLearner, features: FeatureSpecification) {
      (self.learner, self.features) = (learner, features)
    }

    /// The class, with its objective and settings, as a specification.
    public var specification: Specification { learner.specification }

    /// The features as they are written; nil for a class that sees none.
    public var featureTerms: String? {
      type(of: learner).usesFeatures ? features.description : nil
    }
  }

  /// The decisions that are held back, on which the chosen policy is judged.
  public enum HeldPart: Sendable, Hashable {
    /// The latest decisions, as a share of all, from 0 (none) to less than 1; decisions at the same time are not
    /// divided.
    case share(Double)
    /// The decisions from a time on, in microseconds.
    case since(Int64)
  }

  /// The candidates.
  public var candidates: [Candidate]
  /// The estimator by which policies are judged: one without a reward model, or with one that is the same for all
  /// policies.
  public var estimator: any OffPolicyEstimator
  /// The method of intervals.
  public var interval: any IntervalMethod
  /// The reward model of objectives and the estimator.
  public var rewardModel: any RewardModel
  /// The features that the reward model sees.
  public var modelFeatures: FeatureSpecification
  /// Features that were asked for, even if no candidate and no model sees them: an attribute that no decision has is an
  /// error.
  public var askedFeatures: [FeatureSpecification] = []
  /// The number of folds of units, 2 ... 20.
  public var folds: Int
  /// The decisions that are held back.
  public var held: HeldPart
  /// The share of the decisions that an agent draws with equal weights instead of the chosen policy.
  public var controlShare = 0.1
  /// How goals are credited to decisions.
  public var attribution: Attribution

  /// Creates a plan.
  public init(
    _ candidates: [Candidate], estimator: any OffPolicyEstimator, interval: any IntervalMethod,
    rewardModel: any RewardModel, modelFeatures: FeatureSpecification = .standard, folds: Int = 5,
    held: HeldPart = .share(0.2), attribution: Attribution = Attribution()
  ) {
    self.candidates = candidates
    self.estimator = estimator
    self.interval = interval
    self.rewardModel = rewardModel
    self.modelFeatures = modelFeatures
    self.folds = folds
    self.held = held
    self.attribution = attribution
  }

  /// The description of the reward model in a report.
  public var modelNote: String { rewardModel.note }

  /// Checks the numbers, and that the estimator can judge policies that do not exist before.
  ///
  /// - Throws: `SpecificationError` with the reason.
  public func check() throws(SpecificationError) {
    guard !candidates.isEmpty else {
      throw SpecificationError("there is no policy class; name one, such as tree")
    }
    guard controlShare >= 0, controlShare <= 1 else {
      throw SpecificationError("control-share is \(controlShare) and must be from 0 to 1")
    }
    guard (2...20).contains(folds) else {
      throw SpecificationError("folds is \(folds) and must be from 2 to 20")
    }
    if case .share(let share) = held, !(share >= 0 && share < 1) {
      throw SpecificationError("test-share is \(share) and must be from 0 to less than 1")
    }
    guard estimator.rewardModel != .varianceMinimizing, estimator.weights == .logged,
      !estimator.judgesWholeDecisions
    else {
      throw SpecificationError(
        "\(estimator.specification) needs a pass of its own for each policy, and cannot judge many; name ips, snips "
          + "or dr"
      )
    }
  }

  /// Whether an objective or the estimator needs the reward model.
  var needsModel: Bool {
    estimator.rewardModel != .none || candidates.contains(where: \.learner.objective.needsModel)
  }

  /// Whether the reward model sees features.
  var needsModelFeatures: Bool { needsModel && type(of: rewardModel).usesFeatures }

  /// The features of the candidates, each once.
  var features: [FeatureSpecification] {
    var all: [FeatureSpecification] = []
    for candidate in candidates where !all.contains(candidate.features) {
      all.append(candidate.features)
    }
    return all
  }

  /// The selection with the attributes of all features.
  func selection(_ selection: UnitSelection, experiment: UInt32) -> UnitSelection {
    var selection = selection
    selection.experiments = [experiment]
    selection.read((features + [modelFeatures] + askedFeatures).flatMap(\.sources))
    return selection
  }

  /// The events that are needed.
  var needs: UnitNeeds { attribution.metric.needs.union([.propensities, .situations]) }

  /// The plan of the evaluation that fits the reward model.
  var modelPlan: OffPolicyPlan {
    OffPolicyPlan(
      policies: [], estimators: [], rewardModel: rewardModel, features: modelFeatures,
      folds: folds, attribution: attribution)
  }
}
