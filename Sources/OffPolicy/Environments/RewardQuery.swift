public import Bandits
internal import EventLog
internal import Events
public import Replay
public import Specifications

/// A selection of the rewards of a log: `log:path=FOLDER,experiment=NAME`, with the parameters of
/// `EmpiricalEnvironment`.
public struct RewardQuery: Hashable, Sendable {
  /// The specification that the query was parsed from.
  public let specification: Specification
  /// The folder of the log.
  public let path: String
  /// The name of the experiment.
  public let experiment: String
  /// The only point to read; nil for all.
  public let point: String?
  /// The only slot to read; nil for all.
  public let slot: String?
  /// The variants in the requested order; nil for those of any decision, sorted by name.
  public let variants: [String]?
  /// What makes up the reward of a decision.
  public let metric: RewardMetric
  /// The context attribute by which rewards are divided; nil for none.
  public let context: String?
  /// The features of decisions; nil for none.
  public let features: FeatureSpecification?
  /// The reward model of variants without rewards for some features; nil for the standard one.
  public let model: Specification?

  /// Creates a query from its specification.
  ///
  /// - Parameter specification: A specification named `log`.
  /// - Throws: `SpecificationError` if it has another name, a parameter is unknown or invalid, the path or experiment
  ///   is missing, or there is both a context and features.
  public init(_ specification: Specification) throws(SpecificationError) {
    let info = EmpiricalEnvironment.listing
    guard specification.name == info.name else {
      throw SpecificationError(
        "\(specification) does not name a log; write log:path=FOLDER,experiment=NAME")
    }
    try specification.requireKeys(among: info.parameters.map(\.key))
    self.specification = specification
    path = try Self.required("path", of: specification)
    experiment = try Self.required("experiment", of: specification)
    point = specification["point"]
    slot = specification["slot"]
    variants = specification["variants"]?
      .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    context = specification["context"]
    metric = try Self.metric(specification)
    features = try specification["features"].map { (text) throws(SpecificationError) in
      try FeatureSpecification(parsing: text)
    }
    model = try specification.nested("model")
    guard features == nil || context == nil else {
      throw SpecificationError(
        "\(specification) has both context and features; write features=one-hot(\(context ?? "")) for its values"
      )
    }
    guard features != nil || model == nil else {
      throw SpecificationError(
        "model of \(specification) needs features, such as features=one-hot(country)")
    }
    _ = try rewardModel()
  }

  private static func metric(
    _ specification: Specification
  ) throws(SpecificationError) -> RewardMetric {
    guard let nested = try specification.nested("metric") else { return .standard }
    let metric = try RewardMetric(parsing: nested.description)
    guard metric.metric.direction == .higher else {
      throw SpecificationError("\(metric) is one of which more is not better, and simulated policies maximize rewards")
    }
    return metric
  }

  /// Returns the reward model, `linear` by default.
  ///
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  func rewardModel() throws(SpecificationError) -> any RewardModel {
    try RewardModelCatalog.standard.named(model?.description ?? "linear")
  }

  private static func required(
    _ key: String, of specification: Specification
  ) throws(SpecificationError) -> String {
    guard let value = specification[key], !value.isEmpty else {
      throw SpecificationError(
        "\(specification) needs \(key); write log:path=FOLDER,experiment=NAME")
    }
    return value
  }
}

/// The arms of a log whose rewards a query selects, as codes of the log.
struct RewardTarget: Sendable {
  var experiment: UInt32
  var point: UInt32?
  var slot: UInt32?
  /// What makes up the reward of a decision.
  var metric: RewardMetric

  /// Resolves the names of a query to codes.
  ///
  /// - Throws: `SpecificationError` if the log has no such experiment, point or slot.
  init(_ query: RewardQuery, _ names: LogNames) throws(SpecificationError) {
    let standard = StandardNames(names)
    let code = { (name: String, vocabulary: Vocabulary) throws(SpecificationError) -> UInt32 in
      if let code = names.code(of: name, in: vocabulary) { return code }
      // Decisions without a point or slot are at this one, whether or not the log has a code for it.
      if vocabulary == .points, name == PointID.standard.rawValue { return standard.point }
      if vocabulary == .slots, name == SlotID.standard.rawValue { return standard.slot }
      throw SpecificationError(
        UnknownName.message(name, in: vocabulary, of: names, path: query.path))
    }
    experiment = try code(query.experiment, .experiments)
    let goal = query.metric.term.goal
    metric = query.metric.resolved(
      try goal.map { (name) throws(SpecificationError) in
        try code(name, .goals)
      })
    if let name = query.point { point = try code(name, .points) }
    if let name = query.slot { slot = try code(name, .slots) }
  }

  /// How goals are credited: to the latest decision.
  var attribution: Attribution { Attribution().measuring(metric) }

  /// Returns whether an arm is selected.
  func contains(_ arm: Arm) -> Bool {
    arm.experiment == experiment && point ?? arm.point == arm.point && slot ?? arm.slot == arm.slot
  }
}
