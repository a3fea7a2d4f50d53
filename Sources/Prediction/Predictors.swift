public import Statistics

/// The predictors that have names.
public enum Predictors {
  /// The predictor that a text such as `half-life:days=5` names; a parameter left out has its default.
  ///
  /// - Throws: `SpecificationError`: there is none of that name, or it has no such parameter or value.
  public static func named(_ text: String) throws(SpecificationError) -> Predictor {
    try Predictor(Specification(parsing: text))
  }

  /// Every predictor, by name.
  public static let all: [PredictorDescription] = [
    PredictorDescription(
      name: "beauchamp", summary: "takes ÷ (encounters + 1)",
      source: "Beauchamp, a behaviour prediction library for apps"),
    PredictorDescription(
      name: "half-life",
      parameters: [
        .init(key: "days", standard: "5", meaning: "after how many days an event weighs half")
      ],
      summary: "takes ÷ (encounters + 1), both fading with age",
      source: "Ding and Li 2005, https://doi.org/10.1145/1099554.1099689"),
    PredictorDescription(
      name: "last", summary: "the option taken last, as often as takes were repeated",
      source: "base line"),
    PredictorDescription(
      name: "markov",
      parameters: [
        .init(key: "order", standard: "1", meaning: "how many last takes are looked at, 0 to 16")
      ],
      summary: "what followed the longest context known",
      source: "Deshpande and Karypis 2004, https://doi.org/10.1145/990301.990304"),
    PredictorDescription(
      name: "ppm",
      parameters: [
        .init(key: "order", standard: "3", meaning: "how many last takes are looked at, 0 to 16")
      ],
      summary: "what followed every context, the longest first (escape method C, exclusion)",
      source: "Cleary and Witten 1984, https://doi.org/10.1109/TCOM.1984.1096090; "
        + "Moffat 1990, https://doi.org/10.1109/26.61469"),
    PredictorDescription(
      name: "uniform", summary: "1 ÷ number of options each", source: "base line"),
  ]
}

/// What there is to say of a predictor in a list.
public struct PredictorDescription: Hashable, Sendable {
  /// One parameter.
  public struct Parameter: Hashable, Sendable {
    /// Its name.
    public var key: String
    /// Its value where none is given.
    public var standard: String
    /// What it means.
    public var meaning: String

    /// Makes a parameter.
    public init(key: String, standard: String, meaning: String) {
      self.key = key
      self.standard = standard
      self.meaning = meaning
    }
  }

  /// The name before the colon.
  public var name: String
  /// The parameters, in the order in which they are written.
  public var parameters: [Parameter]
  /// What its confidences are, in one line.
  public var summary: String
  /// Where it comes from.
  public var source: String

  /// Makes a description.
  public init(name: String, parameters: [Parameter] = [], summary: String, source: String) {
    self.name = name
    self.parameters = parameters
    self.summary = summary
    self.source = source
  }
}
