public import Events

/// One feature that is rolled out: its variants with their weights, and who may have it.
public struct RolloutExperiment: Hashable, Sendable {
  /// A variant and how often it is drawn.
  public struct Variant: Hashable, Sendable {
    /// The name.
    public var name: VariantID
    /// Its odds are the weight over the sum of all weights; it is never drawn when the weight is 0.
    public var weight: Double

    /// Makes a variant.
    public init(_ name: VariantID, weight: Double) {
      self.name = name
      self.weight = weight
    }
  }

  /// The name.
  public var name: ExperimentID
  /// The variants in the order in which the number of a unit walks them; nil when the configuration names
  /// none, which counts as if there were no such experiment.
  public var variants: [Variant]?
  /// Whether a unit keeps its variant when the weights change.
  public var isSticky: Bool
  /// The languages of those who may have it, such as `en` or `pt-BR`; nil when everyone may.
  public var languages: [String]?
  /// The countries of those who may have it, such as `US`; nil when everyone may.
  public var countries: [String]?

  /// Makes an experiment. Blanks around languages and countries are dropped, and so are empty ones; a list
  /// without any admits nobody.
  public init(
    _ name: ExperimentID, variants: [Variant]?, isSticky: Bool = false,
    languages: [String]? = nil, countries: [String]? = nil
  ) {
    self.name = name
    self.variants = variants
    self.isSticky = isSticky
    self.languages = languages.map(RolloutFilter.entries)
    self.countries = countries.map(RolloutFilter.entries)
  }

  /// Makes an experiment of weights that have no order of their own: the variants are walked by the UTF-8 bytes
  /// of their names.
  public init(
    _ name: ExperimentID, weights: [VariantID: Double], isSticky: Bool = false,
    languages: [String]? = nil, countries: [String]? = nil
  ) {
    self.init(
      name,
      variants: weights.sorted { $0.key < $1.key }.map { Variant($0.key, weight: $0.value) },
      isSticky: isSticky, languages: languages, countries: countries)
  }
}

extension RolloutExperiment {
  /// Checks names and weights.
  func validate() throws(RolloutError) {
    guard !name.rawValue.isEmpty else { throw .emptyName(path: "the configuration") }
    var names: Set<VariantID> = []
    var sum = 0.0
    for (index, variant) in (variants ?? []).enumerated() {
      let (experiment, text) = (name.rawValue, variant.name.rawValue)
      guard !text.isEmpty else { throw .emptyName(path: "\(experiment).Variants[\(index)]") }
      guard names.insert(variant.name).inserted else {
        throw .duplicateVariant(experiment: experiment, variant: text)
      }
      guard variant.weight.isFinite else {
        throw .invalidWeight(experiment: experiment, variant: text)
      }
      guard variant.weight >= 0 else {
        throw .negativeWeight(experiment: experiment, variant: text)
      }
      sum += variant.weight
      guard sum.isFinite else { throw .invalidWeight(experiment: experiment, variant: text) }
    }
  }

  /// The experiment as it is written, the variants as a list.
  var json: JSONValue {
    var settings: JSONObject = [:]
    if isSticky { settings["is_sticky"] = true }
    settings["supported_languages"] = languages.map { .array($0.map(JSONValue.string)) }
    settings["supported_countries"] = countries.map { .array($0.map(JSONValue.string)) }
    var object: JSONObject = [:]
    if !settings.isEmpty { object["Settings"] = .object(settings) }
    object["Variants"] = variants.map { variants in
      .array(variants.map { ["name": .string($0.name.rawValue), "weight": .number($0.weight)] })
    }
    return .object(object)
  }
}
