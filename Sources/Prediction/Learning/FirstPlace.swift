/// A search in sorted arrays.
extension Array {
  /// Returns the index of the first element that fulfils a condition, as all after it do; the end if none does.
  ///
  /// - Complexity: O(log n).
  func firstPlace(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
