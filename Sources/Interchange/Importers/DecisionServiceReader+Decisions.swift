import Events

/// The fields of a decision and its reward that all decisions of one line share.
private struct DecisionServiceLine {
  var unit: ArraySlice<UInt8>
  var time: Timestamp
  var isTimeAssumed: Bool
  var policy: FieldTree.Field?
  var isDeferred: Bool
}

/// The reward of a decision.
private struct DecisionServiceReward {
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
    _ fields: inout FieldTree, _ actions: DecisionServiceActions, into record: inout ImportedRecord
  ) throws(Rejection) {
    let key = fields.take("EventId")
    let line = try line(&fields, key: key, number: record.line)
    let ranking = try Self.singleRanking(&fields, actions)
    let reward = try DecisionServiceReward(&fields, in: fields.root)
    let index = record.add(.decision, at: line.time)
    let choices = actions.all.map { Array($0.indices) }
    try fill(&record.events[index], line, ranking, choices, actions, fields)
    record.events[index].propensity =
      try fields.number(fields.take("_label_probability"), named: "_label_probability")
      ?? ranking.probabilities.first
    try addContext(&fields, to: &record.events[index])
    confirm(index, line, reward, fields, in: &record)
    try add(reward, line, slot: nil, fields, to: &record)
    if let key { record.identify(by: key, fields) }
  }

  private static func singleRanking(
    _ fields: inout FieldTree, _ actions: DecisionServiceActions
  ) throws(Rejection) -> DecisionServiceRanking {
    let chosen = fields.take("_label_Action")
    _ = fields.take("_labelIndex")
    let count = actions.all?.count
    guard let list = fields.find("a") else {
      guard let chosen else { throw Rejection(.item, "there is no \"a\" or \"_label_Action\"") }
      return try DecisionServiceRanking(chosen: chosen, count: count, fields)
    }
    var chances = fields.find("p")
    if let other = fields.find("_p"), chances.map({ $0.index < other.index }) ?? true {
      chances = other
    }
    let ranking = try DecisionServiceRanking(list, chances, base: 1, count: count, fields)
    if let chosen, let number = fields.number(chosen), number != Double(ranking.actions[0] + 1) {
      throw Rejection(
        .item,
        "\"_label_Action\" is \(fields.string(chosen)) and the first of \"a\" is action \(ranking.actions[0] + 1)"
      )
    }
    // A ranking of only some actions does not fit the choices and stays as it is written.
    if ranking.actions.count == count ?? ranking.actions.count || ranking.actions.count == 1 {
      fields.use(list)
      if let chances { fields.use(chances) }
    }
    return ranking
  }

  /// Reads an event with a decision for each of its slots.
  mutating func readSlots(
    _ fields: inout FieldTree, _ list: FieldTree.Field, _ actions: DecisionServiceActions,
    into record: inout ImportedRecord
  ) throws(Rejection) {
    fields.use(list)
    let outcomes = fields.children(of: list)
    guard let first = outcomes.first, !actions.isEmpty else {
      return record.ignore("events without actions or without a chosen one")
    }
    let key = fields.take("EventId") ?? fields.find("_id", in: first)
    let line = try line(&fields, key: key, number: record.line)
    for name: StaticString in ["_label_Action", "_labelIndex", "_label_probability"] {
      _ = fields.take(name)
    }
    let whole = try DecisionServiceReward(&fields, in: fields.root)
    let slots = fields.take("c", "_slots").map { fields.children(of: $0) } ?? []
    guard slots.isEmpty || slots.count >= outcomes.count else {
      throw Rejection(.event, "there are \(outcomes.count) outcomes for \(slots.count) slots")
    }
    var keys: [ArraySlice<UInt8>] = []
    for (number, outcome) in outcomes.enumerated() {
      let place = number < slots.count ? slots[number] : nil
      let slot = Slot(number: number, outcome: outcome, place: place)
      let before = record.count
      try add(slot, line, actions, &fields, to: &record)
      if let id = slotKey(slot, key, &fields, besides: keys) {
        keys.append(id)
        for (ordinal, index) in (before..<record.count).enumerated() {
          record.events[index].identify(by: id, ordinal: ordinal)
        }
      }
    }
    guard !record.events[..<record.count].contains(where: { $0.kind == .goal }) else { return }
    let before = record.count
    try add(whole, line, slot: nil, fields, to: &record)
    if let key, before < record.count {
      record.events[before].identify(by: fields.text(key) + "#reward".utf8, ordinal: 0)
    }
  }

  /// A slot of an event.
  private struct Slot {
    var number: Int
    var outcome: FieldTree.Field
    var place: FieldTree.Field?
    var name: String { String(number + 1) }
  }

  /// Returns the id of a slot's decision: that of the slot unless an earlier slot of the event has it too.
  private func slotKey(
    _ slot: Slot, _ key: FieldTree.Field?, _ fields: inout FieldTree,
    besides others: [ArraySlice<UInt8>]
  ) -> ArraySlice<UInt8>? {
    var own = fields.find("_id", in: slot.outcome)
    if own == nil, let place = slot.place { own = fields.find("_id", in: place) }
    if let own, !others.contains(fields.text(own)) { return fields.text(own) }
    return key.map { fields.text($0) + "#\(slot.name)".utf8 }
  }

  private mutating func add(
    _ slot: Slot, _ line: DecisionServiceLine, _ actions: DecisionServiceActions,
    _ fields: inout FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    _ = fields.take("_id", in: slot.outcome)
    guard let list = fields.take("_a", in: slot.outcome) ?? fields.take("a", in: slot.outcome)
    else { throw Rejection(.item, "the outcome of slot \(slot.name) has no \"_a\"") }
    let chances = fields.take("_p", in: slot.outcome) ?? fields.take("p", in: slot.outcome)
    let isSlate = !actions.slates.isEmpty
    let own = slot.number < actions.slates.count ? actions.slates[slot.number] : []
    let ranking = try DecisionServiceRanking(
      list, chances, base: 0, count: isSlate ? own.count : actions.all?.count, fields)
    let reward = try DecisionServiceReward(&fields, in: slot.outcome)
    let index = record.add(.decision, at: line.time)
    try fill(&record.events[index], line, ranking, isSlate ? own : nil, actions, fields)
    record.events[index][.slot] = record.events[index].add(slot.name)
    record.events[index].propensity = ranking.probabilities.first
    try addContext(of: slot, index, &fields, to: &record)
    confirm(index, line, reward, fields, in: &record)
    try add(reward, line, slot: slot.name, fields, to: &record)
  }

  private mutating func addContext(
    of slot: Slot, _ index: Int, _ fields: inout FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    if slot.number == 0 {
      try addContext(&fields, to: &record.events[index])
      sharedContextCount = record.events[index].context.count
    } else {
      // The fields were used for the first slot, where those of the slot itself follow them.
      let first = record.events[0]
      record.events[index].copyContext(of: first, sharedContextCount)
    }
    if let place = slot.place {
      _ = fields.take("_inc", in: place)
      _ = fields.take("_id", in: place)
      _ = try fields.flatten(place, into: .context, of: &record.events[index], under: "_slot")
    }
    try fields.addUnused(to: .context, of: &record.events[index], under: slot.outcome)
  }
}

extension DecisionServiceReader {
  private mutating func line(
    _ fields: inout FieldTree, key: FieldTree.Field?, number: Int
  ) throws(Rejection) -> DecisionServiceLine {
    let (time, isAssumed) = try time(
      fields.take(firstOf: "Timestamp", "EnqueuedTimeUtc"), fields, line: number)
    let deferred = fields.take(firstOf: "_deferred", "DeferredAction")
    let unit = key.map { fields.text($0) } ?? (experiment + "-\(number)".utf8)[...]
    return DecisionServiceLine(
      unit: unit, time: time, isTimeAssumed: isAssumed, policy: fields.take("VWState", "m"),
      isDeferred: deferred.map { fields.flag($0) == true } ?? false)
  }

  /// Fills a decision with everything but its context and propensity.
  ///
  /// - Parameters:
  ///   - choices: The actions of which one was chosen, as indices among all; nil for those in the ranking.
  private func fill(
    _ event: inout EventRecord, _ line: DecisionServiceLine, _ ranking: DecisionServiceRanking,
    _ choices: [Int]?, _ actions: DecisionServiceActions, _ fields: FieldTree
  ) throws(Rejection) {
    begin(&event, unit: line.unit)
    fields.set(.policy, of: &event, to: line.policy)
    if line.isTimeAssumed { event[.reason] = event.add("assumed time") }
    if line.isDeferred { event.status = .provisional }
    event.hasChoices = true
    let order = try ranking.inOrder()
    let count = choices?.count ?? order.count
    for position in 0..<count {
      let number = choices == nil ? ranking.actions[order[position]] : position
      let action = choices.map { $0[position] } ?? number
      let name = actions.addName(of: action, number: number + 1, fields, to: &event)
      event.choices.append(name)
      if number == ranking.actions[0] { event[.variant] = name }
      guard let all = actions.all else { continue }
      let features = try fields.flatten(all[action], into: .features, of: &event)
      guard features > 0 else { continue }
      event.featureGroups.append(EventRecord.FeatureGroup(variant: name, count: features))
    }
    guard !ranking.probabilities.isEmpty, order.count == count else { return }
    event.hasProbabilities = true
    for position in order { event.probabilities.append(ranking.probabilities[position]) }
  }

  private func addContext(
    _ fields: inout FieldTree, to event: inout EventRecord
  ) throws(Rejection) {
    if let shared = fields.find("c"), fields.isObject(shared) {
      _ = try fields.flatten(shared, into: .context, of: &event)
      fields.use(shared)
    }
    try fields.addUnused(to: .context, of: &event)
  }

  /// Adds the confirmation of a deferred decision whose observations say that its action was taken.
  private func confirm(
    _ decision: Int, _ line: DecisionServiceLine, _ reward: DecisionServiceReward,
    _ fields: FieldTree, in record: inout ImportedRecord
  ) {
    guard line.isDeferred, Self.isActivated(reward.observations, fields) else { return }
    let slot = record.events[decision].string(.slot)
    let index = record.add(.decisionConfirmed, at: line.time)
    begin(&record.events[index], unit: line.unit)
    if let slot { record.events[index][.slot] = record.events[index].add(slot) }
  }

  private func add(
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

extension EventRecord {
  /// Sets the id of an event of a record: the record's key for the first event, with a number behind it for others.
  fileprivate mutating func identify(by key: ArraySlice<UInt8>, ordinal: Int) {
    self[.id] = add(ordinal == 0 ? key : key + "/\(ordinal + 1)".utf8)
  }

  /// Copies the first attributes of another event's context.
  fileprivate mutating func copyContext(of other: EventRecord, _ count: Int) {
    for attribute in other.context.prefix(count) {
      hasContext = true
      let name = add(other.bytes[attribute.name.range])
      var value = attribute.value
      if case .text(let text) = value { value = .text(add(other.bytes[text.range])) }
      context.append(Attribute(name: name, value: value))
    }
  }
}
