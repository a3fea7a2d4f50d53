extension EventRecord {
  /// Fills the record with an event.
  ///
  /// Events that no decoder would read back are refused, so that a log never acknowledges them: see ``validate()``.
  /// Preserved JSON is normalized to have no white space around it and no line breaks, as a decoder returns it.
  ///
  /// - Throws: ``EventProblem`` if the event lacks a field that its kind requires, or could not be read back.
  public mutating func load(_ event: Event) throws(EventProblem) {
    reset(kind: event.kind, time: event.time)
    self[.unit] = add(event.unit.rawValue)
    set(.id, event.id?.rawValue)
    set(.system, event.system?.rawValue)
    set(.instance, event.instance?.rawValue)
    switch event.payload {
    case .decision(let decision): load(decision)
    case .goal(let goal): load(goal)
    case .conversion(let conversion): load(conversion)
    case .dataPoint(let point): load(point)
    case .sessionExpired(let session):
      set(.experiment, session.experiment?.rawValue)
      set(.reason, session.reason)
    case .assignmentRemoved(let assignment):
      set(.experiment, assignment.experiment?.rawValue)
      set(.reason, assignment.reason)
    case .decisionConfirmed(let confirmation):
      set(.experiment, confirmation.experiment.rawValue)
      set(.point, confirmation.point?.rawValue)
      set(.slot, confirmation.slot?.rawValue)
    case .configurationApplied(let configuration): load(configuration)
    }
    if !event.unknownFields.isEmpty { set(.unknown, event.unknownFields.text) }
    // Swift strings are UTF-8, and attributes have unique names.
    try validateFields()
    try validateNumbers()
    try validateCarried()
    normalizeCarried()
  }

  private mutating func load(_ decision: Decision) {
    set(.experiment, decision.experiment.rawValue)
    set(.point, decision.point?.rawValue)
    set(.slot, decision.slot?.rawValue)
    set(.variant, decision.variant.rawValue)
    set(.policy, decision.policy?.rawValue)
    set(.reason, decision.reason)
    status = decision.status
    propensity = decision.propensity
    if let list = decision.choices {
      hasChoices = true
      for choice in list { choices.append(add(choice.rawValue)) }
    }
    if let list = decision.probabilities {
      hasProbabilities = true
      probabilities.append(contentsOf: list)
    }
    if let attributes = decision.context {
      hasContext = true
      for entry in attributes.entries { context.append(flatten(entry)) }
    }
    if let groups = decision.features {
      hasFeatures = true
      for group in groups.entries {
        let variant = add(group.variant.rawValue)
        let entries = group.attributes.entries
        featureGroups.append(FeatureGroup(variant: variant, count: entries.count))
        for entry in entries { features.append(flatten(entry)) }
      }
    }
  }

  private mutating func load(_ goal: Goal) {
    set(.experiment, goal.experiment.rawValue)
    set(.point, goal.point?.rawValue)
    set(.slot, goal.slot?.rawValue)
    set(.goal, goal.goal.rawValue)
    set(.reason, goal.reason)
    value = goal.value
    status = goal.status
    load(metadata: goal.metadata)
  }

  private mutating func load(_ conversion: Conversion) {
    set(.goal, conversion.goal.rawValue)
    revenue = conversion.revenue
    negative = conversion.negative
    load(metadata: conversion.metadata)
  }

  private mutating func load(_ point: DataPoint) {
    set(.dataKind, point.kind)
    set(.key, point.key)
    dataValue = point.value.map { flatten($0) }
  }

  private mutating func load(_ configuration: ConfigurationApplied) {
    set(.experiment, configuration.experiment?.rawValue)
    set(.reason, configuration.reason)
    set(.configuration, configuration.configuration?.text)
    if let list = configuration.changed {
      hasChanged = true
      for name in list { changed.append(add(name)) }
    }
  }

  private mutating func load(metadata attributes: Attributes?) {
    guard let attributes else { return }
    hasMetadata = true
    for entry in attributes.entries { metadata.append(flatten(entry)) }
  }

  private mutating func set(_ field: TextField, _ text: String?) {
    if let text { self[field] = add(text) }
  }

  private mutating func flatten(_ entry: Attributes.Entry) -> Attribute {
    let name = add(entry.name)
    return Attribute(name: name, value: flatten(entry.value))
  }

  private mutating func flatten(_ value: AttributeValue) -> Value {
    switch value {
    case .number(let number): .number(number)
    case .integer(let integer) where integer.magnitude <= 1 << 53: .number(Double(integer))
    case .integer(let integer): .integer(integer)
    case .text(let text): .text(add(text))
    case .flag(let flag): .flag(flag)
    }
  }
}

extension Event {
  /// Creates the event of a record.
  ///
  /// - Throws: ``EventProblem`` if the record lacks a field that its kind requires.
  public init(_ record: EventRecord) throws(EventProblem) {
    try record.validateFields()
    self.init(
      time: record.time, unit: UnitID(record.string(.unit) ?? ""),
      id: record.string(.id).map { EventID($0) },
      system: record.string(.system).map { SystemID($0) },
      instance: record.string(.instance).map { InstanceID($0) }, payload: Payload(record),
      unknownFields: JSONMembers(validated: record.string(.unknown) ?? ""))
  }
}

extension Payload {
  /// Creates the payload of a validated record: a required text that is absent becomes empty.
  fileprivate init(_ record: EventRecord) {
    let experiment = record.string(.experiment).map { ExperimentID($0) }
    let point = record.string(.point).map { PointID($0) }
    let slot = record.string(.slot).map { SlotID($0) }
    let reason = record.string(.reason)
    switch record.kind {
    case .decision: self = .decision(Decision(record))
    case .goal:
      self = .goal(
        Goal(
          experiment: experiment ?? "", point: point, slot: slot,
          goal: GoalID(record.string(.goal) ?? ""), value: record.value, status: record.status,
          reason: reason, metadata: record.metadataAttributes))
    case .conversion:
      self = .conversion(
        Conversion(
          goal: GoalID(record.string(.goal) ?? ""), revenue: record.revenue,
          negative: record.negative, metadata: record.metadataAttributes))
    case .dataPoint:
      self = .dataPoint(
        DataPoint(
          kind: record.string(.dataKind) ?? "", key: record.string(.key),
          value: record.dataValue.map { record.value($0) }))
    case .sessionExpired:
      self = .sessionExpired(SessionExpired(experiment: experiment, reason: reason))
    case .assignmentRemoved:
      self = .assignmentRemoved(AssignmentRemoved(experiment: experiment, reason: reason))
    case .decisionConfirmed:
      self = .decisionConfirmed(
        DecisionConfirmed(experiment: experiment ?? "", point: point, slot: slot))
    case .configurationApplied:
      self = .configurationApplied(
        ConfigurationApplied(
          system: SystemID(record.string(.system) ?? ""), experiment: experiment, reason: reason,
          changed: record.hasChanged ? record.changed.compactMap { record.string($0) } : nil,
          configuration: record.string(.configuration).map { JSONText(validated: $0) }))
    }
  }
}

extension Decision {
  fileprivate init(_ record: EventRecord) {
    self.init(
      experiment: ExperimentID(record.string(.experiment) ?? ""),
      point: record.string(.point).map { PointID($0) },
      slot: record.string(.slot).map { SlotID($0) },
      variant: VariantID(record.string(.variant) ?? ""),
      choices: record.hasChoices
        ? record.choices.map { VariantID(record.string($0) ?? "") } : nil,
      propensity: record.propensity,
      probabilities: record.hasProbabilities ? record.probabilities : nil,
      policy: record.string(.policy).map { PolicyID($0) }, reason: record.string(.reason),
      status: record.status,
      context: record.hasContext ? record.attributes(record.context[...]) : nil,
      features: record.hasFeatures ? record.groupedFeatures : nil)
  }
}

extension EventRecord {
  fileprivate var metadataAttributes: Attributes? {
    hasMetadata ? attributes(metadata[...]) : nil
  }

  fileprivate var groupedFeatures: Features {
    var result = Features()
    var next = 0
    for group in featureGroups {
      let own = features[next..<next + group.count]
      next += group.count
      result.append(
        unique: Features.Entry(
          variant: VariantID(string(group.variant) ?? ""), attributes: attributes(own)))
    }
    return result
  }

  fileprivate func attributes(_ list: ArraySlice<Attribute>) -> Attributes {
    var result = Attributes()
    for attribute in list {
      result.append(
        unique: Attributes.Entry(
          name: string(attribute.name) ?? "", value: value(attribute.value)))
    }
    return result
  }

  fileprivate func value(_ value: Value) -> AttributeValue {
    switch value {
    case .number(let number): .number(number)
    case .integer(let integer): .integer(integer)
    case .text(let slice): .text(string(slice) ?? "")
    case .flag(let flag): .flag(flag)
    }
  }
}
