extension MetricFile {
  /// The keys of a metric in a file with their meanings, in the one place where these are written.
  public static let keys: [(name: String, meaning: String)] = [
    ("value", "what is measured, written as for `--metric`; the only key that is needed"),
    ("title", "the name in sentences"),
    ("direction", "which values are better: `higher` (default), `lower`, or `neutral` for neither"),
    (
      "margin",
      "the loss that is tolerated where it is a guardrail without a margin of its own, a part of the baseline's mean, "
        + "such as 5% or 0.05 (`--margin` of `report compare` is in units of the metric)"
    ),
    ("unit", "the unit of measurement, such as ms"), ("decimals", "how many decimals are shown"),
    (
      "window",
      "how long goals and conversions count after an exposure, in place of `--window`, such as 14d; `none` for no limit"
    ),
    (
      "cap",
      "larger values of a unit count as this value; `p99` for a percentile of the values of the units of all variants "
        + "of the experiment together, those of 0 too: in `report compare`, `power` and `conversions`"
    ),
    (
      "covariate",
      "how long before the first exposure the same metric is measured to reduce variance, in place of `--cuped`, such "
        + "as 14d; used by `report compare` and what decides by it, with methods that take one, and nowhere else"
    ), ("owner", "who looks after it"), ("tags", "words by which metrics are grouped"),
  ]

  /// Returns the meaning of a key.
  static func meaning(of key: String) -> String { keys.first { $0.name == key }?.meaning ?? "" }
}
