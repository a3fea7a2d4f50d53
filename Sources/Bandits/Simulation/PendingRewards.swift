/// A priority queue of delayed rewards, ordered by when they are due.
struct PendingRewards {
  /// A reward and the step at which it is due.
  struct Item {
    var due: Int
    var step: Int
    var choice: Choice
    var reward: Double
    /// The rewards of all variants, for policies that use them; otherwise empty.
    var all: [Double]
    var context: Context

    /// Orders by due step, then by the order of the decisions.
    fileprivate func isBefore(_ other: Item) -> Bool {
      due != other.due ? due < other.due : step < other.step
    }
  }

  /// A binary min-heap: the parent of index i is at (i − 1)/2.
  private var items: [Item] = []

  /// Adds a reward.
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

  /// Removes and returns the next reward due at or before a step; nil if there is none.
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
