public import Specifications

/// The formats that `--format` can name and that inputs are recognized as.
///
/// ``standard`` has the built-in ones. A program with formats of its own adds them, and passes the catalog to its
/// ``Importer``.
public struct FormatCatalog: Sendable {
  let formats: [any ImportFormat.Type]

  /// The built-in formats. Each format is one file and one entry here.
  public static let standard = FormatCatalog(formats: [
    Amplitude.self,
    ArrowEvents.self,
    CloudEvents.self,
    Criteo.self,
    DecisionServiceJSON.self,
    Eppo.self,
    GoFeatureFlag.self,
    GoogleAnalytics.self,
    GrowthBook.self,
    GrowthBookFacts.self,
    JSONLines.self,
    LaunchDarkly.self,
    Mixpanel.self,
    OpenBandit.self,
    OpenTelemetry.self,
    Optimizely.self,
    OwnTable.self,
    PostHog.self,
    Segment.self,
    Snowplow.self,
    Statsig.self,
    Unleash.self,
    VowpalWabbitText.self,
    YahooR6A.self,
    YahooR6B.self,
  ])

  /// Returns the catalog with a format added, replacing any format of the same name.
  ///
  /// - Parameter type: The type of the format.
  /// - Returns: The catalog in which ``named(_:)`` finds the format by the name in its ``ImportFormat/info``.
  public func adding<F: ImportFormat>(_ type: F.Type) -> FormatCatalog {
    FormatCatalog(formats: formats.filter { $0.info.name != type.info.name } + [type])
  }

  /// The formats, sorted by name.
  public var all: [any ImportFormat.Type] {
    formats.sorted { $0.info.name < $1.info.name }
  }

  /// The formats that can be exported, sorted by name.
  public var exported: [any ExportFormat.Type] { all.compactMap { $0 as? any ExportFormat.Type } }

  /// The formats that are exported from the columns of a log, sorted by name.
  public var exportedAsColumns: [any LogExportFormat.Type] {
    all.compactMap { $0 as? any LogExportFormat.Type }
  }

  /// The formats that can be exported as tables, sorted by name.
  public var exportedAsTables: [any TableExportFormat.Type] {
    all.compactMap { $0 as? any TableExportFormat.Type }
  }

  /// Returns the format that a specification such as `jsonl` or `obd:items=item_context.csv` describes.
  ///
  /// - Throws: `SpecificationError` if no format has that name or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> any ImportFormat {
    let specification = try Specification(parsing: text)
    return try type(named: specification.name).init(specification)
  }

  /// Returns the type of the format with a name; `others` are further names that the error lists.
  func type(
    named name: String, besides others: [String] = []
  ) throws(SpecificationError) -> any ImportFormat.Type {
    if let format = formats.first(where: { $0.info.name == name }) { return format }
    throw SpecificationError(
      NearestName.unknown("format", name, among: others + all.map { $0.info.name }))
  }
}
