import Events
internal import Specifications

/// The actions of one event of a Decision Service log, `c._multi`, and what they are called.
struct DecisionServiceActions {
  /// Whether the event lists its actions.
  private(set) var areListed = false
  /// The actions as they are numbered.
  private(set) var all: [FieldTree.Field] = []
  /// The names of the actions; empty if they are called by their numbers.
  private var tags: [FieldTree.Field] = []
  /// The actions of each slot of a slate, as indices; empty if the event is no slate.
  private(set) var slates: [[Int]] = []

  /// Reads the actions of the next event.
  ///
  /// - Throws: ``Rejection`` `item` if they are not objects, or lack names or slots that others have.
  mutating func read(
    _ fields: inout FieldTree, _ names: DecisionServiceJSON.ActionNames
  ) throws(Rejection) {
    all.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
    slates.removeAll()
    let list = fields.take("c", "_multi")
    areListed = list != nil
    guard let list else { return }
    fields.appendChildren(of: list, to: &all)
    for (index, action) in all.enumerated() {
      guard fields.isObject(action) else {
        throw Rejection(.item, "an action is \(fields.string(action)) and must be an object")
      }
      if let slot = fields.take("_slot_id", in: action) { try addToSlate(index, slot, fields) }
    }
    guard slates.isEmpty || slates.reduce(0, { $0 + $1.count }) == all.count else {
      throw Rejection(.item, "some actions have a \"_slot_id\" and others have none")
    }
    if names == .tag { try readTags(&fields) }
  }

  /// Whether the event lists its actions and there are none.
  var isEmpty: Bool { areListed && all.isEmpty }

  /// The number of actions; nil if the event does not list them.
  var count: Int? { areListed ? all.count : nil }

  private mutating func addToSlate(
    _ action: Int, _ slot: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) {
    let text = fields.text(slot)
    guard let number = DigitText.canonicalIndex(Array(text).span), number < 10_000 else {
      let text = fields.string(slot).prefix(40)
      throw Rejection(.item, "\"_slot_id\" is \"\(text)\" and must be a whole number below 10000")
    }
    while slates.count <= number { slates.append([]) }
    slates[number].append(action)
  }

  private mutating func readTags(
    _ fields: inout FieldTree
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
    NumberText.append(Int64(number), to: &event.bytes)
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }
}
