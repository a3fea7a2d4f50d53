internal import Bandits
internal import EventLog
internal import Events
public import Statistics

/// Whose rewards of a log are taken: `log:path=FOLDER,experiment=NAME`, with the parameters of `EmpiricalEnvironment`.
public struct RewardQuery: Hashable, Sendable {
  /// How it is written.
  public let specification: Specification
  /// The folder of the log.
  public let path: String
  /// The name of the experiment.
  public let experiment: String
  /// The only point; nil for all.
  public let point: String?
  /// The only slot; nil for all.
  public let slot: String?
  /// The variants in the order in which they are wanted; nil for those of any decision, sorted by name.
  public let variants: [String]?
  /// The attribute of decisions' contexts by which rewards are divided; nil for none.
  public let context: String?

  /// Takes apart what is written.
  ///
  /// - Parameter specification: Of the name `log`.
  /// - Throws: `SpecificationError`: it has another name, a parameter is not known, or path or experiment are missing.
  public init(_ specification: Specification) throws(SpecificationError) {
    let guide = EmpiricalEnvironment.guide
    guard specification.name == guide.name else {
      throw SpecificationError("\(specification) is no log; write log:path=FOLDER,experiment=NAME")
    }
    try specification.requireKeys(among: guide.parameters.map(\.key))
    self.specification = specification
    path = try Self.required("path", of: specification)
    experiment = try Self.required("experiment", of: specification)
    point = specification["point"]
    slot = specification["slot"]
    variants = specification["variants"]?
      .split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    context = specification["context"]
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

/// The arms of a log whose rewards are taken, in its codes.
struct RewardTarget: Sendable {
  var experiment: UInt32
  var point: UInt32?
  var slot: UInt32?

  /// Finds the codes.
  ///
  /// - Throws: `SpecificationError`: the log has no such experiment, point or slot.
  init(_ query: RewardQuery, _ names: LogNames) throws(SpecificationError) {
    let standard = StandardNames(names)
    let code = { (name: String, vocabulary: Vocabulary) throws(SpecificationError) -> UInt32 in
      if let code = names.code(of: name, in: vocabulary) { return code }
      // Decisions that name none are at this one, whether the log has a code for it or not.
      if vocabulary == .points, name == PointID.standard.rawValue { return standard.point }
      if vocabulary == .slots, name == SlotID.standard.rawValue { return standard.slot }
      throw SpecificationError(
        UnknownName.message(name, in: vocabulary, of: names, path: query.path))
    }
    experiment = try code(query.experiment, .experiments)
    if let name = query.point { point = try code(name, .points) }
    if let name = query.slot { slot = try code(name, .slots) }
  }

  /// Whether an arm is one of them.
  func contains(_ arm: Arm) -> Bool {
    arm.experiment == experiment && point ?? arm.point == arm.point && slot ?? arm.slot == arm.slot
  }
}
