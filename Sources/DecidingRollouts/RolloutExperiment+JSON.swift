package import DecidingCore
internal import Events

typealias RolloutReader = DefinitionReader<RolloutError>
private typealias RolloutTable<Owner: Sendable> = DefinitionTable<Owner, RolloutError>
private typealias RolloutKind<Value: Sendable> = DefinitionKind<Value, RolloutError>

extension RolloutError: DefinitionProblem {
  package static let wording = DefinitionWording.full

  package static func invalid(_ path: String, _ reason: String) -> RolloutError {
    .invalidConfiguration(path: path, reason: reason)
  }
}

extension RolloutExperiment {
  /// Reads an experiment, without the checks of ``validate()``.
  init(_ name: String, _ json: JSONValue) throws(RolloutError) {
    self = try Self.table.read(
      RolloutReader(json, at: name), onto: RolloutExperiment(ExperimentID(name), variants: nil))
  }

  /// The experiment as JSON, which reads back as an equal one.
  var json: JSONValue { Self.table.write(self) }

  /// Returns warnings about the members that are ignored.
  static func warnings(_ name: String, _ json: JSONValue) -> [String] {
    (table.others(in: json).map { "\(name).\($0)" }
      + Settings.table.others(in: json["Settings"]).map { "\(name).Settings.\($0)" })
      .map { "\($0) is unknown and was passed over; remove it or mend its name" }
  }

  private static let table = RolloutTable(
    RolloutExperiment("", variants: nil), others: .ignored,
    [
      .optional("Variants", \.variants, variants),
      .field("Settings", \.settings, .object(Settings.table)),
    ])

  private struct Settings: Equatable {
    var isSticky = false
    var languages: [String]?
    var countries: [String]?

    static let table = RolloutTable(
      Settings(), others: .ignored,
      [
        .field("is_sticky", \.isSticky, coerced),
        .optional("supported_languages", \.languages, filter),
        .optional("supported_countries", \.countries, filter),
      ])
  }

  private var settings: Settings {
    get { Settings(isSticky: isSticky, languages: languages, countries: countries) }
    set {
      (isSticky, languages, countries) = (newValue.isSticky, newValue.languages, newValue.countries)
    }
  }

  private static let coerced = RolloutKind<Bool> { (reader) throws(RolloutError) in
    Coercion.bool(reader.value) ?? false
  } write: {
    .boolean($0)
  }

  private static let filter = RolloutKind<[String]> { (reader) throws(RolloutError) in
    if let text = reader.value.string { return RolloutFilter.entries(separatedByCommas: text) }
    guard let texts = reader.value.array?.map(\.string), !texts.contains(nil) else {
      throw reader.problem(
        "must be a text such as \"US,IL\" or a list of texts, not \(reader.value.kindName)")
    }
    return RolloutFilter.entries(texts.compactMap(\.self))
  } write: {
    .array($0.map { .string($0) })
  }

  /// An object of weights, or a list of names and weights, which has an order.
  private static let variants = RolloutKind<[Variant]> { (reader) throws(RolloutError) in
    switch reader.value {
    case .object(let weights):
      try weights.names.map { (name) throws(RolloutError) in
        Variant(VariantID(name), weight: try weight.read(reader.required(name)))
      }
    case .array: try list.read(reader)
    default:
      throw reader.problem(
        "must be an object of weights or a list of names and weights, not \(reader.value.kindName)")
    }
  } write: {
    list.write($0)
  }

  private static let list = RolloutKind.list(
    of: .object(
      RolloutTable(
        Variant("", weight: 0), others: .ignored,
        [.required("name", \.name, name), .required("weight", \.weight, weight)])))

  /// A name can be a number: 7 and "7" are the same.
  private static let name = RolloutKind<VariantID> { (reader) throws(RolloutError) in
    guard let name = reader.value.string ?? reader.value.integer.map(String.init) else {
      throw reader.problem("must be a text: {\"name\":\"on\",\"weight\":10}")
    }
    return VariantID(name)
  } write: {
    .string($0.rawValue)
  }

  /// A number, also as text; anything else is one that ``validate()`` refuses.
  private static let weight = RolloutKind<Double> { (reader) throws(RolloutError) in
    reader.value.number ?? reader.value.string.flatMap(Coercion.wholeDecimal) ?? .nan
  } write: {
    .number($0)
  }
}
