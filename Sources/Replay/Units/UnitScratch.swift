/// A sparse map from dense indices to elements, used for one unit at a time; it is cleared in time proportional to its
/// elements, and its memory is reused for the next unit.
struct UnitScratch<Element: Sendable>: Sendable {
  /// The elements in order of insertion.
  var elements: [Element] = []
  private var indices: [Int] = []
  /// By index, the position among the elements plus one, 0 if there is none.
  private var places: [Int32] = []

  init() {}

  /// Returns the position of the element of an index; nil if it has none.
  ///
  /// - Complexity: O(1).
  func find(_ index: Int) -> Int? {
    guard index < places.count, places[index] != 0 else { return nil }
    return Int(places[index]) - 1
  }

  /// Inserts an element for an index that has none, and returns its position.
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

  /// Removes all elements.
  mutating func removeAll() {
    for index in indices { places[index] = 0 }
    indices.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
  }
}
