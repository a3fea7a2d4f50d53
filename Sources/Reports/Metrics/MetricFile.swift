public import Replay
public import Specifications
internal import Tables

/// The named metrics of a file, by which reports can be asked for them.
///
/// A metric is defined once, with the direction in which it is better, and then used by its name: in `--metric`, in
/// analysis files, in Python. Names are asked for before the words of metrics.
public struct MetricFile: Equatable, Sendable {
  /// A named metric with what people who look after it know.
  public struct Definition: Equatable, Sendable {
    /// The metric, with its name, title, unit and decimals.
    public var metric: Metric
    /// Who looks after it; nil if nobody is named.
    public var owner: String?
    /// Words by which metrics are grouped.
    public var tags: [String]

    /// The name.
    public var name: String { metric.description }

    /// Creates a definition.
    public init(_ metric: Metric, owner: String? = nil, tags: [String] = []) {
      (self.metric, self.owner, self.tags) = (metric, owner, tags)
    }
  }

  /// The definitions, in the order of the file; no name occurs twice.
  public private(set) var definitions: [Definition]
  private let places: [NameKey: Int]

  /// A file without metrics.
  public static let none = MetricFile([])

  /// Creates a file; the first of several definitions of a name counts.
  public init(_ definitions: [Definition]) {
    self.definitions = definitions
    places = Dictionary(
      definitions.enumerated().map { (NameKey($1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the definition of a name; nil if there is none.
  public func definition(of name: String) -> Definition? {
    places[NameKey(name)].map { definitions[$0] }
  }

  /// Returns the metric of a name or of a text such as `revenue:goal=order`.
  ///
  /// - Throws: `SpecificationError` that lists the nearest name and the words of metrics.
  public func metric(_ text: String) throws(SpecificationError) -> Metric {
    try metric(text, among: Metric.forms)
  }

  /// Returns what is wrong where none of the metrics is asked for, and what to write.
  package func unused(_ prefix: String) -> String {
    let names = AnswerText.list(definitions.map(\.name), most: 6)
    return "is not used: none of its metrics (\(names)) is asked for; give \(prefix)metric NAME, or leave it out"
  }

  /// Returns the metric of a name or a text; the error for an unknown one lists some forms.
  func metric(_ text: String, among forms: [String]) throws(SpecificationError) -> Metric {
    if let definition = definition(of: text) { return definition.metric }
    let name = String(text.prefix { $0 != ":" })
    guard Metric.Count(rawValue: name) == nil, name != "ratio" else { return try Metric(parsing: text) }
    let hint = definitions.isEmpty ? "; names of metrics are in the file of --metrics" : ""
    throw SpecificationError(
      NearestName.unknown("metric", name, among: definitions.map(\.name) + forms) + hint)
  }
}
