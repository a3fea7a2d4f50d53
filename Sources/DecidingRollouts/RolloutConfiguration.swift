internal import DecidingCore
public import Events

/// The configuration of a rollout system: its experiments.
public struct RolloutConfiguration: Hashable, Sendable {
  /// The experiments, ascending by the UTF-8 bytes of their names.
  public let experiments: [RolloutExperiment]
  /// Warnings about ignored members, which are unknown.
  public let warnings: [String]

  /// Creates a configuration. Names and weights are validated when it is applied.
  public init(_ experiments: [RolloutExperiment]) {
    self.init(experiments, warnings: [])
  }

  private init(_ experiments: [RolloutExperiment], warnings: [String]) {
    self.experiments = experiments.sorted { $0.name < $1.name }
    self.warnings = warnings
  }

  /// Reads a configuration: an object with a member for each experiment, which has `Settings` and `Variants`.
  ///
  /// `Variants` is an object of weights, or a list of `{"name":"on","weight":10}` whose order is significant.
  /// `Settings` can have `is_sticky`, `supported_languages` and `supported_countries`; other members are
  /// ignored and listed in ``warnings``.
  ///
  /// - Throws: ``RolloutError`` when the form is invalid, a weight is not a number or negative, a variant is
  ///   listed twice, or a name is empty.
  public init(json: JSONValue) throws(RolloutError) {
    let members = try RolloutReader(json, at: "the root").members().members
    if members.first?.name == "" { throw .emptyName(path: "the root") }
    self.init(
      try members.map { (member) throws(RolloutError) in
        try RolloutExperiment(member.name, member.value)
      },
      warnings: members.flatMap { RolloutExperiment.warnings($0.name, $0.value) })
    try validate()
  }

  /// Reads a configuration from a property list, XML in UTF-8 or binary, whose dictionaries are the objects
  /// of ``init(json:)``.
  ///
  /// - Throws: ``RolloutError``, as for JSON; also `invalidConfiguration` when the bytes are not a property
  ///   list.
  public init(propertyList: [UInt8]) throws(RolloutError) {
    let json: JSONValue
    do {
      json = try JSONValue(propertyList: propertyList)
    } catch {
      let path = error.path.isEmpty ? "the property list" : error.path
      throw .invalidConfiguration(path: path, reason: error.reason)
    }
    try self.init(json: json)
  }

  /// The configuration as JSON that ``init(json:)`` reads, with lists of variants.
  public var json: JSONValue {
    .object(
      JSONObject(
        experiments.map { JSONObject.Member(name: $0.name.rawValue, value: $0.json) }))
  }

  /// Returns the experiment with the name; nil when there is none.
  public subscript(name: ExperimentID) -> RolloutExperiment? {
    experiments.first { $0.name == name }
  }

  /// Validates a configuration that was created from values.
  func validate() throws(RolloutError) {
    for experiment in experiments { try experiment.validate() }
    for (a, b) in zip(experiments, experiments.dropFirst()) where a.name == b.name {
      throw .invalidConfiguration(
        path: a.name.rawValue, reason: "the experiment stands there twice; keep one of them")
    }
  }

  /// Checks that the configuration survives the log: what is read back equals what was written.
  static func requireReadable(_ json: JSONValue) throws(RolloutError) {
    if let flaw = json.firstFlaw() {
      throw .invalidConfiguration(
        path: flaw.path.joined(separator: "."), reason: "must be \(flaw.expected)")
    }
    let read = try RolloutConfiguration(json: json).json
    guard let name = changes(from: read, to: json).first else { return }
    throw .invalidConfiguration(
      path: name, reason: "would be read back as something else; write it as JSON has it")
  }

  /// Returns the names of experiments that differ between two configurations, ascending.
  static func changes(from old: JSONValue?, to new: JSONValue?) -> [String] {
    let (old, new) = (old?.object ?? [:], new?.object ?? [:])
    return JSONObject((old.members + new.members).filter { old[$0.name] != new[$0.name] }).names
  }
}
