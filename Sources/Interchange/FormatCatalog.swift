public import Specifications

/// The formats that `--format` can name and that inputs are recognized as.
///
/// ``standard`` has the built-in ones. A program with formats of its own adds them, and passes the catalog to its
/// ``Importer``.
public typealias FormatCatalog = Catalog<TypeEntry<any ImportFormat.Type>>

extension FormatCatalog {
  /// The built-in formats.
  public static var standard: FormatCatalog { Formats.catalog }

  /// Returns the catalog with a format added, replacing any format of the same name.
  ///
  /// - Parameter type: The type of the format.
  /// - Returns: The catalog in which ``named(_:)`` finds the format by the name in its ``ImportFormat/info``.
  public func adding(_ type: any ImportFormat.Type) -> FormatCatalog {
    adding(Entry(type, as: type))
  }

  /// The formats, sorted by name.
  public var formats: [any ImportFormat.Type] {
    entries.map(\.made).sorted { $0.info.name < $1.info.name }
  }

  /// The formats that can be exported, sorted by name.
  public var exported: [any ExportFormat.Type] {
    formats.compactMap { $0 as? any ExportFormat.Type }
  }

  /// The formats that are exported from the columns of a log, sorted by name.
  public var exportedAsColumns: [any LogExportFormat.Type] {
    formats.compactMap { $0 as? any LogExportFormat.Type }
  }

  /// The formats that can be exported as tables, sorted by name.
  public var exportedAsTables: [any TableExportFormat.Type] {
    formats.compactMap { $0 as? any TableExportFormat.Type }
  }

  /// Returns the format that a specification such as `jsonl` or `obd:items=item_context.csv` describes.
  ///
  /// - Throws: `SpecificationError` if no format has that name or a parameter is invalid.
  public func named(_ text: String) throws(SpecificationError) -> any ImportFormat {
    let specification = try Specification(parsing: text)
    return try entry(named: specification.name).made.init(specification)
  }
}

/// The built-in formats. Each is one file and one entry here.
private enum Formats {
  static let catalog = FormatCatalog(
    of: "format",
    families: [
      "events and tables": entries([
        JSONLines.self, OwnTable.self, ArrowEvents.self, CloudEvents.self, OpenTelemetry.self,
      ]),
      "experiments and flags": entries([
        Eppo.self, GoFeatureFlag.self, GrowthBook.self, GrowthBookFacts.self, LaunchDarkly.self,
        Optimizely.self, Statsig.self, Unleash.self,
      ]),
      "product analytics": entries([
        Amplitude.self, GoogleAnalytics.self, Mixpanel.self, PostHog.self, Segment.self,
        Snowplow.self,
      ]),
      "bandits": entries([
        Criteo.self, DecisionServiceJSON.self, OpenBandit.self, VowpalWabbitText.self,
        YahooR6A.self, YahooR6B.self,
      ]),
    ])

  private static func entries(_ types: [any ImportFormat.Type]) -> [TypeEntry<any ImportFormat.Type>] {
    types.map { TypeEntry($0, as: $0) }
  }
}
