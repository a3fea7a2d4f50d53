internal import Bandits
internal import Events
internal import OffPolicy
internal import Replay
internal import Specifications

extension LearningReport {
  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    gridOptions
    judgingOptions
    Option.rewardMetric(\.plan.attribution)
    Option.rule(\.plan.attribution.rule)
    Option.level(\.level)
    Option.attribution(\.plan.attribution)
  }

  @OptionsBuilder<Self>
  private static var gridOptions: [ReportOption<Self>] {
    Option.repeated(
      "policy-class", \.grid.classes, "class",
      "A class of policies: tabular, softmax-linear or tree, with parameters such as tree:depth=2; can be given more "
        + "than once."
    ) { $0 }.with { $0.offers = { PolicyLearnerCatalog.standard.all.map(\.name) } }
    Option.repeated(
      "objective", \.grid.objectives, "objective",
      "What the policy maximizes: ips, snips, dr or regression; can be given more than once (default: dr)."
    ) { $0 }.with { $0.offers = { PolicyObjective.allCases.map(\.rawValue) } }
    Option.repeated(
      "lambda", \.grid.lambdas, "lambda",
      "The penalty of classes that do not name their lambda, such as 0.1; can be given more than once."
    ) { $0 }
    Option.repeated(
      "features", \.plan.askedFeatures, "terms",
      "The features that the policy sees, such as one-hot(country)+standardized(age); can be given more than once "
        + "(default: one-hot(slot)+one-hot(variant)).",
      { try FeatureSpecification(parsing: $0) })
  }

  @OptionsBuilder<Self>
  private static var judgingOptions: [ReportOption<Self>] {
    Option.value(
      "reward-model", \.plan.rewardModel, "model",
      "The reward model of dr and regression, such as tabular or linear:lambda=1 (default: tabular).",
      { try RewardModelCatalog.standard.named($0) }
    ).with { $0.offers = { RewardModelCatalog.standard.all.map(\.name) } }.grouped(.statistics)
    Option.value(
      "model-features", \.plan.modelFeatures, "terms",
      "The features that the reward model sees (default: one-hot(slot)+one-hot(variant)).",
      { try FeatureSpecification(parsing: $0) }
    ).grouped(.statistics)
    Option.value(
      "estimator", \.plan.estimator, "estimator",
      "The estimator by which policies are judged, see `bandolier estimators` (default: dr).",
      { try EstimatorCatalog.standard.named($0) }
    ).with { $0.offers = { EstimatorCatalog.standard.all.map(\.name) } }.grouped(.statistics)
    Option.value(
      "interval", \.plan.interval, "method",
      "The method of intervals, such as normal, student-t or bootstrap:replicates=1000 (default: normal).",
      { try IntervalCatalog.standard.named($0) }
    ).with { $0.offers = { IntervalCatalog.standard.all.map(\.name) } }.grouped(.statistics)
    Option.value(
      "folds", \.plan.folds, "K",
      "The number of folds of units for cross-validation and the reward model, 2 to 20 (default: 5).",
      kind: .integer, OptionValue.positive
    ).grouped(.statistics)
    Option.value(
      "test-share", "share",
      "Hold out this share of the decisions, the latest (default: 0.2).", kind: .number,
      OptionValue.number
    ) { $0.plan.held = .share($1) }.with { $0.excludes = ["test-since"] }.grouped(.statistics)
    Option.time("test-since", "Hold out the decisions at this time or later.") {
      $0.plan.held = .since($1.microseconds)
    }.grouped(.statistics)
    Option.number(
      "control-share", \.plan.controlShare, "share",
      "Value the chosen policy also as an agent serves it that draws this share of its decisions with equal weights, "
        + "such as 0.2; 0 for none (default: 0.1, an agent's controlShare)."
    )
  }
}

/// The settings whose combinations are the candidates of learning.
struct LearningGrid: Sendable {
  /// Classes of policies, with their parameters.
  var classes: [String] = []
  /// The objective of policies; empty for dr.
  var objectives: [String] = []
  /// The penalties of classes that do not name their own.
  var lambdas: [String] = []

  /// Returns the candidates: by class, then objective, penalty and features. A class without features has one list of
  /// them, and each candidate occurs once.
  func candidates(
    _ features: [FeatureSpecification]
  ) throws(SpecificationError) -> [LearningPlan.Candidate] {
    let none = try FeatureSpecification(parsing: "")
    var candidates: [LearningPlan.Candidate] = []
    for learner in try learners() {
      let usesFeatures = type(of: learner).usesFeatures
      for list in usesFeatures ? (features.isEmpty ? [.standard] : features) : [none] {
        let isNew = !candidates.contains {
          $0.learner.specification == learner.specification && $0.features == list
        }
        if isNew { candidates.append(LearningPlan.Candidate(learner, features: list)) }
      }
    }
    return candidates
  }

  private func learners() throws(SpecificationError) -> [any PolicyLearner] {
    var learners: [any PolicyLearner] = []
    for text in classes {
      for objective in objectives.isEmpty ? ["dr"] : objectives {
        for lambda in lambdas.isEmpty ? [nil] : lambdas.map(Optional.some) {
          var specification = try Specification(parsing: text)
          specification.add("objective", objective)
          let isOption = lambda != nil && specification["lambda"] == nil
          if let lambda { specification.add("lambda", lambda) }
          do {
            learners.append(try PolicyLearnerCatalog.standard.named(specification.description))
          } catch {
            let isOfOption = isOption && error.description.hasPrefix("lambda=")
            throw isOfOption ? SpecificationError("lambda: \(error)") : error
          }
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
