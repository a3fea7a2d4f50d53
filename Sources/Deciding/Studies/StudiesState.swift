public import Events
public import Prediction

/// What is known of the studies of one unit: a projection of its events.
///
/// Replay is lenient where calls are strict, so that logs from elsewhere can be studied: a take of an unknown
/// study or option creates it, and an encounter is one of the whole study, whatever its value says. A
/// configuration that cannot be read changes nothing. A configuration of everyone, whose unit is empty, holds
/// for the unit too.
public struct StudiesState: DecidingState {
  /// The name of the system in the log.
  public static let system = "studies"
  static let taken = "optionTaken"
  static let encountered = "optionEncountered"

  /// Whose studies these are.
  public let unit: UnitID
  /// What predicts.
  public let predictor: Predictor
  private var order: [ExperimentID] = []
  private var studies: [ExperimentID: Study] = [:]
  private var overrides = Overrides()

  /// The studies of nobody.
  public init() { self.init(unit: "") }

  /// No studies yet of the unit.
  public init(unit: UnitID, predictor: Predictor = .beauchamp) {
    self.unit = unit
    self.predictor = predictor
  }

  /// The studies in the order in which they were first defined.
  public var all: [Study] { order.compactMap { studies[$0] } }

  /// The study of that name; nil when there is none.
  public func study(_ id: ExperimentID) -> Study? { studies[id] }

  /// The option that is forced in the study; nil when none is.
  public func forcedOption(in id: ExperimentID) -> VariantID? {
    overrides.variant(for: unit, in: id) ?? overrides.variant(for: "", in: id)
  }

  /// The option that is forced upon this unit and not upon everyone.
  func override(in id: ExperimentID) -> VariantID? { overrides.variant(for: unit, in: id) }

  /// Takes an event into account.
  public mutating func apply(_ event: Event) {
    switch event.payload {
    case .dataPoint(let point) where event.unit == unit:
      guard let key = point.key, !key.isEmpty else { return }
      if point.kind == Self.taken {
        take(point.value, in: ExperimentID(key), at: event.time)
      } else if point.kind == Self.encountered {
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
    studies[id] = Study(
      description: id.rawValue, counts: counts, predictor: predictor, at: time)
  }

  /// The option that a value names; logs from elsewhere may write a number.
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
  /// Whether everything is the same that later answers depend on.
  public static func == (a: StudiesState, b: StudiesState) -> Bool {
    a.unit == b.unit && a.predictor == b.predictor && a.order == b.order
      && a.overrides == b.overrides
      && zip(a.all, b.all).allSatisfy { $0.isIdentical(to: $1) }
  }
}

extension StudiesState: Codable {
  private enum CodingKeys: String, CodingKey { case overrides, predictor, studies, unit }

  /// Reads a state.
  ///
  /// - Throws: `DecodingError` with the path of what is missing or cannot be.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    unit = try container.decode(UnitID.self, forKey: .unit)
    predictor = try container.decode(Predictor.self, forKey: .predictor)
    overrides = try container.decode(Overrides.self, forKey: .overrides)
    for study in try container.decode([Study].self, forKey: .studies) {
      let id = ExperimentID(study.description)
      guard study.predictor == predictor, studies.updateValue(study, forKey: id) == nil else {
        throw DecodingError.dataCorruptedError(
          forKey: .studies, in: container,
          debugDescription: "has \"\(id)\" twice, or with another predictor than \(predictor)")
      }
      order.append(id)
    }
  }

  /// Writes the state; the studies in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(unit, forKey: .unit)
    try container.encode(predictor, forKey: .predictor)
    try container.encode(overrides, forKey: .overrides)
    try container.encode(all, forKey: .studies)
  }
}
