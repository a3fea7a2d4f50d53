/// A priority queue of events that are not collected yet, the earliest first.
///
/// A binary heap. Elements with the same key are removed in the order in which they were inserted, so that the result
/// does not depend on the heap's shape.
struct PendingQueue<Element: Sendable>: Sendable {
  private struct Entry: Sendable {
    let key: Int64
    let order: UInt64
    let element: Element

    func precedes(_ other: Entry) -> Bool {
      key != other.key ? key < other.key : order < other.order
    }
  }

  private var entries: [Entry] = []
  private var pushed: UInt64 = 0

  var count: Int { entries.count }

  /// The smallest key; nil if the queue is empty.
  var nextKey: Int64? { entries.first?.key }

  /// Inserts an element.
  ///
  /// - Complexity: O(log count).
  mutating func push(_ element: Element, at key: Int64) {
    let entry = Entry(key: key, order: pushed, element: element)
    pushed += 1
    entries.append(entry)
    var index = entries.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard entry.precedes(entries[parent]) else { break }
      entries[index] = entries[parent]
      index = parent
    }
    entries[index] = entry
  }

  /// Removes and returns the element with the smallest key; nil if the queue is empty.
  ///
  /// - Complexity: O(log count).
  mutating func pop() -> Element? {
    guard let first = entries.first, let moved = entries.popLast() else { return nil }
    let count = entries.count
    guard count > 0 else { return first.element }
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < count else { break }
      if child + 1 < count, entries[child + 1].precedes(entries[child]) { child += 1 }
      guard entries[child].precedes(moved) else { break }
      entries[index] = entries[child]
      index = child
    }
    entries[index] = moved
    return first.element
  }
}
