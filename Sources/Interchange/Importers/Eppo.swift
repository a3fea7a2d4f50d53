import Events
public import Specifications

/// Assignments and actions of bandits that SDKs of Eppo log, as JSON or as a table.
///
/// | field | becomes |
/// |---|---|
/// | `timestamp` | the time |
/// | `subject` | the unit |
/// | `experiment` | the experiment of an assignment |
/// | `variation` | its variant |
/// | `bandit_key`, else `banditKey`, `bandit` | the experiment of an action |
/// | `action` | its variant |
/// | `action_probability`, else `actionProbability` | its propensity |
/// | `model_version`, else `modelVersion` | its policy |
/// | `action_numeric_attributes`, `action_categorical_attributes`, or these in camel case | features of the action |
/// | all other fields, such as `subjectAttributes`, `allocation`, `optimality_gap` | `context` |
///
/// Bandits that chose no action are counted and not imported. Records have no key: those that are equal in everything
/// are stored once.
public struct Eppo: ShapedFormat {
  public static let info = SpecificationInfo(
    "eppo", "assignments and bandit actions that SDKs of Eppo log",
    source: "https://docs.geteppo.com/sdks/event-logging/assignment-logging/")

  public static let recognition =
    "timestamp, subject, and experiment and variation, or action and bandit_key"

  /// Creates the format, which has no parameters.
  public init() {}

  public static func match(_ sample: InputSample) -> FormatMatch {
    let action = sample.match(
      fields: "timestamp", "subject", "action", oneOf: ["bandit_key", "banditKey", "bandit"])
    if case .match = action { return action }
    return sample.match(fields: "timestamp", "subject", "experiment", "variation")
  }

  static let shapes = [
    RecordShape(
      time: "timestamp", unit: "subject",
      cases: [
        RecordCase(.ignored("bandits without an action"), .when(bandit), .unless("action")),
        RecordCase(
          .decision(experiment: bandit, variant: "action"), .when(bandit),
          propensity: "action_probability | actionProbability", policy: "model_version | modelVersion",
          features: [
            "action_numeric_attributes | actionNumericAttributes",
            "action_categorical_attributes | actionCategoricalAttributes",
          ]),
        RecordCase(.decision(experiment: "experiment", variant: "variation")),
      ])
  ]

  private static let bandit: FieldNames = "bandit_key | banditKey | bandit"
}
