/// A histogram of keys over a bounded number of ranges of equal width, a power of two that grows as needed. Keys may
/// occur several times.
///
/// Widths depend on the order in which keys are added; what is derived from the counts must not. The first few keys
/// are stored individually, so that many histograms of few keys take little memory and are exact.
struct OrderHistogram: Sendable {
  /// The maximum number of ranges.
  private let limit: Int
  /// The individual keys, while there are few.
  private var keys: [UInt128] = []
  /// The number of low bits that are ignored: keys equal above them are counted together.
  private var bits = 0
  /// The bits of the first range above the ignored ones.
  private var first: UInt128 = 0
  /// The counts of the ranges; empty while keys are stored individually.
  private var counts: [Int] = []
  /// The number of keys.
  private(set) var total = 0

  /// Creates an empty histogram with at most the given number of ranges, at least 2.
  init(limit: Int) { self.limit = max(2, limit) }

  /// Adds a key.
  ///
  /// - Complexity: O(1) amortised.
  mutating func add(_ key: UInt128) {
    total += 1
    guard counts.isEmpty else { return count(key) }
    keys.append(key)
    if keys.count > limit / 16 { countKeys() }
  }

  /// Adds the keys of another histogram.
  mutating func merge(_ other: OrderHistogram) {
    guard !other.counts.isEmpty else {
      for key in other.keys { add(key) }
      return
    }
    total += other.total
    countKeys()
    guard !counts.isEmpty else {
      (counts, first, bits) = (other.counts, other.first, other.bits)
      return
    }
    var other = other
    if other.bits > bits { fold(by: other.bits - bits) }
    if bits > other.bits { other.fold(by: bits - other.bits) }
    let before = bits
    cover(other.first, other.last)
    if bits > before { other.fold(by: bits - before) }
    let start = Int(truncatingIfNeeded: other.first &- first)
    for (index, count) in other.counts.enumerated() { counts[start + index] += count }
  }

  private mutating func countKeys() {
    for key in keys { count(key) }
    keys = []
  }

  @inline(__always)
  private mutating func count(_ key: UInt128) {
    let range = key &>> UInt128(bits)
    if counts.isEmpty || range < first || range > last { cover(range, range) }
    counts[Int(truncatingIfNeeded: (key >> UInt128(bits)) &- first)] += 1
  }

  private var last: UInt128 { first + UInt128(counts.count - 1) }

  /// Ensures that there are ranges from one to another, widening them if there would be too many.
  private mutating func cover(_ low: UInt128, _ high: UInt128) {
    guard !counts.isEmpty else {
      (first, counts) = (low, [0])
      return
    }
    var (least, most, shift) = (min(low, first), max(high, last), 0)
    while most - least >= UInt128(limit) {
      (least, most, shift) = (least >> 1, most >> 1, shift + 1)
    }
    if shift > 0 { fold(by: shift) }
    extend(from: least, to: most)
  }

  /// Adds ranges at either end, with spare ones at the front, because keys may come in descending order.
  private mutating func extend(from least: UInt128, to most: UInt128) {
    if most > last {
      counts.append(contentsOf: repeatElement(0, count: Int(truncatingIfNeeded: most - last)))
    }
    guard least < first else { return }
    let needed = Int(truncatingIfNeeded: first - least)
    let spare = max(0, min(limit - needed - counts.count, counts.count))
    let added = needed + Int(truncatingIfNeeded: min(UInt128(spare), least))
    counts.insert(contentsOf: repeatElement(0, count: added), at: 0)
    first -= UInt128(added)
  }

  private mutating func fold(by shift: Int) {
    let start = first >> UInt128(shift)
    let length = Int(truncatingIfNeeded: (last >> UInt128(shift)) - start) + 1
    var folded = Array(repeating: 0, count: length)
    for (index, count) in counts.enumerated() {
      folded[Int(truncatingIfNeeded: ((first + UInt128(index)) >> UInt128(shift)) - start)] += count
    }
    (counts, first, bits) = (folded, start, bits + shift)
  }

  /// Returns the distinct ranges that contain the keys of some ranks, in order.
  ///
  /// - Parameters:
  ///   - ranks: The ranks in ascending order, 1 for the smallest key; ranks beyond the keys are ignored.
  ///   - before: The number of keys before all of these; ranks count from there.
  /// - Returns: The ranges, with the numbers of keys in and before each.
  func ranges(of ranks: [Int], before: Int = 0) -> [OrderRange] {
    let ranks = ranks.filter { $0 > before && $0 <= before + total }
    guard !counts.isEmpty else {
      return exactRanges(of: ranks, before: before)
    }
    var found: [OrderRange] = []
    var (index, counted) = (0, before)
    for rank in ranks {
      while counted + counts[index] < rank {
        counted += counts[index]
        index += 1
      }
      let range = OrderRange(
        low: (first + UInt128(index)) << UInt128(bits), bits: bits, count: counts[index],
        before: counted)
      if found.last != range { found.append(range) }
    }
    return found
  }

  /// Returns the ranges of single keys, from those that are stored.
  private func exactRanges(of ranks: [Int], before: Int) -> [OrderRange] {
    let sorted = keys.sorted()
    var found: [OrderRange] = []
    for rank in ranks {
      let low = sorted[rank - before - 1]
      guard found.last?.low != low else { continue }
      let first = sorted.firstIndex(of: low) ?? 0
      let count = sorted[first...].prefix { $0 == low }.count
      found.append(OrderRange(low: low, bits: 0, count: count, before: before + first))
    }
    return found
  }
}
