public import DecidingCore
public import Events
public import Prediction

/// The state of the studies of one unit: a projection of its events.
///
/// Replay is lenient where calls are strict, so that logs from elsewhere can be used: a take of an unknown
/// study or option creates it, and an encounter is one of the whole study, whatever its value. An invalid
/// configuration changes nothing. A configuration for everyone, whose unit is empty, applies to the unit too.
/// Every other data point of the unit is a feature of it, the latest of each kind and key.
public struct StudiesState: DecidingState {
  /// The name of the system in the log.
  public static let system = SystemID.studies
  static let taken = "optionTaken"
  static let encountered = "optionEncountered"

  /// The unit of the studies.
  public let unit: UnitID
  /// The predictor.
  public let predictor: Predictor
  private var order: [ExperimentID] = []
  private var studies: [ExperimentID: Study] = [:]
  private var overrides = Overrides()
  private var features = UnitFeatures()

  /// Creates an empty state without a unit.
  public init() { self.init(unit: "") }

  /// Creates an empty state for the unit.
  public init(unit: UnitID, predictor: Predictor = .beauchamp) {
    self.unit = unit
    self.predictor = predictor
  }

  /// The studies in the order in which they were first defined.
  public var all: [Study] { order.compactMap { studies[$0] } }

  /// Returns the study with that name; nil when there is none.
  public func study(_ id: ExperimentID) -> Study? { studies[id] }

  /// Returns the option forced in the study; nil when there is none.
  public func forcedOption(in id: ExperimentID) -> VariantID? {
    overrides.variant(for: unit, in: id) ?? overrides.variant(for: "", in: id)
  }

  /// Returns the option forced for this unit, as opposed to everyone.
  func override(in id: ExperimentID) -> VariantID? { overrides.variant(for: unit, in: id) }

  /// Applies an event.
  public mutating func take(_ event: Event) {
    switch event.payload {
    case .dataPoint(let point) where event.unit == unit:
      guard point.kind == Self.taken || point.kind == Self.encountered else {
        return learn(point)
      }
      guard let key = point.key, !key.isEmpty else { return }
      if point.kind == Self.taken {
        take(point.value, in: ExperimentID(key), at: event.time)
      } else {
        studies[ExperimentID(key)]?.recordEncounter(at: event.time)
      }
    case .configurationApplied(let applied)
    where applied.system == Self.system && (event.unit == unit || event.unit.rawValue.isEmpty):
      if !overrides.apply(event, system: Self.system) { configure(applied, at: event.time) }
    default: return
    }
  }

  private mutating func take(_ value: AttributeValue?, in id: ExperimentID, at time: Timestamp) {
    guard let name = value.map(Self.name), !name.rawValue.isEmpty else { return }
    if studies[id]?.take(name, at: time) == nil {
      define(id, OptionCounts(), at: time)
      studies[id]?.take(name, at: time)
    }
  }

  private mutating func configure(_ applied: ConfigurationApplied, at time: Timestamp) {
    guard let id = applied.experiment, !id.rawValue.isEmpty else { return }
    if applied.configuration == .null {
      if studies.removeValue(forKey: id) != nil { order.removeAll { $0 == id } }
      return
    }
    guard let counts = OptionCounts(configuration: applied.configuration) else { return }
    switch applied.reason.flatMap(StudyChange.Action.init) {
    case .optionAdded, .optionUpdated, .optionRemoved:
      if studies[id] != nil {
        studies[id]?.rewrite(as: counts, at: time)
      } else {
        define(id, counts, at: time)
      }
    default: define(id, counts, at: time)
    }
  }

  private mutating func define(_ id: ExperimentID, _ counts: OptionCounts, at time: Timestamp) {
    if studies[id] == nil { order.append(id) }
    var study = Study(description: id.rawValue, counts: counts, predictor: predictor, at: time)
    study.features = features.features
    // Only the history of this unit is discarded, not the pool of all units.
    if let known = studies[id] { study.share(known.learning.common) }
    studies[id] = study
  }

  /// Sets the pool of a study; does nothing when another predictor learned it.
  mutating func share(_ common: any OptionPool, in id: ExperimentID) -> Bool {
    guard predictor.takes(common) else { return false }
    return studies[id]?.share(common) != nil
  }

  private mutating func learn(_ point: DataPoint) {
    let (kind, key) = (point.kind, point.key ?? "")
    switch point.value {
    case .text(let text): features.learn(kind: kind, key: key, text: text)
    case .flag(let flag): features.learn(kind: kind, key: key, text: flag ? "true" : "false")
    case .number(let number): features.learn(kind: kind, key: key, number: number)
    case .integer(let integer): features.learn(kind: kind, key: key, number: Double(integer))
    case nil: features.learn(kind: kind, key: key, text: "")
    }
    for id in order { studies[id]?.features = features.features }
  }

  /// Returns the option that a value names; logs from elsewhere may use a number.
  private static func name(_ value: AttributeValue) -> VariantID {
    switch value {
    case .text(let text): VariantID(text)
    case .flag(let flag): VariantID(flag ? "true" : "false")
    case .integer(let integer): VariantID(String(integer))
    case .number(let number): VariantID(Int64(exactly: number).map(String.init) ?? "\(number)")
    }
  }
}

extension StudiesState: Equatable {
  /// Compares everything on which later answers depend.
  public static func == (a: StudiesState, b: StudiesState) -> Bool {
    a.unit == b.unit && a.predictor == b.predictor && a.order == b.order
      && a.overrides == b.overrides && a.features == b.features
      && zip(a.all, b.all).allSatisfy { $0.isIdentical(to: $1) }
  }
}

extension StudiesState: Codable {
  private enum CodingKeys: String, CodingKey { case features, overrides, predictor, studies, unit }

  /// Decodes a state.
  ///
  /// - Throws: `DecodingError` with the path of the missing or invalid member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    unit = try container.decode(UnitID.self, forKey: .unit)
    predictor = try container.decode(Predictor.self, forKey: .predictor)
    overrides = try container.decode(Overrides.self, forKey: .overrides)
    features =
      try container.decodeIfPresent(UnitFeatures.self, forKey: .features) ?? UnitFeatures()
    for var study in try container.decode([Study].self, forKey: .studies) {
      study.features = features.features
      let id = ExperimentID(study.description)
      guard study.predictor == predictor, studies.updateValue(study, forKey: id) == nil else {
        throw DecodingError.dataCorruptedError(
          forKey: .studies, in: container,
          debugDescription: "has \"\(id)\" twice, or with another predictor than \(predictor)")
      }
      order.append(id)
    }
  }

  /// Encodes the state; the studies in order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(unit, forKey: .unit)
    try container.encode(predictor, forKey: .predictor)
    try container.encode(overrides, forKey: .overrides)
    if features != UnitFeatures() { try container.encode(features, forKey: .features) }
    try container.encode(all, forKey: .studies)
  }
}
