internal import Replay
internal import Specifications
internal import Statistics

extension ComparisonReport {
  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.metrics(\.measures)
    Option.crossing(\.measures.attribution.crossing)
    Option.attribution(\.measures.attribution)
    Option.baseline(\.plan.baseline)
    Option.choice(
      "method", \.plan.method, "method",
      """
      welch, pooled, z; of 0/1 metrics pooled-z, unpooled-z, chi-squared, yates, fisher, newcombe, agresti-caffo, \
      miettinen-nurminen, beta-binomial; mann-whitney, bootstrap; bayes, bayes-lift; at every look msprt, \
      scaled-msprt, asymptotic-cs, group-sequential.
      """
    ).grouped(.statistics)
    Option.choice(
      "lift-method", \.plan.lift, "method",
      """
      Interval of the lift; auto is the one that agrees with the method's test. The others are those of other tools, \
      with the boundary of a sequential method and on the side of --alternative.
      """
    ).grouped(.statistics)
    Option.choice("alternative", \.plan.alternative, "side", "Alternative hypothesis.").grouped(.statistics)
    Option.number(
      "alpha", \.plan.alpha, "level",
      "Significance level of tests; intervals have the confidence level 1 - alpha (default: 0.05)."
    ).grouped(.statistics)
    Option.value(
      "correction", "method",
      "Multiple-testing correction of the p-values of all rows; refused for a method without p-values.",
      correction
    ) { $0.plan.correction = $1 }.with {
      $0.words = ["none"] + Multiplicity.allCases.map(\.rawValue)
      $0.standard = "none"
    }.grouped(.statistics)
    Option.value(
      "cuped", "duration",
      "Reduce variance (CUPED) by the same metric, or ratio, in a period before the first exposure, such as 14d; 14 "
        + "is 14 days; none for no covariate (default: what the metric says).",
      OptionValue.window
    ) {
      $0.plan.covariate = $1.map { .init(period: $0) }
      $0.plan.usesCovariatesOfMetrics = $1 != nil
    }.grouped(.statistics)
    Option.choice("theta", \.slope, "kind", "Slope of --cuped (default: pooled).")
      .with { $0.needs = ["cuped"] }.grouped(.statistics)
    Option.value(
      "post-stratify", \.strata, "dimension",
      "Post-stratify: combine the differences within each value of a dimension, such as context.country.",
      { try OptionValue.dimension($0) }
    ).with {
      $0.offers = { OptionInfo.starts(of: Dimension.forms) }
      $0.needsLog = true
    }.grouped(.statistics)
    Option.value(
      "margin", \.plan.margin, "value",
      "Non-inferiority margin, in units of the metric (of a share also 0.5pp; margins of files are parts of the mean): "
        + "test that the variant is not worse by more than this.", kind: .number
    ) { try OptionValue.amount($0) }.grouped(.statistics)
    Option.value(
      "expect", "shares",
      """
      Intended shares of the variants, such as A=70%,B=30%, or none for no sample ratio test (default: the logged \
      propensities, otherwise equal shares of the choices).
      """, shares
    ) {
      $0.plan.expectedShares = $1
      $0.plan.testsSampleRatio = !$1.isEmpty
    }.grouped(.statistics)
    Option.value(
      "prior", \.plan.prior, "prior",
      "Normal prior of bayes, in units of the metric, and of bayes-lift, in shares of the mean: mean and standard "
        + "deviation, such as 0,0.1 (default: flat).",
      prior
    ).grouped(.statistics)
    Option.number(
      "mixing-variance", \.plan.mixingVariance, "variance",
      "Mixing variance of msprt: the variance of the effects to detect."
    ).grouped(.statistics)
    Option.number(
      "tightest-at", \.plan.tightestAt, "count",
      "Total units at which asymptotic-cs is tightest (default: 5000)."
    ).grouped(.statistics)
    Option.value(
      "look", \.plan.looks, "look", "Look of group-sequential, such as 3/5.", look
    ).grouped(.statistics)
    Option.value(
      "spending", "rule",
      "Alpha-spending function of group-sequential: lan-obf, lan-pocock or power=P (default: lan-obf).",
      { try GroupSequential.Spending(named: $0) }
    ) {
      $0.plan.looks?.spending = $1
    }.with {
      $0.offers = { OptionInfo.starts(of: GroupSequential.Spending.forms) }
      $0.needs = ["look"]
    }.grouped(.statistics)
    Option.integer(
      "replicates", \.resampling.replicates, "count",
      "Replicates of the bootstrap (default: 1000)."
    ).grouped(.statistics)
    Option.integer("seed", \.resampling.seed, "seed", "Seed of the bootstrap (default: 0).").grouped(.statistics)
  }

  /// The slope of the covariate, where there is one.
  private var slope: CupedTheta? {
    get { plan.covariate?.theta }
    set { if let newValue { plan.covariate?.theta = newValue } }
  }

  /// The resampling, of which there is none until one of its options is given.
  private var resampling: MetricProjector.Bootstrap {
    get { plan.resampling ?? .init(replicates: 1_000, seed: 0) }
    set { plan.resampling = newValue }
  }

  /// Parses shares of variants, such as A=0.7,B=0.3, or `none`, which is returned as no shares.
  @Sendable
  private static func shares(_ text: String) throws(OptionError) -> [String: Double] {
    guard text != "none" else { return [:] }
    let shares = ExpectedShares.parse(text) ?? []
    let byName = Dictionary(shares.map { ($0.name, $0.weight) }, uniquingKeysWith: { $1 })
    guard !byName.isEmpty, byName.count == shares.count else {
      throw OptionError(
        "\"\(text)\" does not give shares; write VARIANT=SHARE,VARIANT=SHARE with each variant once and "
          + "percentages that add up to 100 %, or none")
    }
    return byName
  }

  /// Parses a correction, or `none`.
  @Sendable
  private static func correction(_ text: String) throws(OptionError) -> Multiplicity? {
    text == "none" ? nil : try OptionValue.choice(text, or: "none")
  }

  /// Parses a normal prior, MEAN,SD.
  @Sendable
  private static func prior(_ text: String) throws(OptionError) -> ComparisonPlan.Prior? {
    let numbers = WrittenValue.elements(text).compactMap { WrittenValue.number($0) }
    guard numbers.count == 2, WrittenValue.elements(text).count == 2 else {
      throw OptionError(
        "\"\(text)\" is not a prior; write its mean and standard deviation, such as 0,0.1")
    }
    return .init(mean: numbers[0], standardDeviation: numbers[1])
  }

  /// Parses an interim look and the number of looks, such as 3/5.
  @Sendable
  private static func look(_ text: String) throws(OptionError) -> ComparisonPlan.Looks? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let look = Int(parts[0]), let count = Int(parts[1]) else {
      throw OptionError(
        "\"\(text)\" is not a look; write its number and that of all looks, such as 3/5")
    }
    return .init(count: count, look: look)
  }
}
