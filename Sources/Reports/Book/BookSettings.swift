public import Replay

/// The parameters of the reports of a whole log; what is nil is taken from the log.
public struct BookSettings: Sendable {
  /// The title.
  public var title: String
  /// The metrics to compare; nil for the reward, and what of conversions and revenue the log has.
  public var metrics: [Metric]?
  /// The variant with which others are compared in every experiment; nil for one with a baseline's name, otherwise the
  /// first by name.
  public var baseline: String?
  /// The steps of the funnel, in order; nil for the goals of the log in the order of their first appearance, each
  /// on its own: which of them lead to which only a person knows.
  public var steps: [String]?
  /// The plan of the experiments; the settings above take precedence. Nil for no plan.
  public var analysis: AnalysisPlan?
  /// The seed of resampling.
  public var seed: UInt64
  /// The reports that there are; those beyond the built-in ones follow these.
  public var reports = ReportCatalog.standard

  /// Creates settings.
  public init(
    title: String, metrics: [Metric]? = nil, baseline: String? = nil, steps: [String]? = nil,
    analysis: AnalysisPlan? = nil, seed: UInt64 = 1
  ) {
    (self.title, self.metrics, self.baseline) = (title, metrics, baseline)
    (self.steps, self.analysis, self.seed) = (steps, analysis, seed)
  }
}
