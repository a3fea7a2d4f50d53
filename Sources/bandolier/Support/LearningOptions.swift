import ArgumentParser
import Bandits
import Events
import Replay
import Specifications
import Statistics

/// The options of `learn`.
struct LearningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A class of policies: tabular, softmax-linear or tree, with parameters such as tree:depth=2; can be given more than once.",
      valueName: "class"), completion: .policyClass)
  var policyClass: [String] = []

  @Option(
    help: ArgumentHelp(
      "What the policy maximizes: ips, snips, dr or regression; can be given more than once (default: dr).",
      valueName: "objective"), completion: .cases(of: PolicyObjective.self))
  var objective: [String] = []

  @Option(
    help: ArgumentHelp(
      "The penalty of classes that do not name their lambda, such as 0.1; can be given more than once.",
      valueName: "lambda"))
  var lambda: [String] = []

  @Option(
    help: ArgumentHelp(
      "The features that the policy sees, such as one-hot(country)+standardized(age); can be given more than once (default: one-hot(slot)+one-hot(variant)).",
      valueName: "terms"))
  var features: [String] = []

  @Option(
    help: ArgumentHelp(
      "The reward model of dr and regression, such as tabular or linear:lambda=1.",
      valueName: "model"), completion: .rewardModel)
  var rewardModel = "tabular"

  @Option(
    help: ArgumentHelp(
      "The features that the reward model sees (default: one-hot(slot)+one-hot(variant)).",
      valueName: "terms"))
  var modelFeatures: String?

  @Option(
    help: ArgumentHelp(
      "The estimator by which policies are judged, see `bandolier estimators`.",
      valueName: "estimator"), completion: .estimator)
  var estimator = "dr"

  @Option(
    help: ArgumentHelp(
      "The method of intervals, such as normal, student-t or bootstrap:replicates=1000.",
      valueName: "method"), completion: .interval)
  var interval = "normal"

  @Option(
    help: ArgumentHelp(
      "The number of folds of units for cross-validation and the reward model, 2 to 20 (default: 5).",
      valueName: "K"), transform: OptionValue.positive)
  var folds = 5

  @Option(
    help: ArgumentHelp(
      "Hold out this share of the decisions, the latest (default: 0.2).", valueName: "share"),
    transform: OptionValue.number)
  var testShare: Double?

  @Option(
    help: ArgumentHelp("Hold out the decisions at this time or later.", valueName: "time"),
    transform: OptionValue.time)
  var testSince: Timestamp?

  @Option(
    help: ArgumentHelp(
      "Value the chosen policy also as an agent serves it that draws this share of its decisions with equal weights, such as 0.2; 0 for none (default: 0.1, an agent's controlShare).",
      valueName: "share"), transform: OptionValue.number)
  var controlShare = 0.1

  @OptionGroup var credit: RuleOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions

  func validate() throws {
    if testShare != nil, testSince != nil {
      throw ValidationError("--test-share and --test-since both say what is held out; give one")
    }
    if policyClass.isEmpty {
      throw ValidationError("name a policy class, such as --policy-class tree")
    }
  }

  /// Returns the plan of the options.
  func plan() throws -> LearningPlan {
    let held = testSince.map { LearningPlan.HeldPart.since($0.microseconds) }
    var plan = LearningPlan(
      try candidates(), estimator: try EstimatorCatalog.standard.named(estimator),
      interval: try IntervalCatalog.standard.named(interval),
      rewardModel: try RewardModelCatalog.standard.named(rewardModel),
      modelFeatures: try modelFeatures.map { try FeatureSpecification(parsing: $0) } ?? .standard,
      folds: folds, held: held ?? .share(testShare ?? 0.2),
      attribution: rules.attribution(rule: credit.attribution, standardWindow: nil))
    plan.askedFeatures = try features.map { try FeatureSpecification(parsing: $0) }
    plan.controlShare = controlShare
    try plan.check()
    return plan
  }

  /// Returns the grid: by class, then objective, penalty and features. A class without features has one list of them, and
  /// each candidate occurs once.
  private func candidates() throws -> [LearningPlan.Candidate] {
    let lists =
      try features.isEmpty
      ? [FeatureSpecification.standard] : features.map { try FeatureSpecification(parsing: $0) }
    var candidates: [LearningPlan.Candidate] = []
    for learner in try learners() {
      let usesFeatures = type(of: learner).usesFeatures
      for list in usesFeatures ? lists : [try FeatureSpecification(parsing: "")] {
        let isNew = !candidates.contains {
          $0.learner.specification == learner.specification && $0.features == list
        }
        if isNew { candidates.append(LearningPlan.Candidate(learner, features: list)) }
      }
    }
    return candidates
  }

  private func learners() throws -> [any PolicyLearner] {
    var learners: [any PolicyLearner] = []
    for text in policyClass {
      for objective in objective.isEmpty ? ["dr"] : objective {
        for lambda in lambda.isEmpty ? [nil] : lambda.map(Optional.some) {
          var specification = try Specification(parsing: text)
          specification.add("objective", objective)
          if let lambda { specification.add("lambda", lambda) }
          learners.append(try PolicyLearnerCatalog.standard.named(specification.description))
        }
      }
    }
    return learners
  }
}

extension Specification {
  /// Adds a parameter unless it was given.
  fileprivate mutating func add(_ key: String, _ value: String) {
    if self[key] == nil { parameters.append(Parameter(key: key, value: value)) }
  }
}
