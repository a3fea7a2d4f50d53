import Events

extension DecisionServiceReader {
  /// The most bytes that the decisions of one event may have, each of which may have all that the event has.
  private static let mostBytes = 256 << 20

  /// Reads an event with a decision for each of its slots.
  mutating func readSlots(
    _ fields: inout FieldTree, _ list: FieldTree.Field, into record: inout ImportedRecord
  ) throws(Rejection) {
    fields.use(list)
    let outcomes = fields.children(of: list)
    guard !outcomes.isEmpty, !actions.isEmpty else {
      return record.ignore("events without actions or without a chosen one")
    }
    guard outcomes.count <= Self.mostBytes / fields.text(fields.root).count else {
      throw Rejection(.event, "\(outcomes.count) slots are too many for an event of this length")
    }
    let key = fields.take("EventId")
    let line = try line(&fields, key: key, number: record.line)
    for name: StaticString in ["_label_Action", "_labelIndex", "_label_probability"] {
      _ = fields.take(name)
    }
    let whole = try DecisionServiceReward(&fields, in: fields.root)
    chosenBefore.removeAll(keepingCapacity: true)
    let slots = fields.take("c", "_slots").map { fields.children(of: $0) } ?? []
    guard slots.isEmpty || slots.count >= outcomes.count else {
      throw Rejection(.event, "there are \(outcomes.count) outcomes for \(slots.count) slots")
    }
    for (number, outcome) in outcomes.enumerated() {
      let place = number < slots.count ? slots[number] : nil
      let slot = Slot(number: number, outcome: outcome, place: place)
      let before = record.count
      try add(slot, line, &fields, to: &record)
      // The name of a slot is a place on the page, which all events have.
      if let key {
        let id = fields.text(key) + "#\(slot.name)".utf8
        for (ordinal, index) in (before..<record.count).enumerated() {
          record.events[index].identify(by: id, ordinal: ordinal)
        }
      }
    }
    try addShared(whole, line, key, fields, to: &record)
  }

  /// Adds the reward of all slots together, unless one of them has its own.
  private func addShared(
    _ reward: DecisionServiceReward, _ line: DecisionServiceLine, _ key: FieldTree.Field?,
    _ fields: FieldTree, to record: inout ImportedRecord
  ) throws(Rejection) {
    guard !record.events[..<record.count].contains(where: { $0.kind == .goal }) else { return }
    let before = record.count
    try add(reward, line, slot: nil, fields, to: &record)
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

  private mutating func add(
    _ slot: Slot, _ line: DecisionServiceLine, _ fields: inout FieldTree,
    to record: inout ImportedRecord
  ) throws(Rejection) {
    let name = fields.take("_id", in: slot.outcome)
    guard let list = fields.take("_a", in: slot.outcome) ?? fields.take("a", in: slot.outcome)
    else { throw Rejection(.item, "the outcome of slot \(slot.name) has no \"_a\"") }
    let chances = fields.take("_p", in: slot.outcome) ?? fields.take("p", in: slot.outcome)
    let isSlate = !actions.slates.isEmpty
    let own = slot.number < actions.slates.count ? actions.slates[slot.number] : []
    try ranking.read(
      list, chances, base: 0, count: isSlate ? own.count : actions.count, fields)
    let reward = try DecisionServiceReward(&fields, in: slot.outcome)
    let index = record.add(.decision, at: line.time)
    let choices = isSlate ? Choices.listed(own) : try allowed(slot, fields)
    let copy = try fill(&record.events[index], line, choices, &fields)
    chosenBefore.append(ranking.chosen)
    record.events[index][.slot] = record.events[index].add(slot.name)
    record.events[index].propensity = ranking.probabilities.first
    try addContext(of: slot, index, copy, &fields, to: &record, named: name)
    confirm(index, line, reward, fields, in: &record)
    try add(reward, line, slot: slot.name, fields, to: &record)
  }

  /// Returns the choices of a slot: the actions in its list or, if only the chosen one is given, those that it allows
  /// without those of earlier slots.
  private func allowed(_ slot: Slot, _ fields: FieldTree) throws(Rejection) -> Choices {
    guard ranking.actions.count == 1, let place = slot.place,
      let list = fields.find("_inc", in: place), !fields.children(of: list).isEmpty
    else { return .ranked }
    var allowed = DecisionServiceRanking()
    try allowed.read(list, nil, base: 0, count: actions.count, fields)
    let rest = Set(allowed.actions).subtracting(chosenBefore).union(ranking.actions)
    return .listed(rest.sorted())
  }

  private mutating func addContext(
    of slot: Slot, _ index: Int, _ copy: Int, _ fields: inout FieldTree,
    to record: inout ImportedRecord, named name: FieldTree.Field?
  ) throws(Rejection) {
    if slot.number == 0 {
      try addContext(&fields, copy, to: &record.events[index])
      sharedContextCount = record.events[index].context.count
    } else {
      // The fields were used for the first slot, where those of the slot itself follow them.
      let first = record.events[0]
      record.events[index].copyContext(of: first, sharedContextCount)
    }
    if let place = slot.place {
      _ = fields.take("_inc", in: place)
      let own = fields.take("_id", in: place)
      if let name = name ?? own { record.events[index].addSlotName(fields.text(name)) }
      _ = try fields.flatten(
        place, into: .context, of: &record.events[index], copy: copy, under: "_slot")
    }
    if slot.place == nil, let name { record.events[index].addSlotName(fields.text(name)) }
    try fields.addUnused(to: .context, of: &record.events[index], under: slot.outcome)
    try record.requireSize()
  }
}

extension EventRecord {
  /// Sets the id of an event of a record: the record's key for the first event, with a number behind it for others.
  fileprivate mutating func identify(by key: ArraySlice<UInt8>, ordinal: Int) {
    self[.id] = add(ordinal == 0 ? key : key + "/\(ordinal + 1)".utf8)
  }

  /// Adds what the application calls a slot to the context.
  fileprivate mutating func addSlotName(_ name: ArraySlice<UInt8>) {
    hasContext = true
    context.append(Attribute(name: add("_slot._id"), value: .text(add(name))))
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
