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
public struct Eppo: FieldFormat {
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

  public func makeReader(_ input: ImportInput) -> EppoReader { EppoReader() }
}

/// Converts assignments and actions of bandits to decisions.
public struct EppoReader: MemorylessReader {
  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let time = try fields.time(fields.take("timestamp"), named: "timestamp")
    let unit = try fields.requireUnit(among: "subject")
    let bandit = fields.take("bandit_key") ?? fields.take("banditKey") ?? fields.take("bandit")
    let action = bandit == nil ? nil : fields.take("action")
    guard bandit == nil || action != nil else { return record.ignore("bandits without an action") }
    let index = try record.add(.decision, at: time, unit: unit, fields)
    if let action {
      try fields.set(.experiment, of: &record.events[index], to: bandit)
      try readAction(&fields, action, &record.events[index])
    } else {
      let experiment = try fields.require("experiment")
      try fields.set(.experiment, of: &record.events[index], to: experiment)
      try fields.set(.variant, of: &record.events[index], to: fields.require("variation"))
    }
    try fields.addUnused(to: .context, of: &record.events[index])
  }

  private func readAction(
    _ fields: inout FieldTree, _ action: FieldTree.Field, _ event: inout EventRecord
  ) throws(Rejection) {
    try fields.set(.variant, of: &event, to: action)
    event.propensity = try fields.number(
      fields.take("action_probability") ?? fields.take("actionProbability"),
      named: "action_probability")
    try fields.set(.policy, of: &event, to: fields.take("model_version") ?? fields.take("modelVersion"))
    addFeatures(fields.find("action_numeric_attributes"), &fields, &event)
    addFeatures(fields.find("actionNumericAttributes"), &fields, &event)
    addFeatures(fields.find("action_categorical_attributes"), &fields, &event)
    addFeatures(fields.find("actionCategoricalAttributes"), &fields, &event)
    guard !event.features.isEmpty else { return }
    event.hasFeatures = true
    event.featureGroups.append(
      EventRecord.FeatureGroup(variant: event[.variant], count: event.features.count))
  }

  /// Adds the members of an object to the features of the action. A name that is there already keeps its first value,
  /// and the other one stays in the context.
  private func addFeatures(
    _ object: FieldTree.Field?, _ fields: inout FieldTree, _ event: inout EventRecord
  ) {
    guard let object, fields.isObject(object) else { return }
    var place: FieldTree.Field?
    while let member = fields.child(after: place, of: object) {
      place = member
      let name = event.add(fields.name(of: member))
      let isKnown = event.features.contains { event.isEqual($0.name, name) }
      if fields.isNull(member) || isKnown { continue }
      fields.use(member)
      event.features.append(
        EventRecord.Attribute(name: name, value: fields.value(member, for: &event)))
    }
  }
}
