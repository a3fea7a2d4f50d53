import Events

/// Converts the lines of a Decision Service log to events.
public struct DecisionServiceReader: MemorylessReader {
  let experiment: [UInt8]
  /// The prefix of units without a name, before their number.
  let unitPrefix: [UInt8]
  let names: DecisionServiceJSON.ActionNames
  /// The number of attributes that the context of every slot of the current event begins with.
  var sharedContextCount = 0
  /// The actions chosen for the slots of the current event so far.
  var chosenBefore: [Int] = []
  /// The actions of the current event.
  var actions = DecisionServiceActions()
  /// The ranking of the current event or slot.
  var ranking = DecisionServiceRanking()

  init(_ input: ImportInput, names: DecisionServiceJSON.ActionNames) throws(ImportError) {
    let name = try input.experimentName()
    experiment = Array(name.utf8)
    unitPrefix = input.unitPrefix(name)
    self.names = names
  }

  public var ignoresOtherLines: Bool { true }

  public mutating func read(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    _ = fields.take("Version")
    let list = fields.find("a")
    if list == nil, fields.find("c") == nil, Self.isOutcome(fields) {
      return try readOutcome(&fields, into: &record)
    }
    if fields.find("_label_ca") != nil || fields.find("pdf") != nil {
      return record.ignore("events with a continuous action")
    }
    try Self.requireDropProbability(fields)
    try actions.read(&fields, names)
    if let outcomes = fields.find("_outcomes") {
      try readSlots(&fields, outcomes, into: &record)
    } else if actions.isEmpty || (list == nil && fields.find("_label_Action") == nil) {
      record.ignore("events without actions or without a chosen one")
    } else {
      try readSingle(&fields, into: &record)
    }
  }

  private static func isOutcome(_ fields: FieldTree) -> Bool {
    fields.find("RewardValue") != nil || fields.find("Observations") != nil
      || fields.find("DeferredAction") != nil || fields.find("EnqueuedTimeUtc") != nil
  }

  private static func requireDropProbability(_ fields: FieldTree) throws(Rejection) {
    guard let dropped = try fields.number(fields.find("pdrop"), named: "pdrop") else { return }
    guard dropped >= 0, dropped < 1 else {
      throw Rejection(.number, "\"pdrop\" is \(dropped) and must be at least 0 and less than 1")
    }
  }

  /// Returns the time of a line, and whether it is assumed, because the line has none.
  func time(
    _ field: FieldTree.Field?, _ fields: inout FieldTree, line: Int
  ) throws(Rejection) -> (time: Timestamp, isAssumed: Bool) {
    guard let field else {
      return (fields.times.lastTime() ?? Timestamp(microseconds: Int64(line) * 1_000_000), true)
    }
    let time = try fields.time(field, named: "Timestamp")
    fields.times.last = time
    return (time, false)
  }
}

// Outcomes whose decisions are in another file.
extension DecisionServiceReader {
  private mutating func readOutcome(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    let unit = fields.text(try fields.require("EventId"))
    let (time, isAssumed) = try time(
      fields.take(among: "EnqueuedTimeUtc | Timestamp"), &fields, line: record.line)
    let reward = try Self.number(fields.take("RewardValue"), fields, named: "RewardValue")
    if Self.isActivation(fields) {
      let index = record.add(.decisionConfirmed, at: time)
      begin(&record.events[index], unit: unit)
    }
    _ = fields.take("DeferredAction")
    guard let reward else {
      if record.count == 0 { record.ignore("outcomes without a reward") }
      return
    }
    let index = record.add(.goal, at: time)
    begin(&record.events[index], unit: unit)
    record.events[index][.goal] = record.events[index].add("reward")
    record.events[index].value = reward
    if isAssumed {
      record.events[index].addMetadata("time", .text(record.events[index].add("assumed")))
    }
    // No id: that of the record is the id of its decision, and an event may have several outcomes.
    try fields.addUnused(to: .metadata, of: &record.events[index])
  }

  /// Returns whether an outcome says that its deferred decision counts now.
  private static func isActivation(_ fields: FieldTree) -> Bool {
    if let flag = fields.find("DeferredAction") { return fields.flag(flag) == false }
    return isActivated(fields.find("Observations"), fields)
  }

  /// Returns whether one of the observations of an event says that its action was taken.
  static func isActivated(_ observations: FieldTree.Field?, _ fields: FieldTree) -> Bool {
    guard let observations else { return false }
    return fields.children(of: observations).contains { observation in
      fields.find("DeferredAction", in: observation).map { fields.flag($0) == false }
        ?? fields.find("ActionTaken", in: observation).map { fields.flag($0) == true } ?? false
    }
  }

  /// Returns a field as a number; nil if there is none, or a text that means none.
  static func number(
    _ field: FieldTree.Field?, _ fields: FieldTree, named name: String
  ) throws(Rejection) -> Double? {
    guard let field else { return nil }
    if fields.text(field).count == 3, fields.string(field).lowercased() == "nan" { return nil }
    return try fields.number(field, named: name)
  }

  /// Sets the fields of an event that all have.
  func begin(_ event: inout EventRecord, unit: ArraySlice<UInt8>) {
    event[.experiment] = event.add(experiment[...])
    event[.unit] = event.add(unit)
  }
}

extension EventRecord {
  /// Adds an attribute to the metadata, whose name is not in it yet.
  mutating func addMetadata(_ name: String, _ value: Value) {
    hasMetadata = true
    metadata.append(Attribute(name: add(name), value: value))
  }
}
