public import Bandits
public import Replay
internal import Specifications
internal import Statistics

/// The plan of an evaluation: the value of some target policies by some estimators.
public struct OffPolicyPlan: Sendable {
  /// The target policies.
  public var policies: [any TargetPolicy]
  /// The learning policies, which are evaluated by replay.
  public var learningPolicies: [ReplayedPolicy]
  /// The features that learning policies see; nil for none.
  public var contextFeatures: FeatureSpecification?
  /// The number of runs of each learning policy.
  public var runs: Int
  /// The seed of the learning policies.
  public var seed: UInt64
  /// The estimators.
  public var estimators: [any OffPolicyEstimator]
  /// The methods of the estimates' intervals.
  public var intervals: [any IntervalMethod]
  /// The reward model of the estimators that use one.
  public var rewardModel: any RewardModel
  /// The features that the reward model sees.
  public var features: FeatureSpecification
  /// The number of folds of units, each of which is predicted by a model fitted without it; 1 for a single model.
  public var folds: Int
  /// How goals are credited to decisions.
  public var attribution: Attribution
  /// The groups of variants, for weights of groups.
  public var groups = VariantGroups()
  /// Whether values are estimated for each point and slot too.
  public var dividesSlots = false
  /// The index of the policy to which the others are compared; nil for none.
  public var versus: Int?
  /// The bootstrap whose replicates are kept for every estimator by terms; nil for none.
  public var bootstrap: BootstrapInterval?
  /// Whether values are estimated for periods of time too.
  public var divides = false

  /// Creates a plan.
  public init(
    policies: [any TargetPolicy], learningPolicies: [ReplayedPolicy] = [],
    contextFeatures: FeatureSpecification? = nil, runs: Int = 1, seed: UInt64 = 1,
    estimators: [any OffPolicyEstimator],
    intervals: [any IntervalMethod] = [], rewardModel: any RewardModel,
    features: FeatureSpecification = .standard, folds: Int = 1,
    attribution: Attribution = Attribution()
  ) {
    self.policies = policies
    self.learningPolicies = learningPolicies
    self.contextFeatures = contextFeatures
    (self.runs, self.seed) = (runs, seed)
    self.estimators = estimators
    self.intervals = intervals
    self.rewardModel = rewardModel
    self.features = features
    self.folds = folds
    self.attribution = attribution
  }

  /// The specification of the reward model.
  public var modelDescription: String { rewardModel.specification.description }

  /// The description of the reward model in a report.
  public var modelNote: String { rewardModel.note }

  /// Whether a reward model is fitted with all decisions counting the same.
  var needsSharedModel: Bool {
    policies.contains(where: \.needsModel)
      || estimators.contains { $0.rewardModel == .unweighted }
  }

  /// Whether a reward model sees features.
  var needsFeatures: Bool {
    type(of: rewardModel).usesFeatures
      && (needsSharedModel || estimators.contains { $0.rewardModel != .none })
  }

  /// Whether weights depend on decisions in similar situations.
  var needsShares: Bool {
    estimators.contains { $0.weights != .logged }
  }

  /// The attributes of the context by which the target policies choose, sorted.
  var targetAttributes: [String] { policies.flatMap(\.contextAttributes).distinctNames }

  /// The features of decisions that the target policies read.
  var targetSources: [FeatureSource] {
    policies.flatMap { policy in
      policy.contextAttributes.map { FeatureSource.context($0) }
        + policy.variantFeatures.map { FeatureSource.features($0) }
    }
  }

  /// Why the plan cannot be evaluated on parts of a log, with what to do instead; nil if it can.
  package var wholeLogReason: String? {
    if let policy = learningPolicies.first {
      return
        "leave out the learning policy \(policy.specification), which learns from decisions in the order of their "
        + "times across units, or evaluate it on the whole log"
    }
    let needsModel = needsSharedModel || estimators.contains { $0.rewardModel != .none }
    if needsModel, !type(of: rewardModel).fitsInParts {
      return
        "write --reward-model linear or --reward-model tabular, whose sums can be added up, in place of "
        + "\(modelDescription), which is fitted in several passes"
    }
    return nil
  }

  /// The selection with the attributes that the target policies read, and those of the features.
  func selection(_ selection: UnitSelection, experiment: UInt32?) -> UnitSelection {
    var selection = selection
    selection.experiments = experiment.map { [$0] } ?? []
    // Features that no model needs are read too: a name that no decision has is a mistake.
    var sources = targetSources + features.sources
    if !learningPolicies.isEmpty { sources += contextFeatures?.sources ?? [] }
    selection.read(sources)
    if estimators.contains(where: \.distinguishesLoggers) { selection.dimension = .policy }
    return selection
  }

  /// The events that are needed.
  var needs: UnitNeeds {
    // Logged probabilities tell which choices have support.
    attribution.metric.needs.union([.propensities, .situations, .probabilities])
  }

  /// Whether estimates depend on which unit made a decision or when, beyond which decisions are of one unit.
  var distinguishesUnits: Bool {
    folds > 1 || dividesSlots || divides || bootstrap != nil || !learningPolicies.isEmpty
      || intervals.contains(where: \.distinguishesUnits)
  }

  /// The events that are needed, and the hashes of units if they are.
  var needsOfUnits: UnitNeeds { distinguishesUnits ? needs.union(.hashes) : needs }
}

extension OffPolicyPlan {
  /// The most estimates and intervals by slot.
  static let mostBySlot = 10_000

  /// Throws if there are too many estimates by slot to keep in memory.
  func check(places: Int) throws(SpecificationError) {
    guard dividesSlots else { return }
    let estimates = places * policies.count * estimators.count * (1 + intervals.count)
    guard estimates > Self.mostBySlot else { return }
    throw SpecificationError(
      "\(places) slots, \(policies.count) policies, \(estimators.count) estimators and \(intervals.count) intervals "
        + "are too many estimates by slot; at most \(Self.mostBySlot) fit, so name fewer policies, estimators or "
        + "intervals, or leave out --per-slot")
  }
}

extension UnitSelection {
  /// Selects the attributes of the context and of variants among some sources of features, sorted by name.
  mutating func read(_ sources: [FeatureSource]) {
    var (attributes, features) = ([String](), [String]())
    for source in sources {
      switch source {
      case .context(let name): attributes.append(name)
      case .features(let name): features.append(name)
      case .variant, .slot: break
      }
    }
    contextAttributes = attributes.distinctNames
    variantFeatures = features.distinctNames
  }
}
