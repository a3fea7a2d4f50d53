public import Events
public import Replay
internal import Specifications

/// The decisions that the experiments of a log are to settle, and by which metrics: the content of an analysis file.
///
/// A plan is written before the data are looked at. Reports take from it what they have options for; options on the
/// command line take precedence.
public struct AnalysisPlan: Equatable, Sendable {
  /// A metric that must not get worse.
  public struct Guardrail: Equatable, Sendable {
    /// The metric.
    public var metric: Metric
    /// The relative loss that is tolerated, such as 0.02 for 2 % of the baseline's mean, 0 or more; nil for none, so
    /// that any significant loss counts.
    public var margin: Double?

    /// Creates a guardrail, by default with the margin of the metric's label.
    public init(_ metric: Metric, margin: Double? = nil) {
      (self.metric, self.margin) = (metric, margin ?? metric.label?.margin)
    }
  }

  /// The decision that one experiment is to settle.
  public struct Entry: Equatable, Sendable {
    /// The name of the experiment.
    public var experiment: String
    /// The variant that others are compared with; nil for a variant with a baseline's name, else the first.
    public var baseline: String?
    /// The start of the analysis, inclusive; nil for no start.
    public var since: Timestamp?
    /// The end of the analysis, exclusive; nil for no end.
    public var until: Timestamp?
    /// The goal metric, which decides.
    public var metric: Metric
    /// Further metrics that are reported, but do not decide.
    public var secondary: [Metric] = []
    /// The metrics that must not get worse.
    public var guardrails: [Guardrail] = []
    /// The dimensions by which results are broken down.
    public var dimensions: [Dimension] = []
    /// The intended share of units of each variant, at least two of them positive; empty for the logged ones.
    public var shares: [String: Double] = [:]
    /// The smallest relative effect worth finding, above 0, such as 0.02 for 2 %; nil if unknown.
    public var minimumEffect: Double?
    /// When the experiment may be decided, at every look by default.
    public var stopping = StoppingRule.everyLook
    /// The line in the analysis file of each key, and of the experiment under "experiment"; not part of equality.
    package var lines = SourceLines()

    /// Creates an entry that is decided by a metric, the reward by default.
    public init(_ experiment: String, metric: Metric = Metric(.reward)) {
      (self.experiment, self.metric) = (experiment, metric)
    }

    /// The goal metric, the secondary ones and those of guardrails, each once.
    public var metrics: [Metric] {
      var metrics: [Metric] = []
      for metric in [metric] + secondary + guardrails.map(\.metric)
      where !metrics.contains(metric) { metrics.append(metric) }
      return metrics
    }
  }

  /// The entries, sorted by the bytes of the experiments' names; no experiment occurs twice.
  public private(set) var entries: [Entry]
  private let places: [NameKey: Int]
  /// The days of the time zone that the dates are of; nil for UTC.
  public var calendar: DayCalendar?
  /// The path of the analysis file, for messages; nil for a plan that comes from no file.
  package var path: String?

  /// Creates a plan; the last of several entries of an experiment counts.
  public init(_ entries: [Entry]) {
    var byName: [NameKey: Entry] = [:]
    for entry in entries { byName[NameKey(entry.experiment)] = entry }
    self.entries = byName.values.sorted {
      VariantPairs.inBytes($0.experiment, $1.experiment)
    }
    var places: [NameKey: Int] = [:]
    for (place, entry) in self.entries.enumerated() { places[NameKey(entry.experiment)] = place }
    self.places = places
  }

  /// Returns the entry of an experiment; nil if it has none.
  public func entry(of experiment: String) -> Entry? {
    places[NameKey(experiment)].map { entries[$0] }
  }
}

/// The lines of a file by key. All values are equal: where something is written does not change what it says.
package struct SourceLines: Equatable, Sendable {
  private var lines: [String: Int] = [:]

  package init() {}

  package subscript(_ key: String) -> Int? {
    get { lines[key] }
    set { lines[key] = newValue }
  }

  package static func == (_: SourceLines, _: SourceLines) -> Bool { true }
}
