public import Events

/// An experiment: a feature's variants with their weights, and the users who can get it.
public struct RolloutExperiment: Hashable, Sendable {
  /// A variant with its weight.
  public struct Variant: Hashable, Sendable {
    /// The name of the variant.
    public var name: VariantID
    /// The weight: the variant is drawn with a probability of the weight over the sum of all weights.
    public var weight: Double

    /// Creates a variant.
    public init(_ name: VariantID, weight: Double) {
      self.name = name
      self.weight = weight
    }
  }

  /// The name of the experiment.
  public var name: ExperimentID
  /// The variants in the order of their number ranges; nil when the configuration has none, which is treated
  /// as if the experiment did not exist.
  public var variants: [Variant]?
  /// Whether a unit keeps its variant when the weights change (sticky assignment).
  public var isSticky: Bool
  /// The languages of eligible users, such as `en` or `pt-BR`; nil for all users.
  public var languages: [String]?
  /// The countries of eligible users, such as `US`; nil for all users.
  public var countries: [String]?

  /// Creates an experiment. Blanks around languages and countries are removed, and empty ones are dropped; an
  /// empty list admits no one.
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

  /// Creates an experiment from unordered weights: the variants are ordered by the UTF-8 bytes of their
  /// names.
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
  /// Validates names and weights.
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
}
