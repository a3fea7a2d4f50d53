import Events

/// The fields of a decision and its reward that all decisions of one line share.
struct DecisionServiceLine {
  var unit: ArraySlice<UInt8>
  var time: Timestamp
  var isTimeAssumed: Bool
  var policy: FieldTree.Field?
  var isDeferred: Bool
}

/// The reward of a decision.
struct DecisionServiceReward {
  /// The cost; nil if there is no label.
  var cost: Double?
  /// The cost before shaping, if it differs from the cost.
  var original: Double?
  /// The observations that the cost was computed from.
  var observations: FieldTree.Field?

  init(
    _ fields: inout FieldTree, in object: FieldTree.Field
  ) throws(Rejection) {
    cost = try DecisionServiceReader.number(
      fields.take("_label_cost", in: object), fields, named: "_label_cost")
    let written = try DecisionServiceReader.number(
      fields.take("_original_label_cost", in: object), fields, named: "_original_label_cost")
    original = written == cost ? nil : written
    observations = fields.take("o", in: object) ?? fields.take("_o", in: object)
  }
}

extension DecisionServiceReader {
  /// Reads an event with one decision.
  mutating func readSingle(
    _ fields: inout FieldTree, into record: inout ImportedRecord
  ) throws(Rejection) {
    if Self.hasFeedback(fields) {
      return record.ignore("events of interaction-grounded learning, whose feedback is no reward")
    }
    let key = fields.take("EventId")
    let line = try line(&fields, key: key, number: record.line)
    try readRanking(&fields)
    let reward = try DecisionServiceReward(&fields, in: fields.root)
    let index = record.add(.decision, at: line.time)
    let choices = actions.areListed ? Choices.all : .ranked
    let copy = try fill(&record.events[index], line, choices, &fields)
    record.events[index].propensity =
      try fields.number(fields.take("_label_probability"), named: "_label_probability")
      ?? ranking.probabilities.first
    try addContext(&fields, copy, to: &record.events[index])
    confirm(index, line, reward, fields, in: &record)
    try add(reward, line, slot: nil, fields, to: &record)
    if let key { record.identify(by: key, fields) }
  }

  /// Whether the observations are feedback without a known value, as in interaction-grounded learning. Such events are
  /// left out whatever their action, so that no selection of them stays.
  private static func hasFeedback(_ fields: FieldTree) -> Bool {
    guard let observations = fields.find("o") ?? fields.find("_o") else { return false }
    return fields.children(of: observations).contains { observation in
      fields.find("_definitely_bad", in: observation) != nil
        || fields.find("v", in: observation).map { fields.isObject($0) } == true
    }
  }

  private mutating func readRanking(_ fields: inout FieldTree) throws(Rejection) {
    let chosen = fields.take("_label_Action")
    _ = fields.take("_labelIndex")
    let count = actions.count
    guard let list = fields.find("a") else {
      guard let chosen else { throw Rejection(.item, "there is no \"a\" or \"_label_Action\"") }
      return try ranking.read(chosen, nil, base: 1, count: count, fields)
    }
    var chances = fields.find("p")
    if let other = fields.find("_p"), chances.map({ $0.index < other.index }) ?? true {
      chances = other
    }
    try ranking.read(list, chances, base: 1, count: count, fields)
    if let chosen, let number = fields.number(chosen), number != Double(ranking.chosen + 1) {
      throw Rejection(
        .item,
        "\"_label_Action\" is \(fields.string(chosen)) and the first of \"a\" is action \(ranking.chosen + 1)"
      )
    }
    // A ranking of only some actions does not fit the choices and stays as it is written.
    if ranking.actions.count == count ?? ranking.actions.count || ranking.actions.count == 1 {
      fields.use(list)
      if let chances { fields.use(chances) }
    }
  }
}

/// The choices of a decision.
enum Choices {
  /// All actions of the event.
  case all
  /// The actions in the ranking.
  case ranked
  /// Some actions, as indices among all.
  case listed([Int])
}

// The common part of decisions with and without slots.
extension DecisionServiceReader {
  mutating func line(
    _ fields: inout FieldTree, key: FieldTree.Field?, number: Int
  ) throws(Rejection) -> DecisionServiceLine {
    let (time, isAssumed) = try time(
      fields.take("Timestamp") ?? fields.take("EnqueuedTimeUtc"), &fields, line: number)
    let deferred = fields.take("_deferred") ?? fields.take("DeferredAction")
    let unit = key.map { fields.text($0) } ?? (unitPrefix + "\(number)".utf8)[...]
    return DecisionServiceLine(
      unit: unit, time: time, isTimeAssumed: isAssumed, policy: fields.take("VWState", "m"),
      isDeferred: deferred.map { fields.flag($0) == true } ?? false)
  }

  /// Fills a decision with everything but its context and propensity.
  ///
  /// - Returns: The place of a copy of the fields' bytes in the event.
  /// - Throws: ``Rejection`` if a name occurs twice in the features of an action.
  func fill(
    _ event: inout EventRecord, _ line: DecisionServiceLine, _ choices: Choices,
    _ fields: inout FieldTree
  ) throws(Rejection) -> Int {
    let copy = fields.copyBytes(to: &event)
    begin(&event, unit: line.unit)
    try fields.set(.policy, of: &event, to: line.policy)
    if line.isTimeAssumed { event[.reason] = event.add("assumed time") }
    if line.isDeferred { event.status = .provisional }
    event.hasChoices = true
    let count =
      switch choices {
      case .all: actions.all.count
      case .ranked: ranking.actions.count
      case .listed(let some): some.count
      }
    for position in 0..<count {
      let action =
        switch choices {
        case .all: position
        case .ranked: ranking.actions[ranking.order[position]]
        case .listed(let some): some[position]
        }
      let number = actions.slates.isEmpty ? action : position
      let name = actions.addName(of: action, number: number + 1, fields, to: &event)
      event.choices.append(name)
      if number == ranking.chosen { event[.variant] = name }
      guard actions.areListed else { continue }
      let features = try fields.flatten(
        actions.all[action], into: .features, of: &event, copy: copy)
      guard features > 0 else { continue }
      event.featureGroups.append(EventRecord.FeatureGroup(variant: name, count: features))
    }
    guard ranking.probabilities.count == count else { return copy }
    event.hasProbabilities = true
    for position in ranking.order { event.probabilities.append(ranking.probabilities[position]) }
    return copy
  }

  func addContext(
    _ fields: inout FieldTree, _ copy: Int, to event: inout EventRecord
  ) throws(Rejection) {
    if let shared = fields.find("c"), fields.isObject(shared) {
      _ = try fields.flatten(shared, into: .context, of: &event, copy: copy)
      fields.use(shared)
    }
    try fields.addUnused(to: .context, of: &event)
  }

  /// Adds the confirmation of a deferred decision whose observations say that its action was taken.
  func confirm(
    _ decision: Int, _ line: DecisionServiceLine, _ reward: DecisionServiceReward,
    _ fields: FieldTree, in record: inout ImportedRecord
  ) {
    guard line.isDeferred, Self.isActivated(reward.observations, fields) else { return }
    let slot = record.events[decision].string(.slot)
    let index = record.add(.decisionConfirmed, at: line.time)
    begin(&record.events[index], unit: line.unit)
    if let slot { record.events[index][.slot] = record.events[index].add(slot) }
  }

  func add(
    _ reward: DecisionServiceReward, _ line: DecisionServiceLine, slot: String?,
    _ fields: FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    guard let cost = reward.cost, cost != 0 || reward.original != nil else { return }
    let index = record.add(.goal, at: line.time)
    begin(&record.events[index], unit: line.unit)
    if let slot { record.events[index][.slot] = record.events[index].add(slot) }
    record.events[index][.goal] = record.events[index].add("reward")
    record.events[index].value = 0 - cost
    if let original = reward.original {
      record.events[index].addMetadata("_original_label_cost", .number(original))
    }
    if let observations = reward.observations {
      let text = record.events[index].add(fields.text(observations))
      record.events[index].addMetadata("o", .text(text))
    }
  }
}
