internal import DecidingCore
public import Events

extension ExperimentConfiguration {
  /// Parses a configuration from JSON text.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the location of the problem: the
  ///   line and column, or the path of a member such as `experiments[0].variations[1].deviation`.
  public init(parsing text: String) throws(ExperimentError) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw .invalidConfiguration(path: "", reason: "is no JSON: \(error)")
    }
    try self.init(json)
  }

  /// Creates a configuration from JSON.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the path of the invalid member.
  public init(_ json: JSONValue) throws(ExperimentError) {
    self = try Site(reading: json).configuration
  }

  /// Reads a configuration without validating it as a whole.
  init(unchecked json: JSONValue) throws(ExperimentError) {
    self = try Self.table.read(ConfigurationReader(json))
  }

  /// The configuration as JSON, which reads back as an equal configuration.
  public var json: JSONValue { Self.table.write(self) }

  private static let table = ConfigurationTable(
    ExperimentConfiguration(siteCode: ""), others: .kept(\.other),
    [
      .required("siteCode", \.siteCode, .text),
      .always("enabled", \.enabled, .flag),
      .optional("modified", \.modified, .whole),
      .always("experiments", \.experiments, .list(of: .object(Experiment.table))),
    ])
}

extension Experiment {
  fileprivate static let table = ConfigurationTable(
    Experiment("", variations: []), others: .kept(\.other),
    [
      .field("kind", \.kind, kind),
      .required("id", \.id, .id),
      .always("variations", \.variations, .list(of: .object(ExperimentVariation.table))),
      .optional("targeting", \.targeting, .any),
      .optional("policy", \.policy, .text),
      .optional("goal", \.goal, .id),
    ])

  private static let kind = ConfigurationKind<String>.text.map {
    (word, reader) throws(ExperimentError) in
    guard let kind = Kind(rawValue: word) else {
      throw reader.problem("must be \"experiment\" or \"personalization\"")
    }
    return kind
  } from: {
    $0.rawValue
  }
}

extension ExperimentVariation {
  fileprivate static let table = ConfigurationTable(
    ExperimentVariation("", deviation: 0), others: .ignored,
    [
      .required("id", \.id, ConfigurationKind.id.map({ (id, _) in id.normalized }, from: { $0 })),
      .required("deviation", \.deviation, .number),
      .optional("respool", \.respool, .whole),
    ])
}
