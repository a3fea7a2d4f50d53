import Events

/// The actions of one slot from the chosen one on, with their probabilities.
struct DecisionServiceRanking {
  /// The actions, as indices among those of the slot.
  private(set) var actions: [Int] = []
  /// Their probabilities; empty if there are none.
  private(set) var probabilities: [Double] = []
  /// The positions in the ranking in the order of the actions.
  private(set) var order: [Int] = []
  private var places: [FieldTree.Field] = []

  /// The chosen action.
  var chosen: Int { actions[0] }

  /// Reads a list of actions, or a single one, in place of the previous ones.
  ///
  /// - Parameters:
  ///   - list: The actions.
  ///   - chances: The probabilities; nil for none.
  ///   - base: The number of the first action; a list with 0 always counts from 0.
  ///   - count: The number of actions; nil if it is not known.
  ///   - fields: The fields of the event.
  /// - Throws: ``Rejection`` if there is no action, one is ranked twice, or an action or a probability is not a number
  ///   or out of range.
  mutating func read(
    _ list: FieldTree.Field, _ chances: FieldTree.Field?, base: Int, count: Int?,
    _ fields: FieldTree
  ) throws(Rejection) {
    try readActions(list, base: base, count: count, fields)
    sort()
    for (a, b) in zip(order, order.dropFirst()) where actions[a] == actions[b] {
      throw Rejection(.item, "action \(actions[a] + 1) is ranked twice")
    }
    probabilities.removeAll(keepingCapacity: true)
    guard let chances else { return }
    readPlaces(chances, fields)
    for place in places {
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

  private mutating func readActions(
    _ list: FieldTree.Field, base: Int, count: Int?, _ fields: FieldTree
  ) throws(Rejection) {
    actions.removeAll(keepingCapacity: true)
    readPlaces(list, fields)
    for place in places { actions.append(try Self.number(place, fields)) }
    if base > 0, !actions.contains(0) {
      for index in actions.indices { actions[index] -= base }
    }
    guard !actions.isEmpty else { throw Rejection(.item, "the list of actions is empty") }
    guard let count else { return }
    for action in actions where action >= count {
      throw Rejection(.item, "action \(action + 1) is chosen or ranked and there are \(count)")
    }
  }

  /// Reads the elements of a list, or the single field.
  private mutating func readPlaces(_ list: FieldTree.Field, _ fields: FieldTree) {
    places.removeAll(keepingCapacity: true)
    if fields.isList(list) {
      fields.appendChildren(of: list, to: &places)
    } else {
      places.append(list)
    }
  }

  private static func number(
    _ place: FieldTree.Field, _ fields: FieldTree
  ) throws(Rejection) -> Int {
    guard let number = VowpalWabbitLabel.whole(fields.text(place)) else {
      throw Rejection(
        .item, "an action is \"\(fields.string(place).prefix(40))\" and must be a whole number")
    }
    return number
  }

  private mutating func sort() {
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: actions.indices)
    guard actions.count <= 16 else { return order.sort { actions[$0] < actions[$1] } }
    for end in order.indices.dropFirst() {
      var index = end
      while index > 0, actions[order[index]] < actions[order[index - 1]] {
        order.swapAt(index, index - 1)
        index -= 1
      }
    }
  }
}
