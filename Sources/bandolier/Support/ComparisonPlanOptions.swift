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
    help: ArgumentHelp("Level of tests, 1 less the coverage of intervals.", valueName: "level"))
  var alpha = 0.05

  @Option(
    help: ArgumentHelp(
      "Adjust p-values over all rows: none, bonferroni, holm, hochberg, hommel, bh or by.",
      valueName: "method"))
  var correction = CorrectionArgument(multiplicity: nil)

  @Option(
    help: ArgumentHelp(
      "Reduce variance by the same metric in that long before the first exposure.",
      valueName: "duration"))
  var cuped: DurationArgument?

  @Option(help: ArgumentHelp("Slope of --cuped: pooled or within-groups.", valueName: "kind"))
  var theta: CupedTheta = .pooled

  @Option(
    help: ArgumentHelp("Put differences within a dimension together.", valueName: "dimension"))
  var postStratify: Dimension?

  @Option(
    help: ArgumentHelp(
      "Test that no more than this is lost, in units of the metric.", valueName: "value"))
  var margin: Double?

  @Option(
    help: ArgumentHelp(
      """
      Shares that variants were meant to have, such as A=0.7;B=0.3, or none for no test (default: the logged \
      propensities, else equal shares).
      """,
      valueName: "shares"))
  var expect: SharesArgument?

  @Option(
    help: ArgumentHelp(
      "Normal prior of bayes and bayes-lift, 'MEAN;SD' (flat).", valueName: "prior"))
  var prior: PriorArgument?

  @Option(
    help: ArgumentHelp("Variance of the effects that msprt looks for.", valueName: "variance"))
  var mixingVariance: Double?

  @Option(
    help: ArgumentHelp("Total units at which asymptotic-cs is tightest (5000).", valueName: "count")
  )
  var tightestAt: Double?

  @Option(help: ArgumentHelp("Look of group-sequential, such as 3/5.", valueName: "look"))
  var look: LookArgument?

  @Option(
    help: ArgumentHelp(
      "How group-sequential spends its level: lan-obf, lan-pocock or power=P.", valueName: "rule"))
  var spending: SpendingArgument?

  @Option(help: ArgumentHelp("Replicates of bootstrap (1000).", valueName: "count"))
  var replicates: Int?

  @Option(help: ArgumentHelp("What bootstrap draws from (0).", valueName: "seed"))
  var seed: UInt64?

  func validate() throws {
    guard alpha > 0, alpha < 1, 1 - alpha < 1 else {
      throw ValidationError("--alpha must be between 0 and 1, such as 0.05")
    }
    if alternative != .twoSided && !method.hasSides {
      throw ValidationError("--alternative: \(method.rawValue) has two sides only")
    }
    try validateMargin()
    try validateExtras()
  }

  private func validateMargin() throws {
    guard let margin else { return }
    guard margin >= 0, margin.isFinite else { throw ValidationError("--margin must be at least 0") }
    if method != .welch || alternative != .twoSided {
      throw ValidationError(
        "--margin is a one-sided Welch test; leave --method and --alternative out")
    }
  }

  /// Rejects options that apply to another method only, instead of ignoring them.
  private func validateExtras() throws {
    try require(
      cuped == nil || method.takesCovariate, "--cuped does not go with \(method.rawValue)")
    try require(cuped?.microseconds != 0, "--cuped must be longer than nothing")
    try require(prior == nil || method == .bayes || method == .bayesLift, "--prior is for bayes")
    try require(
      (mixingVariance != nil) == (method == .msprt), "msprt and --mixing-variance go together")
    try require(
      mixingVariance.map { $0 > 0 && $0.isFinite } ?? true, "--mixing-variance must be above 0")
    try require(tightestAt == nil || method == .asymptoticCS, "--tightest-at is for asymptotic-cs")
    try require(
      tightestAt.map { $0 >= 1 && $0.isFinite } ?? true, "--tightest-at must be at least 1")
    try require(
      (look != nil) == (method == .groupSequential), "group-sequential and --look go together")
    try require(
      replicates == nil && seed == nil || method == .bootstrap,
      "--replicates and --seed are for bootstrap")
    try require(
      replicates.map { (10...100_000).contains($0) } ?? true,
      "--replicates must be from 10 to 100000")
    try require(spending == nil || method == .groupSequential, "--spending is for group-sequential")
  }

  private func require(_ condition: Bool, _ message: String) throws {
    if !condition { throw ValidationError(message) }
  }

  /// Creates the plan.
  func plan() throws -> ComparisonPlan {
    var plan = ComparisonPlan()
    plan.method = method
    plan.lift = liftMethod
    plan.alternative = alternative
    plan.alpha = alpha
    plan.correction = correction.multiplicity
    plan.margin = margin
    plan.covariate = cuped.map { .init(period: $0.microseconds, theta: theta) }
    plan.isPostStratified = postStratify != nil
    plan.expectedShares = expect?.shares ?? [:]
    plan.testsSampleRatio = expect.map { !$0.shares.isEmpty } ?? true
    plan.prior = prior?.prior
    plan.resampling = .init(replicates: replicates ?? 1_000, seed: seed ?? 0)
    if let mixingVariance { plan.mixingVariance = mixingVariance }
    if let tightestAt { plan.tightestAt = tightestAt }
    if let look {
      let spending = spending ?? SpendingArgument(spending: .obrienFleming, name: "lan-obf")
      plan.looks = .init(
        count: look.count, look: look.look, spending: spending.spending,
        spendingName: spending.name)
    }
    return plan
  }
}

/// A multiplicity correction of p-values, or `none`.
struct CorrectionArgument: ExpressibleByArgument {
  /// Nil for none.
  var multiplicity: Multiplicity?

  init(multiplicity: Multiplicity?) { self.multiplicity = multiplicity }

  init?(argument: String) {
    guard argument != "none" else { return }
    guard let multiplicity = Multiplicity(rawValue: argument) else { return nil }
    self.multiplicity = multiplicity
  }

  var defaultValueDescription: String { "none" }
}

/// Shares of variants, such as A=0.7;B=0.3, or `none`.
struct SharesArgument: ExpressibleByArgument {
  /// Empty for none.
  var shares: [String: Double] = [:]

  init?(argument: String) {
    if argument == "none" { return }
    for part in argument.split(separator: ";", omittingEmptySubsequences: false) {
      // A name can contain an equals sign, a number cannot.
      guard let sign = part.lastIndex(of: "="), sign != part.startIndex,
        let share = Double(part[part.index(after: sign)...]), share >= 0, share.isFinite,
        shares.updateValue(share, forKey: String(part[..<sign])) == nil
      else { return nil }
    }
    guard shares.values.filter({ $0 > 0 }).count > 1,
      shares.values.reduce(0, +).isFinite
    else { return nil }
  }
}

/// A normal prior as MEAN;SD.
struct PriorArgument: ExpressibleByArgument {
  var prior: ComparisonPlan.Prior

  init?(argument: String) {
    let parts = argument.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 2, let mean = Double(parts[0]), let deviation = Double(parts[1]),
      mean.isFinite, deviation > 0, deviation.isFinite
    else { return nil }
    prior = .init(mean: mean, standardDeviation: deviation)
  }
}

/// An interim look and the number of looks, such as 3/5.
struct LookArgument: ExpressibleByArgument {
  var look: Int
  var count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let look = Int(parts[0]), let count = Int(parts[1]),
      (1...50).contains(count), (1...count).contains(look)
    else { return nil }
    (self.look, self.count) = (look, count)
  }
}

/// The spending function of a group sequential test.
struct SpendingArgument: ExpressibleByArgument {
  var spending: GroupSequential.Spending
  var name: String

  init(spending: GroupSequential.Spending, name: String) {
    (self.spending, self.name) = (spending, name)
  }

  init?(argument: String) {
    name = argument
    switch argument {
    case "lan-obf": spending = .obrienFleming
    case "lan-pocock": spending = .pocock
    default:
      guard argument.hasPrefix("power="), let power = Double(argument.dropFirst(6)),
        power > 0, power <= 10
      else { return nil }
      spending = .power(power)
    }
  }
}
