internal import Bandits
internal import Replay
internal import Reports
internal import Specifications
internal import Statistics

// Reports of variants and their rewards.
extension RequestedReport {
  func rewards() throws -> RewardReport {
    try RewardReport(
      attribution: attribution(rule: attributionRule()),
      per: query.choice("per") ?? .decision, level: level())
  }

  func comparison() throws -> ComparisonReport {
    var plan = ComparisonPlan()
    plan.baseline = try query.text("baseline")
    plan.method = try query.choice("method") ?? plan.method
    plan.lift = try query.choice("lift-method") ?? plan.lift
    plan.alternative = try query.choice("alternative") ?? plan.alternative
    plan.alpha = try query.number("alpha") ?? plan.alpha
    if let text = try query.text("correction"), text != "none" {
      guard let correction = Multiplicity(rawValue: text) else {
        throw ReportQuery.problem(
          "correction",
          "has an "
            + NearestName.unknown(
              "value", text, among: ["none"] + Multiplicity.allCases.map(\.rawValue)))
      }
      plan.correction = correction
    }
    let theta: CupedTheta? = try query.choice("theta")
    plan.covariate = try query.duration("cuped").map {
      .init(period: $0, theta: theta ?? .pooled)
    }
    guard theta == nil || plan.covariate != nil else {
      throw ReportQuery.problem("theta", "is the slope of cuped; give cuped too, such as 14d")
    }
    plan.margin = try query.number("margin")
    try takeShares(&plan)
    let replicates: Int? = try query.integer("replicates")
    let seed: UInt64? = try query.integer("seed")
    if replicates != nil || seed != nil {
      plan.resampling = .init(replicates: replicates ?? 1_000, seed: seed ?? 0)
    }
    return try ComparisonReport(
      metrics(), plan: plan, strata: query.dimension("post-stratify"))
  }

  /// Reads the intended shares of the variants.
  private func takeShares(_ plan: inout ComparisonPlan) throws {
    guard let text = try query.text("expect") else { return }
    guard text != "none" else { return plan.testsSampleRatio = false }
    let shares = ExpectedShares.parse(text) ?? []
    plan.expectedShares = Dictionary(
      shares.map { ($0.name, $0.weight) }, uniquingKeysWith: { $1 })
    guard !shares.isEmpty, plan.expectedShares.count == shares.count else {
      throw ReportQuery.problem(
        "expect",
        "is \(text.debugDescription); write VARIANT=SHARE,VARIANT=SHARE with each variant once, or none"
      )
    }
  }

  /// The analysis file is given as text.
  func decisions() throws -> DecisionReport {
    guard let yaml = try query.text("analysis") else {
      throw ReportQuery.problem(
        "analysis", "is missing; give the text of an analysis file, which says which metric decides"
      )
    }
    return DecisionReport(try AnalysisPlan(yaml: yaml, path: "analysis"))
  }

  func regret() throws -> RegretReport {
    try RegretReport(
      rules: RegretRules(
        attribution(rule: attributionRule()), means: query.choice("means") ?? .plain,
        level: level()),
      decomposes: query.flag("decompose"))
  }

  func adaptive() throws -> AdaptiveReport {
    try AdaptiveReport(
      plan: AdaptivePlan(
        attribution(rule: attributionRule()), allocation: query.choice("weighting") ?? .constant,
        baseline: query.text("baseline"), level: level()))
  }

  func power() throws -> PowerReport {
    var plan = PowerPlan()
    plan.method = try query.choice("method")
    plan.power = try query.number("power") ?? plan.power
    plan.alpha = try query.number("alpha") ?? plan.alpha
    plan.lift = try query.number("lift") ?? plan.lift
    plan.baseline = try query.text("baseline")
    return try PowerReport(metrics(), plan: plan)
  }

  /// Policies, estimators and intervals as the command has them, except for those that read files.
  func evaluation() throws -> EvaluationReport {
    let texts = query.texts("policy")
    guard !texts.isEmpty else {
      throw ReportQuery.problem("policy", "is missing; name a policy to evaluate, such as uniform")
    }
    let noFiles = { (path: String) throws(SpecificationError) -> String in
      throw SpecificationError(
        "\(path.debugDescription) is a file; the service reads none: use the command for this policy"
      )
    }
    let policies = try EvaluatedPolicies(parsing: texts, files: noFiles)
    let estimators = query.texts("estimator")
    let intervals = query.texts("interval")
    let plan = try OffPolicyPlan(
      policies: policies.targets, learningPolicies: policies.learning,
      runs: query.integer("runs") ?? 1, seed: query.integer("seed") ?? 1,
      estimators: (estimators.isEmpty ? ["ips", "snips", "dm", "dr"] : estimators)
        .map { try EstimatorCatalog.standard.named($0) },
      intervals: (intervals.isEmpty ? ["normal"] : intervals)
        .map { try IntervalCatalog.standard.named($0) },
      rewardModel: RewardModelCatalog.standard.named(query.text("reward-model") ?? "tabular"),
      folds: query.integer("folds") ?? 1, attribution: attribution(rule: attributionRule()))
    return try EvaluationReport(plan: plan, level: level(), table: query.choice("table"))
  }
}
