import ArgumentParser
import Replay
import Reports
import Statistics

/// The options of a comparison of variants.
struct ComparisonPlanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      welch, pooled, z; of 0/1 metrics pooled-z, unpooled-z, chi-squared, yates, fisher, newcombe, agresti-caffo, \
      miettinen-nurminen, beta-binomial; mann-whitney, bootstrap; bayes, bayes-lift; at every look msprt, scaled-msprt, \
      asymptotic-cs, group-sequential.
      """, valueName: "method"))
  var method: ComparisonMethod = .welch

  @Option(
    help: ArgumentHelp(
      """
      Interval of the lift; auto is the one that agrees with the method's test. The others are those of other tools, with \
      the boundary of a sequential method and on the side of --alternative.
      """,
      valueName: "method"))
  var liftMethod: LiftMethod = .auto

  @Option(
    help: ArgumentHelp("Alternative hypothesis.", valueName: "side"))
  var alternative: Alternative = .twoSided

  @Option(
    help: ArgumentHelp(
      "Significance level of tests; intervals have the confidence level 1 - alpha (default: 0.05).",
      valueName: "level"),
    transform: OptionValue.number)
  var alpha = 0.05

  @Option(
    help: ArgumentHelp(
      "Multiple-testing correction of the p-values of all rows; refused for a method without p-values.",
      valueName: "method"))
  var correction = CorrectionArgument()

  @Option(
    help: ArgumentHelp(
      "Reduce variance (CUPED) by the same metric, or ratio, in a period before the first exposure, such as 14d; 14 is 14 days.",
      valueName: "duration"), transform: OptionValue.duration)
  var cuped: Int64?

  @Option(help: ArgumentHelp("Slope of --cuped (default: pooled).", valueName: "kind"))
  var theta: CupedTheta?

  @Option(
    help: ArgumentHelp(
      "Post-stratify: combine the differences within each value of a dimension, such as context.country.",
      valueName: "dimension"), completion: .dimension,
    transform: OptionValue.dimension)
  var postStratify: Dimension?

  @Option(
    help: ArgumentHelp(
      "Non-inferiority margin, in units of the metric: test that the variant is not worse by more than this.",
      valueName: "value"),
    transform: OptionValue.number)
  var margin: Double?

  @Option(
    help: ArgumentHelp(
      """
      Intended shares of the variants, such as A=70%,B=30%, or none for no sample ratio test (default: the logged \
      propensities, otherwise equal shares of the choices).
      """,
      valueName: "shares"),
    transform: Self.shares)
  var expect: [String: Double]?

  @Option(
    help: ArgumentHelp(
      "Normal prior of bayes, in units of the metric, and of bayes-lift, in shares of the mean: mean and standard deviation, such as 0,0.1 (default: flat).",
      valueName: "prior"),
    transform: Self.prior)
  var prior: ComparisonPlan.Prior?

  @Option(
    help: ArgumentHelp(
      "Mixing variance of msprt: the variance of the effects to detect.", valueName: "variance"),
    transform: OptionValue.number)
  var mixingVariance: Double?

  @Option(
    help: ArgumentHelp(
      "Total units at which asymptotic-cs is tightest (default: 5000).", valueName: "count"),
    transform: OptionValue.number)
  var tightestAt: Double?

  @Option(
    help: ArgumentHelp("Look of group-sequential, such as 3/5.", valueName: "look"),
    transform: Self.look)
  var look: ComparisonPlan.Looks?

  @Option(
    help: ArgumentHelp(
      "Alpha-spending function of group-sequential: lan-obf, lan-pocock or power=P (default: lan-obf).",
      valueName: "rule"), completion: .forms(Self.spendings),
    transform: Self.spending)
  var spending: (GroupSequential.Spending, String)?

  @Option(
    help: ArgumentHelp("Replicates of the bootstrap (default: 1000).", valueName: "count"),
    transform: OptionValue.integer)
  var replicates: Int?

  @Option(
    help: ArgumentHelp("Seed of the bootstrap (default: 0).", valueName: "seed"),
    transform: OptionValue.integer)
  var seed: UInt64?

  func validate() throws {
    if spending != nil, look == nil { throw ValidationError("--spending needs --look") }
    if theta != nil, cuped == nil { throw ValidationError("--theta needs --cuped") }
  }

  /// Creates the plan.
  var plan: ComparisonPlan {
    var plan = ComparisonPlan()
    plan.method = method
    plan.lift = liftMethod
    plan.alternative = alternative
    plan.alpha = alpha
    plan.correction = correction.multiplicity
    plan.margin = margin
    plan.covariate = cuped.map { .init(period: $0, theta: theta ?? .pooled) }
    plan.expectedShares = expect ?? [:]
    plan.testsSampleRatio = expect?.isEmpty != true
    plan.prior = prior
    plan.mixingVariance = mixingVariance
    plan.tightestAt = tightestAt
    plan.looks = look
    if let (spending, name) = spending {
      plan.looks?.spending = spending
      plan.looks?.spendingName = name
    }
    if replicates != nil || seed != nil {
      plan.resampling = .init(replicates: replicates ?? 1_000, seed: seed ?? 0)
    }
    return plan
  }
}
