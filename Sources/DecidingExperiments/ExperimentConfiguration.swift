public import Events

/// The configuration of a site: its experiments, flags, segments and other members.
///
/// As JSON: `{"siteCode":"abc","enabled":true,"modified":1600000000,"experiments":[{"id":75253,
/// "variations":[{"id":0,"deviation":0.5},{"id":148382,"deviation":0.5,"respool":1600000000}]}]}`. An
/// experiment can also have `kind` (`experiment` or `personalization`), `targeting` (the id of a segment, or
/// a segment), and `policy` with `goal`. Ids are texts or integers.
///
/// Flags, segments and all other members are stored in ``other``, and are validated when the configuration is
/// applied.
public struct ExperimentConfiguration: Hashable, Sendable {
  /// The site's code.
  public var siteCode: String
  /// Whether the site is enabled; when not, every trigger throws.
  public var enabled: Bool
  /// The time of the last change, in whole seconds since 1970; nil when unknown.
  public var modified: Int64?
  /// The experiments, in any order.
  public var experiments: [Experiment]
  /// The other members: `flags`, `segments`, `holdout`, `groups`, `consent`, ...
  public var other: JSONObject

  /// Creates a configuration.
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

  /// Checks the configuration: deviations must be finite, not negative and add up to at most 1; ids must be
  /// unique.
  ///
  /// - Throws: ``ExperimentError/invalidConfiguration(path:reason:)`` with the path of the invalid member.
  public func validate() throws(ExperimentError) {
    _ = try Site(self)
  }
}

extension ExperimentConfiguration: Codable {
  /// Decodes the configuration from its JSON.
  public init(from decoder: any Decoder) throws {
    try self.init(JSONValue(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}
