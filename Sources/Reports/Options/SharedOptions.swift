public import Prediction
public import Replay
internal import Specifications
internal import Statistics

// The options that several reports have.

extension ReportOption {
  /// The significance level of intervals.
  public static func level(_ path: any OptionPath<Made, Double>) -> Self {
    value(
      "alpha", "level",
      "Significance level; intervals have the confidence level 1 - alpha (default: 0.05).",
      kind: .number, OptionValue.number
    ) { $0[keyPath: path] = 1 - $1 }.grouped(.statistics)
  }

  /// The attribution rule.
  public static func rule(_ path: any OptionPath<Made, Attribution.Rule>) -> Self {
    choice(
      "attribution", path, "rule",
      "Attribution rule: which of several eligible decisions a goal is credited to."
    ).grouped(.attribution)
  }

  /// Returns the options of what makes up the reward of a decision, such as revenue:goal=order.
  public static func rewardMetric(_ path: any OptionPath<Made, Attribution>) -> [Self] {
    let metric = Self(
      OptionInfo(
        "metric", .single, "metric",
        OptionInfo.metricHelp(
          "What a decision earns", RewardMetric.forms, "; or a name of --metrics (default: reward)"))
    ) { made, texts, files in
      made[keyPath: path] = made[keyPath: path].measuring(
        try OptionValue.rewardMetric(texts[texts.count - 1], files))
    }
    .with { $0.offers = { OptionInfo.starts(of: RewardMetric.forms) } }
    return [metricFile, metric]
  }

  /// The file of named metrics.
  public static var metricFile: Self {
    value(
      GivenOptions.metricFile, "file",
      "File of named metrics (YAML), which --metric or an analysis file names; see `bandolier help metrics`.", { $0 }
    ) { _, _ in }
    .with {
      $0.completion = .file(["yaml", "yml"])
      $0.isOfCommand = true
    }
  }

  /// How units exposed to several variants are handled.
  public static func crossing(_ path: any OptionPath<Made, Attribution.Crossing>) -> Self {
    value(
      "crossing", "rule",
      "Units exposed to several variants at one point and slot: drop them, or count them for the first one.",
      { try OptionValue.choice($0) as Attribution.Crossing }, set: { $0[keyPath: path] = $1 }
    ).among(Attribution.Crossing.self, standard: .drop).grouped(.attribution)
  }

  /// The variant that others are compared with.
  public static func baseline(_ path: any OptionPath<Made, String?>, _ help: String? = nil) -> Self {
    text(
      "baseline", path, "variant",
      help
        ?? "The variant that others are compared with (default: the one \(BaselineRule.text))."
    ).grouped(.statistics)
  }

  /// A file that a plot is drawn into.
  public static func plot(_ name: String, _ path: any OptionPath<Made, String?>, _ help: String)
    -> Self
  {
    value(name, path, "file.svg", help, { try OptionValue.svg($0) }).with {
      $0.completion = .file(["svg"])
      $0.isOfCommand = true
      $0.group = .output
    }
  }

  /// Predictors, such as half-life:days=5.
  public static func predictors(
    _ name: String, _ path: any OptionPath<Made, [Predictor]>, _ help: String
  ) -> Self {
    repeated(name, path, "predictor", help) { try Predictors.named($0) }.with {
      $0.offers = { Predictors.all.map(\.name) }
    }
  }

  /// Returns the options of attribution, except for the rule and for units in several variants.
  @_semantics("optimize.sil.specialize.generic.never")  // It is called once for each option.
  public static func attribution(_ path: any OptionPath<Made, Attribution>) -> [Self] {
    let options = [
      value(
        "window", "duration",
        "How long goals and conversions count after an exposure and --delay, such as 7d, 12h, 30m or 90s, or none; 7 "
          + "is 7 days (default: none for goals, 7d for conversions).",
        OptionValue.window
      ) { $0[keyPath: path] = $0[keyPath: path].limited(to: $1) },
      value(
        "delay", "duration",
        "How long after an exposure goals begin to count, such as 1h; 1 is 1 day (default: at once).",
        OptionValue.duration
      ) { $0[keyPath: path].delay = $1 },
      flag(
        "once",
        "Count the first goal of each code per unit and place only: the same as --limit 1."
      ) { $0[keyPath: path].counting = .once }.with { $0.excludes = ["limit"] },
      value(
        "limit", "N", "Count at most N goals of each code per unit and place (default: unlimited).",
        kind: .integer, { try OptionValue.integer($0) as Int }
      ) { $0[keyPath: path].limit = $1 },
      value(
        "minimum", "value", "Ignore goals of a smaller value, and conversions of a smaller amount, refunds too.",
        kind: .number, OptionValue.number
      ) { $0[keyPath: path].minimum = $1 },
      value(
        "maximum", "value", "Ignore goals of a larger value, and conversions of a larger amount, refunds too.",
        kind: .number, OptionValue.number
      ) { $0[keyPath: path].maximum = $1 },
      time("end", "End of the analysis: ignore exposures and goals after this time.") { $0[keyPath: path].end = $1 },
      flag("without-in-progress", "Leave out exposures whose window extends beyond --end.") {
        $0[keyPath: path].excludesInProgress = true
      },
    ]
    return options.map { $0.grouped(.attribution) }
  }

  /// Returns the options of the outlier cap on the revenue of units.
  public static func capping(_ path: any OptionPath<Made, Capping?>) -> [Self] {
    [
      value(
        "cap", "value", "Outlier cap: a larger revenue of a unit counts as this value.",
        kind: .number, OptionValue.number
      ) { $0[keyPath: path] = .absolute($1) }.with { $0.excludes = ["cap-percentile"] },
      value(
        "cap-percentile", "part",
        "Outlier cap at a quantile, such as 99%, of the revenue of all units of the experiment; needs 8 bytes of "
          + "memory for each converter.",
        kind: .number, OptionValue.number
      ) { $0[keyPath: path] = .percentile($1, ignoringZeros: false) },
      flag("cap-ignoring-zeros", "Compute the quantile over units with a revenue only.") {
        if case .percentile(let part, _) = $0[keyPath: path] {
          $0[keyPath: path] = .percentile(part, ignoringZeros: true)
        }
      }.with { $0.needs = ["cap-percentile"] },
    ]
  }

  /// Returns the options of metrics, except for those of their attribution.
  public static func metrics(_ path: any OptionPath<Made, MetricPlan>) -> [Self] {
    let metric = Self(
      OptionInfo(
        "metric", .repeated, "metric",
        OptionInfo.metricHelp(
          "What is measured", Metric.forms,
          ", with direction=lower if less is better; or a name of --metrics (default: reward); can be given more than "
            + "once")
      )
    ) { made, texts, files in
      made[keyPath: path].metrics = try texts.map { try OptionValue.metric($0, files) }
    }.with { $0.offers = { OptionInfo.starts(of: Metric.forms) } }
    let cap = value(
      "cap", "value", "Outlier cap: a larger value of a unit counts as this value.", kind: .number,
      OptionValue.number
    ) { $0[keyPath: path].cap = $1 }
    let direction = value(
      "direction", "direction",
      "Which values of the metrics are better (default: higher, or what the metric says).",
      { try OptionValue.choice($0) as Metric.Direction }
    ) { made, direction in
      for index in made[keyPath: path].metrics.indices {
        made[keyPath: path].metrics[index].direction = direction
      }
    }.among(Metric.Direction.self)
    return [metricFile, metric, direction, cap]
  }
}

extension OptionInfo {
  /// Returns the starts of forms such as `context.NAME`, each up to the first word in capitals, which the user
  /// replaces.
  package static func starts(of forms: [String]) -> [String] {
    forms.map { String($0.prefix { !$0.isUppercase }) }.reduce(into: []) { starts, start in
      if !starts.contains(start) { starts.append(start) }
    }
  }
}
