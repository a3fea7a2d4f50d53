internal import DecidingCore
internal import Events

/// A reader of experiments from JSON, which collects warnings about ignored members.
struct RolloutReader {
  private(set) var warnings: [String] = []

  /// Reads the experiments of a configuration.
  mutating func experiments(_ json: JSONValue) throws(RolloutError) -> [RolloutExperiment] {
    var experiments: [RolloutExperiment] = []
    for member in try object(json, at: "the root").members {
      guard !member.name.isEmpty else { throw .emptyName(path: "the root") }
      experiments.append(try experiment(member.name, member.value))
    }
    return experiments
  }

  private mutating func experiment(_ name: String, _ json: JSONValue) throws(RolloutError)
    -> RolloutExperiment
  {
    let members = try object(json, at: name)
    for other in members.names where other != "Settings" && other != "Variants" {
      warn("\(name).\(other)")
    }
    var experiment = RolloutExperiment(ExperimentID(name), variants: nil)
    if let json = present(members["Variants"]) {
      experiment.variants = try variants(json, of: name)
    }
    if let json = present(members["Settings"]) { try read(settings: json, into: &experiment) }
    return experiment
  }

  private mutating func read(settings json: JSONValue, into experiment: inout RolloutExperiment)
    throws(RolloutError)
  {
    let path = "\(experiment.name).Settings"
    for member in try object(json, at: path).members {
      let place = "\(path).\(member.name)"
      switch member.name {
      case "is_sticky": experiment.isSticky = Coercion.bool(member.value) ?? false
      case "supported_languages": experiment.languages = try filter(member.value, at: place)
      case "supported_countries": experiment.countries = try filter(member.value, at: place)
      default: warn(place)
      }
    }
  }

  private func filter(_ json: JSONValue, at path: String) throws(RolloutError) -> [String]? {
    switch json {
    case .null: return nil
    case .string(let text): return RolloutFilter.entries(separatedByCommas: text)
    case .array(let values):
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { break }
      return RolloutFilter.entries(texts)
    default: break
    }
    throw .invalidConfiguration(
      path: path,
      reason: "must be a text such as \"US,IL\" or a list of texts, not \(json.kindName)")
  }

  private func variants(_ json: JSONValue, of experiment: String) throws(RolloutError)
    -> [RolloutExperiment.Variant]
  {
    let path = "\(experiment).Variants"
    var variants: [RolloutExperiment.Variant] = []
    switch json {
    case .object(let object):
      for member in object.members {
        let weight = try weight(member.value, of: member.name, in: experiment)
        variants.append(.init(VariantID(member.name), weight: weight))
      }
    case .array(let values):
      for (index, value) in values.enumerated() {
        variants.append(try variant(value, at: "\(path)[\(index)]", in: experiment))
      }
    default:
      throw .invalidConfiguration(
        path: path,
        reason: "must be an object of weights or a list of names and weights, not \(json.kindName)")
    }
    return variants
  }

  private func variant(_ json: JSONValue, at path: String, in experiment: String)
    throws(RolloutError) -> RolloutExperiment.Variant
  {
    let members = try object(json, at: path)
    // A name can be a number: 7 and "7" are the same.
    guard let name = members["name"]?.string ?? members["name"]?.integer.map(String.init) else {
      throw .invalidConfiguration(
        path: "\(path).name", reason: "must be a text: {\"name\":\"on\",\"weight\":10}")
    }
    guard let weight = members["weight"] else {
      throw .invalidConfiguration(
        path: "\(path).weight", reason: "is missing: {\"name\":\"on\",\"weight\":10}")
    }
    return .init(VariantID(name), weight: try self.weight(weight, of: name, in: experiment))
  }

  private func weight(_ json: JSONValue, of variant: String, in experiment: String)
    throws(RolloutError) -> Double
  {
    guard let weight = json.number ?? json.string.flatMap(Coercion.wholeDecimal) else {
      throw .invalidWeight(experiment: experiment, variant: variant)
    }
    return weight
  }

  private func object(_ json: JSONValue, at path: String) throws(RolloutError) -> JSONObject {
    guard let object = json.object else {
      throw .invalidConfiguration(path: path, reason: "must be an object, not \(json.kindName)")
    }
    return object
  }

  private func present(_ json: JSONValue?) -> JSONValue? { json == .null ? nil : json }

  private mutating func warn(_ path: String) {
    warnings.append("\(path) is unknown and was passed over; remove it or mend its name")
  }
}
