public import Events

/// What a site runs: its experiments, and whatever else its configuration has.
///
/// As JSON: `{"siteCode":"abc","enabled":true,"modified":1600000000,"experiments":[{"id":75253,
/// "variations":[{"id":0,"deviation":0.5},{"id":148382,"deviation":0.5,"respool":1600000000}]}]}`.
/// An experiment may also have `kind` (`experiment` or `personalization`), `targeting` (the id of a segment, or
/// a segment), and `policy` with `goal`. Ids are texts or whole numbers.
///
/// Flags, segments and what else stands beside these members are kept in ``other``, and are checked when the
/// configuration is applied.
public struct ExperimentConfiguration: Hashable, Sendable {
  /// The site's code.
  public var siteCode: String
  /// Whether the site is enabled; when not, every trigger throws.
  public var enabled: Bool
  /// When the configuration was last changed, in whole seconds since 1970; nil when unknown.
  public var modified: Int64?
  /// The experiments, in any order.
  public var experiments: [Experiment]
  /// The other members: `flags`, `segments`, `holdout`, `groups`, `consent`, ...
  public var other: JSONObject

  /// Makes a configuration.
  public init(
    siteCode: String, enabled: Bool = true, modified: Int64? = nil, experiments: [Experiment] = [],
    other: JSONObject = JSONObject()
  ) {
    self.siteCode = siteCode
    self.enabled = enabled
    self.modified = modified
    self.experiments = experiments
    self.other = other
  }

  /// Refuses a configuration that no client could use: deviations must be finite, not negative and add up to
  /// at most 1, ids must be unique.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the path of what is wrong.
  public func validate() throws(ExperimentError) {
    _ = try Site(self)
  }
}

extension ExperimentConfiguration: Codable {
  /// Reads the configuration from its JSON.
  public init(from decoder: any Decoder) throws {
    try self.init(JSONValue(from: decoder))
  }

  /// Writes the configuration as its JSON.
  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}
