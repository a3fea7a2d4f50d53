import Events

/// Converts events in Vowpal Wabbit's text format.
struct VowpalWabbitReader: BlockReader {
  /// The most bytes that the decisions of one event may have, each of which may have all that the event has.
  private static let mostBytes = 256 << 20

  private let experiment: [UInt8]
  /// The prefix of units, before their number.
  private let unitPrefix: [UInt8]
  /// The number of the event in the input.
  private var number = 0

  init(_ input: ImportInput) throws(ImportError) {
    let name = try input.experimentName()
    experiment = Array(name.utf8)
    unitPrefix = input.unitPrefix(name)
  }

  mutating func read(_ block: LineBlock, into record: inout ImportedRecord) throws(Rejection) {
    number = block.index
    guard UTF8Check.isValid(block.bytes) else {
      throw Rejection(.encoding, "the event is not UTF-8")
    }
    let lines = block.lines.map { VowpalWabbitLine(block.bytes[$0]) }
    if lines.contains(where: { $0.kind == .other }) {
      return record.ignore("slates and events with a continuous action")
    }
    let hasSlots = lines.contains { $0.kind == .slot || $0.kind == .slotAction }
    if hasSlots {
      try readSlots(VowpalWabbitEvent(block.bytes, lines), into: &record)
    } else if block.isOneLine, lines.count == 1, lines[0].kind == .plain {
      try readLine(lines[0], block.bytes, into: &record)
    } else {
      try readActions(VowpalWabbitEvent(block.bytes, lines), into: &record)
    }
    if record.count == 0 { record.ignore("events without a chosen action") }
  }

  /// Reads an event on a line of its own.
  private func readLine(
    _ line: VowpalWabbitLine, _ bytes: [UInt8], into record: inout ImportedRecord
  ) throws(Rejection) {
    var labels: [VowpalWabbitLabel] = []
    for word in line.words { labels.append(try VowpalWabbitLabel(bytes[word])) }
    guard let chosen = try Self.observed(labels) else { return }
    guard Set(labels.map(\.action)).count == labels.count else {
      throw Rejection(.item, "an action occurs twice in the label")
    }
    let index = addDecision(to: &record, slot: nil)
    record.events[index][.variant] = record.events[index].add(labels[chosen].action)
    if labels.count > 1 {
      record.events[index].hasChoices = true
      for label in labels {
        record.events[index].choices.append(record.events[index].add(label.action))
      }
    }
    record.events[index].propensity = labels[chosen].probability
    try VowpalWabbitFeatures.add(of: line, bytes, to: .context, of: &record.events[index])
    let others = labels.indices.filter { $0 != chosen && labels[$0].cost != nil }
      .map { (String(decoding: labels[$0].action, as: UTF8.self), labels[$0].cost ?? 0) }
    addReward(labels[chosen].cost, slot: nil, costsOfOthers: others, to: &record)
  }

  /// Returns the index of the label of the chosen action: of the first that has a cost and a probability, as in Vowpal
  /// Wabbit, else of the only one that has a cost; nil if none has.
  private static func observed(_ labels: [VowpalWabbitLabel]) throws(Rejection) -> Int? {
    if let observed = labels.firstIndex(where: { $0.cost != nil && ($0.probability ?? 0) > 0 }) {
      return observed
    }
    let known = labels.indices.filter { labels[$0].cost != nil }
    guard known.count < 2 else {
      throw Rejection(
        .event,
        "\(known.count) actions have a cost and none of them a probability; write that of the chosen one as "
          + "action:cost:probability"
      )
    }
    return known.first
  }

  /// Reads an event with a line for each action.
  private func readActions(
    _ event: VowpalWabbitEvent, into record: inout ImportedRecord
  ) throws(Rejection) {
    var actions: [Int] = []
    var labels: [VowpalWabbitLabel] = []
    for (action, line) in event.actions.enumerated() {
      guard let word = line.words.first else { continue }
      let label = try VowpalWabbitLabel(event.bytes[word])
      guard label.cost != nil else { continue }
      guard line.words.count == 1 else {
        throw Rejection(.event, "the line of an action has several labels; keep one")
      }
      actions.append(action)
      labels.append(label)
    }
    guard labels.count(where: { ($0.probability ?? 0) > 0 }) < 2 else {
      throw Rejection(.event, "two actions have a cost and a probability; only one was chosen")
    }
    guard let chosen = try Self.observed(labels) else { return }
    let index = addDecision(to: &record, slot: nil)
    try event.addShared(to: &record.events[index])
    try event.addChoices(
      Array(event.actions.indices), chosen: actions[chosen], to: &record.events[index])
    record.events[index].propensity = labels[chosen].probability
    let others = labels.indices.filter { $0 != chosen }
      .map { (String(actions[$0] + 1), labels[$0].cost ?? 0) }
    addReward(labels[chosen].cost, slot: nil, costsOfOthers: others, to: &record)
  }

  /// Reads an event with slots.
  private func readSlots(
    _ event: VowpalWabbitEvent, into record: inout ImportedRecord
  ) throws(Rejection) {
    guard event.slots.count <= Self.mostBytes / event.bytes.count else {
      throw Rejection(.event, "\(event.slots.count) slots are too many for an event of this length")
    }
    var taken: Set<Int> = []
    for (number, line) in event.slots.enumerated() {
      guard let slot = try VowpalWabbitSlot(line, event) else { continue }
      let name = String(number + 1)
      let index = addDecision(to: &record, slot: name)
      try event.addShared(to: &record.events[index])
      try VowpalWabbitFeatures.add(
        of: line, event.bytes, to: .context, of: &record.events[index], under: "_slot")
      let choices = slot.choices(besides: taken)
      try event.addChoices(choices, chosen: slot.ranking[0], to: &record.events[index])
      record.events[index].propensity = slot.probabilities.first
      if slot.ranking.count > 1 {
        record.events[index].hasProbabilities = true
        let places = slot.ranking.indices.sorted { slot.ranking[$0] < slot.ranking[$1] }
        for place in places { record.events[index].probabilities.append(slot.probabilities[place]) }
      }
      taken.insert(slot.ranking[0])
      try record.requireSize()
      addReward(slot.cost, slot: name, to: &record)
    }
  }

  private func addDecision(to record: inout ImportedRecord, slot: String?) -> Int {
    let index = record.add(.decision, at: time)
    begin(&record.events[index], slot: slot)
    return index
  }

  /// Adds the goal of a decision, unless its cost is 0 and there is nothing else to keep.
  private func addReward(
    _ cost: Double?, slot: String?, costsOfOthers: [(action: String, cost: Double)] = [],
    to record: inout ImportedRecord
  ) {
    guard let cost, cost != 0 || !costsOfOthers.isEmpty else { return }
    let index = record.add(.goal, at: time)
    begin(&record.events[index], slot: slot)
    record.events[index][.goal] = record.events[index].add("reward")
    record.events[index].value = 0 - cost
    for other in costsOfOthers {
      record.events[index].addMetadata("cost.\(other.action)", .number(other.cost))
    }
  }

  private var time: Timestamp { Timestamp(microseconds: Int64(number) * 1_000_000) }

  private func begin(_ event: inout EventRecord, slot: String?) {
    event[.experiment] = event.add(experiment[...])
    event[.unit] = event.add((unitPrefix + "\(number)".utf8)[...])
    if let slot { event[.slot] = event.add(slot) }
  }
}
