import Events

/// The actions of one event of a Decision Service log, `c._multi`, and what they are called.
struct DecisionServiceActions {
  /// The actions as they are numbered; nil if the event does not list them.
  private(set) var all: [FieldTree.Field]?
  /// The names of the actions; empty if they are called by their numbers.
  private var tags: [FieldTree.Field] = []
  /// The actions of each slot of a slate, as indices; empty if the event is no slate.
  private(set) var slates: [[Int]] = []

  init(
    _ fields: inout FieldTree, _ names: DecisionServiceJSON.ActionNames
  ) throws(Rejection) {
    guard let list = fields.take("c", "_multi") else { return }
    let all = fields.children(of: list)
    self.all = all
    for action in all {
      guard fields.isObject(action) else {
        throw Rejection(.item, "an action is \(fields.string(action)) and must be an object")
      }
      if let slot = fields.take("_slot_id", in: action) { try addToSlate(slot, fields) }
    }
    guard slates.isEmpty || slates.reduce(0, { $0 + $1.count }) == all.count else {
      throw Rejection(.item, "some actions have a \"_slot_id\" and others have none")
    }
    if names == .tag { try readTags(&fields, all) }
  }

  /// Whether the event lists its actions and there are none.
  var isEmpty: Bool { all?.isEmpty == true }

  private mutating func addToSlate(
    _ slot: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) {
    let text = fields.text(slot)
    guard let number = NumberText.canonicalIndex(Array(text).span), number < 10_000 else {
      let text = fields.string(slot).prefix(40)
      throw Rejection(.item, "\"_slot_id\" is \"\(text)\" and must be a whole number below 10000")
    }
    while slates.count <= number { slates.append([]) }
    let index = slates.reduce(0) { $0 + $1.count }
    slates[number].append(index)
  }

  private mutating func readTags(
    _ fields: inout FieldTree, _ all: [FieldTree.Field]
  ) throws(Rejection) {
    var seen: Set<ArraySlice<UInt8>> = []
    for (index, action) in all.enumerated() {
      var tag = fields.take("_tag", in: action)
      if tag == nil, let namespace = fields.find("i", in: action) {
        tag = fields.take("id", in: namespace)
      }
      guard let tag else {
        throw Rejection(
          .item, "action \(index + 1) has neither \"_tag\" nor \"i.id\"; import with actions=number"
        )
      }
      guard seen.insert(fields.text(tag)).inserted || !slates.isEmpty else {
        throw Rejection(
          .item,
          "two actions have the name \"\(fields.string(tag).prefix(40))\"; import with actions=number"
        )
      }
      tags.append(tag)
    }
  }

  /// Adds the name of an action to an event and returns its slice. The action is given by its index among all, and by
  /// its number from 1, which is that in its slot if it belongs to a slate.
  func addName(
    of action: Int, number: Int, _ fields: FieldTree, to event: inout EventRecord
  ) -> EventRecord.Slice {
    if action < tags.count { return event.add(fields.text(tags[action])) }
    let start = event.bytes.count
    DecimalText.append(Int64(number), to: &event.bytes)
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }
}

/// The actions of one slot from the chosen one on, with their probabilities.
struct DecisionServiceRanking {
  /// The actions, as indices among those of the slot.
  private(set) var actions: [Int] = []
  /// Their probabilities; empty if there are none.
  private(set) var probabilities: [Double] = []

  /// Reads a list of actions, or a single one.
  ///
  /// - Parameters:
  ///   - list: The actions.
  ///   - chances: The probabilities; nil for none.
  ///   - base: The number of the first action; a list with 0 always counts from 0.
  ///   - count: The number of actions; nil if it is not known.
  ///   - fields: The fields of the event.
  /// - Throws: ``Rejection`` if an action or a probability is not a number, or out of range.
  init(
    _ list: FieldTree.Field, _ chances: FieldTree.Field?, base: Int, count: Int?,
    _ fields: FieldTree
  ) throws(Rejection) {
    let places = fields.isList(list) ? fields.children(of: list) : [list]
    for place in places { actions.append(try Self.number(place, fields)) }
    if base > 0, !actions.contains(0) {
      for index in actions.indices { actions[index] -= base }
    }
    guard !actions.isEmpty else { throw Rejection(.item, "the list of actions is empty") }
    if let count, let action = actions.first(where: { $0 >= count }) {
      throw Rejection(.item, "action \(action + 1) is chosen or ranked and there are \(count)")
    }
    guard let chances else { return }
    for place in fields.isList(chances) ? fields.children(of: chances) : [chances] {
      guard let number = fields.number(place) else {
        throw Rejection(
          .number, "a probability is \"\(fields.string(place).prefix(40))\" and must be a number")
      }
      probabilities.append(number)
    }
    guard probabilities.count == actions.count else {
      throw Rejection(.event, "\(probabilities.count) probabilities for \(actions.count) actions")
    }
  }

  /// Creates the ranking of an event of which only the chosen action is known.
  init(chosen field: FieldTree.Field, count: Int?, _ fields: FieldTree) throws(Rejection) {
    try self.init(field, nil, base: 1, count: count, fields)
  }

  private static func number(
    _ place: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) -> Int {
    var value = 0
    let text = fields.text(place)
    for byte in text {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, text.count <= 9 else { value = -1; break }
      value = value * 10 + Int(digit)
    }
    guard value >= 0, !text.isEmpty else {
      throw Rejection(
        .item, "an action is \"\(fields.string(place).prefix(40))\" and must be a whole number")
    }
    return value
  }

  /// Returns the positions in the ranking in the order of the actions.
  ///
  /// - Throws: ``Rejection`` `item` if an action occurs twice.
  func inOrder() throws(Rejection) -> [Int] {
    let order = actions.indices.sorted { actions[$0] < actions[$1] }
    for (a, b) in zip(order, order.dropFirst()) where actions[a] == actions[b] {
      throw Rejection(.item, "action \(actions[a] + 1) is ranked twice")
    }
    return order
  }
}
