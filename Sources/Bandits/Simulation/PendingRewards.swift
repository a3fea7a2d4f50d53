/// Rewards that a policy will be told later, the one that is due first at hand.
struct PendingRewards {
  /// A reward and when it is due.
  struct Item {
    var due: Int
    var step: Int
    var choice: Choice
    var reward: Double
    /// The rewards of all variants, for policies that want them; else none.
    var all: [Double]
    var context: Context

    /// Among those due at the same time the decisions' order counts.
    fileprivate func isBefore(_ other: Item) -> Bool {
      due != other.due ? due < other.due : step < other.step
    }
  }

  /// A binary heap: no item is before the one at half its index.
  private var items: [Item] = []

  /// Keeps a reward.
  ///
  /// - Complexity: O(log n).
  mutating func add(_ item: Item) {
    items.append(item)
    var index = items.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard items[index].isBefore(items[parent]) else { break }
      items.swapAt(index, parent)
      index = parent
    }
  }

  /// Takes out the next reward that is due at a step or before; nil when there is none.
  ///
  /// - Complexity: O(log n).
  mutating func takeDue(at step: Int) -> Item? {
    guard let first = items.first, first.due <= step, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return first }
    items[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < items.count {
        if items[child].isBefore(items[least]) { least = child }
      }
      if least == index { return first }
      items.swapAt(index, least)
      index = least
    }
  }
}
