/// Something of each of a few dense indices while one unit is looked at; it is emptied in the time it took to fill, and
/// its memory is used again for the next unit.
struct UnitScratch<Element: Sendable>: Sendable {
  /// What is there, in the order in which it was put in.
  var elements: [Element] = []
  private var indices: [Int] = []
  /// By index: the place among the elements plus one, 0 where there is none.
  private var places: [Int32] = []

  init() {}

  /// The place among the elements of what an index has; nil when it has nothing.
  ///
  /// - Complexity: O(1).
  func find(_ index: Int) -> Int? {
    guard index < places.count, places[index] != 0 else { return nil }
    return Int(places[index]) - 1
  }

  /// Puts something in for an index that has nothing, and answers its place.
  ///
  /// - Complexity: O(1) amortised; the first time O(index).
  mutating func insert(_ element: Element, at index: Int) -> Int {
    if index >= places.count {
      places.append(
        contentsOf: repeatElement(0, count: max(index + 1, places.count * 2) - places.count))
    }
    elements.append(element)
    indices.append(index)
    places[index] = Int32(truncatingIfNeeded: elements.count)
    return elements.count - 1
  }

  /// Takes everything out.
  mutating func removeAll() {
    for index in indices { places[index] = 0 }
    indices.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}
