internal import Prediction

/// Sorts the steps of a slice: by time, at equal times by unit, and within a unit as they come.
///
/// The digits of the times are sorted from the lowest to the highest (D. E. Knuth, *The Art of Computer Programming*,
/// volume 3, section 5.2.5), as many as the times of the slice differ in.
struct StepSorter {
  private typealias Item = (key: UInt64, place: UInt32)

  private static let digitBits: UInt64 = 11

  private var items: [Item] = []
  private var other: [Item] = []

  /// Sorts steps.
  ///
  /// - Parameters:
  ///   - steps: The steps; those of a unit are in their order.
  ///   - units: By run, the number by which units are ordered.
  /// - Returns: The steps in order.
  /// - Complexity: O(steps × digits), and O(n log n) for n steps of the same time.
  mutating func sort(_ steps: [StudyStep], _ units: [UInt64]) -> [StudyStep] {
    guard let first = steps.first else { return steps }
    var (low, high) = (first.time, first.time)
    for step in steps { (low, high) = (min(low, step.time), max(high, step.time)) }
    let base = UInt64(bitPattern: low)
    items.removeAll(keepingCapacity: true)
    for (place, step) in steps.enumerated() {
      items.append((UInt64(bitPattern: step.time) &- base, UInt32(truncatingIfNeeded: place)))
    }
    let range = UInt64(bitPattern: high) &- base
    var shift: UInt64 = 0
    while shift < 64, range >> shift > 0 {
      Self.sortDigit(shift, &items, &other)
      shift += Self.digitBits
    }
    orderEqualTimes(steps, units)
    return items.map { steps[Int($0.place)] }
  }

  private static func sortDigit(_ shift: UInt64, _ items: inout [Item], _ other: inout [Item]) {
    let mask = (1 << digitBits) - 1 as UInt64
    var starts = [Int](repeating: 0, count: Int(mask) + 2)
    for item in items { starts[Int(item.key >> shift & mask) + 1] += 1 }
    for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
    if other.count < items.count {
      other += repeatElement((key: 0, place: 0), count: items.count - other.count)
    } else {
      other.removeLast(other.count - items.count)
    }
    swap(&items, &other)
    let unsorted = other.span
    var sorted = items.mutableSpan
    for place in unsorted.indices {
      let digit = Int(unsorted[place].key >> shift & mask)
      sorted[starts[digit]] = unsorted[place]
      starts[digit] += 1
    }
  }

  /// Orders steps of the same time by unit.
  private mutating func orderEqualTimes(_ steps: [StudyStep], _ units: [UInt64]) {
    func unit(_ item: Item) -> UInt64 { units[Int(steps[Int(item.place)].run)] }
    var start = 0
    while start < items.count {
      var end = start + 1
      var isInOrder = true
      while end < items.count, items[end].key == items[start].key {
        if unit(items[end]) < unit(items[end - 1]) { isInOrder = false }
        end += 1
      }
      if !isInOrder {
        items[start..<end].sort {
          let (a, b) = (unit($0), unit($1))
          return a < b || a == b && $0.place < $1.place
        }
      }
      start = end
    }
  }
}
