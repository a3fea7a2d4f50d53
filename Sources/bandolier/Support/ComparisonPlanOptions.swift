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
      Interval of the lift: auto (the one that agrees with the method's test), delta, delta-z, log, log-z, fieller, \
      ratio-log or ratio-score.
      """,
      valueName: "method"))
  var liftMethod: LiftMethod = .auto

  @Option(help: ArgumentHelp("two-sided, greater or less.", valueName: "side"))
  var alternative: Alternative = .twoSided

  @Option(
    help: ArgumentHelp("Level of tests, 1 less the coverage of intervals.", valueName: "level"),
    transform: OptionValue.number)
  var alpha = 0.05

  @Option(
    help: ArgumentHelp(
      "Adjust p-values over all rows: none, bonferroni, holm, hochberg, hommel, bh or by.",
      valueName: "method"))
  var correction = CorrectionArgument()

  @Option(
    help: ArgumentHelp(
      "Reduce variance by the same metric in that long before the first exposure.",
      valueName: "duration"), transform: OptionValue.duration)
  var cuped: Int64?

  @Option(help: ArgumentHelp("Slope of --cuped: pooled or within-groups.", valueName: "kind"))
  var theta: CupedTheta = .pooled

  @Option(
    help: ArgumentHelp("Put differences within a dimension together.", valueName: "dimension"),
    transform: OptionValue.dimension)
  var postStratify: Dimension?

  @Option(
    help: ArgumentHelp(
      "Test that no more than this is lost, in units of the metric.", valueName: "value"),
    transform: OptionValue.number)
  var margin: Double?

  @Option(
    help: ArgumentHelp(
      """
      Shares that variants were meant to have, such as A=70%,B=30%, or none for no test (default: the logged \
      propensities, else equal shares).
      """,
      valueName: "shares"),
    transform: Self.shares)
  var expect: [String: Double]?

  @Option(
    help: ArgumentHelp(
      "Normal prior of bayes and bayes-lift, MEAN,SD (default: flat).", valueName: "prior"),
    transform: Self.prior)
  var prior: ComparisonPlan.Prior?

  @Option(
    help: ArgumentHelp("Variance of the effects that msprt looks for.", valueName: "variance"),
    transform: OptionValue.number)
  var mixingVariance: Double?

  @Option(
    help: ArgumentHelp(
      "Total units at which asymptotic-cs is tightest (5000).", valueName: "count"),
    transform: OptionValue.number)
  var tightestAt: Double?

  @Option(
    help: ArgumentHelp("Look of group-sequential, such as 3/5.", valueName: "look"),
    transform: Self.look)
  var look: ComparisonPlan.Looks?

  @Option(
    help: ArgumentHelp(
      "How group-sequential spends its level: lan-obf, lan-pocock or power=P.", valueName: "rule"),
    transform: Self.spending)
  var spending: (GroupSequential.Spending, String)?

  @Option(
    help: ArgumentHelp("Replicates of bootstrap (1000).", valueName: "count"),
    transform: OptionValue.integer)
  var replicates: Int?

  @Option(
    help: ArgumentHelp("What bootstrap draws from (0).", valueName: "seed"),
    transform: OptionValue.integer)
  var seed: UInt64?

  func validate() throws {
    if spending != nil, look == nil { throw ValidationError("--spending needs --look") }
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
    plan.covariate = cuped.map { .init(period: $0, theta: theta) }
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
