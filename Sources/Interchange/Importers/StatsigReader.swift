import Events

/// Converts exposures and events of Statsig.
public struct StatsigReader: MemorylessReader {
  public var listNames: [String] { Statsig.listNames }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    if let name = fields.take(among: "eventName | event_name") {
      return try readEvent(&fields, name, into: &record)
    }
    if fields.find("exposure_type") != nil {
      return try readExport(&fields, into: &record)
    }
    let time = try fields.time(fields.take("timestamp"), named: "timestamp")
    let experiment = try fields.require("experiment_id")
    let variant = try fields.require(among: "group_id | group_name")
    guard let unit = fields.takeUnit(among: "user_id | stable_id") ?? takeCustomID(&fields) else {
      throw Rejection(.placeholder, "there is no \"user_id\", \"stable_id\" or other column with an id")
    }
    try record.addDecision(at: time, unit: unit, experiment: experiment, variant: variant, &fields)
  }

  /// Reads an exposure of the export, which has the first exposure of a unit again in the file of every later day.
  private mutating func readExport(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let timeField = fields.take("first_exposure_utc")
    let time = try fields.time(timeField, named: "first_exposure_utc")
    let unit = try fields.requireUnit(among: "unit_id")
    let experiment = try fields.require("name")
    let variant = try fields.require(among: "group_id | experiment_group | rule")
    try record.addDecision(at: time, unit: unit, experiment: experiment, variant: variant, &fields)
    record.identify(joining: experiment, variant, unit, timeField, of: fields)
    // A unit has one first exposure; later exports of it have later dates in other columns.
    record.hasUniqueIDs = true
  }

  /// Returns the first unused column whose name ends in `id`.
  private func takeCustomID(_ fields: inout FieldTree) -> FieldTree.Field? {
    for field in fields.children(of: fields.root) where !fields.nodes[field.index].isUsed {
      let ending = fields.name(of: field).suffix(2).map { $0 | 0x20 }
      guard ending.elementsEqual("id".utf8), !fields.isNull(field) else { continue }
      fields.use(field)
      return field
    }
    return nil
  }
}

extension StatsigReader {
  /// Reads an event of the webhook or the table of events.
  private mutating func readEvent(
    _ fields: inout FieldTree, _ name: FieldTree.Field, into record: inout ImportedRecord
  ) throws(Rejection) {
    let isSystem = fields.text(name).starts(with: "statsig::".utf8)
    let isExposure = isSystem && fields.text(name).suffix(9).elementsEqual("_exposure".utf8)
    guard isExposure || !isSystem else {
      return record.ignore("events of the system, such as changes of configurations")
    }
    let time = try fields.time(
      fields.take(among: "timestamp | time"), named: "timestamp")
    let unit = try takeUnit(&fields)
    let key = fields.take("timeUUID")
    if isExposure {
      try readExposure(&fields, time, unit, into: &record)
    } else {
      let index = try record.add(.conversion, at: time, unit: unit, fields)
      try fields.set(.goal, of: &record.events[index], to: name)
      let metadata = fields.find("metadata") ?? fields.find("company_metadata")
      if metadata.flatMap({ fields.find("currency", in: $0) }) != nil {
        let value = fields.take(among: "value | event_value")
        try fields.setRevenue(of: &record.events[index], to: value, named: "value")
      }
      try fields.addUnused(to: .metadata, of: &record.events[index])
    }
    record.identify(by: key, fields, isUnique: true)
  }

  /// Returns the id that `unitID` names, such as `stableID`, else the user's.
  private func takeUnit(_ fields: inout FieldTree) throws(Rejection) -> FieldTree.Field {
    let user = fields.find("user")
    if let user, let kind = fields.find("unitID"), !fields.text(kind, is: "userID") {
      let wanted = fields.text(kind)
      let place = fields.find("customIDs", in: user) ?? user
      if let unit = fields.find(wanted, in: place) ?? fields.find(wanted, in: user) {
        fields.use(unit)
        return unit
      }
    }
    if let unit = fields.takeUnit(among: "userID | user_id | stable_id") { return unit }
    let unit = user.flatMap { user in
      fields.take("userID", in: user)
        ?? fields.find("customIDs", in: user).flatMap { fields.take("stableID", in: $0) }
    }
    guard let unit else { throw Rejection(.event, "there is no \"userID\" or \"user.userID\"") }
    return unit
  }

  /// Reads an exposure: of a gate, of an experiment, alone or in a layer, of a dynamic configuration or of a holdout.
  private func readExposure(
    _ fields: inout FieldTree, _ time: Timestamp, _ unit: FieldTree.Field,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    var details: FieldTree.Field?
    for name: StaticString in ["metadata", "statsigMetadata", "statsig_metadata"]
    where details == nil {
      details = fields.find(name).flatMap { object in
        fields.find("gate", in: object) ?? fields.find("config", in: object) == nil ? nil : object
      }
    }
    guard let details else {
      throw Rejection(.event, "there is no \"metadata.gate\" or \"metadata.config\"")
    }
    let gate = fields.take("gate", in: details)
    var experiment = gate ?? fields.take("allocatedExperiment", in: details)
    if experiment.map({ fields.text($0).isEmpty }) ?? true {
      experiment = fields.take("config", in: details)
    }
    var variant = gate == nil ? nil : fields.take("gateValue", in: details)
    variant = variant ?? fields.take("ruleID", in: details)
    if variant.map({ fields.text($0).isEmpty }) ?? true {
      variant = fields.take("experimentGroupName", in: details)
    }
    guard let experiment, let variant else {
      throw Rejection(
        .event, "there is no \"metadata.gateValue\", \"ruleID\" or \"experimentGroupName\"")
    }
    try record.addDecision(at: time, unit: unit, experiment: experiment, variant: variant, &fields)
  }
}
