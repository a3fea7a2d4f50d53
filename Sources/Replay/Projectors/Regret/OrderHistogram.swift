internal import Specifications

/// A histogram of keys over a bounded number of ranges of equal width, a power of two that grows as needed. Keys may
/// occur several times.
///
/// The width is the least that the smallest and the greatest key allow, so equal keys give equal counts whatever their
/// order. The first few keys are stored individually, so that many histograms of few keys take little memory and are
/// exact.
struct OrderHistogram: StateField {
  /// The maximum number of ranges.
  private let limit: Int
  /// The individual keys, while there are few.
  private var keys: [UInt128] = []
  /// The number of low bits that are ignored: keys equal above them are counted together.
  private var bits = 0
  /// The bits of the first range above the ignored ones.
  private var first: UInt128 = 0
  /// The counts of the ranges; empty while keys are stored individually. Those at either end may be spare.
  private var counts: [Int] = []
  /// The smallest and the greatest key that is counted.
  private var least = UInt128.max
  private var most = UInt128.min
  /// The number of keys.
  private(set) var total = 0

  /// Creates an empty histogram with at most the given number of ranges, at least 2.
  init(limit: Int) { self.limit = max(2, limit) }

  /// The number of keys that are stored individually at most.
  private var mostKeys: Int { limit / 16 }

  /// Adds a key.
  ///
  /// - Complexity: O(1) amortised.
  mutating func add(_ key: UInt128) {
    total += 1
    guard counts.isEmpty else { return count(key) }
    keys.append(key)
    if keys.count > mostKeys { countKeys() }
  }

  /// Adds the keys of another histogram.
  mutating func merge(_ other: OrderHistogram) {
    guard !other.counts.isEmpty else {
      for key in other.keys { add(key) }
      return
    }
    total += other.total
    countKeys()
    var other = other
    cover(other.least, other.most)
    other.fold(by: bits - other.bits)
    for (index, count) in other.counts.enumerated() where count > 0 {
      counts[Int(truncatingIfNeeded: other.first + UInt128(index) - first)] += count
    }
  }

  private mutating func countKeys() {
    for key in keys { count(key) }
    keys = []
  }

  @inline(__always)
  private mutating func count(_ key: UInt128) {
    if key < least || key > most { cover(key, key) }
    counts[Int(truncatingIfNeeded: (key &>> UInt128(bits)) &- first)] += 1
  }

  /// Ensures that there are ranges for all keys from one to another, widening them if there would be too many.
  private mutating func cover(_ low: UInt128, _ high: UInt128) {
    (least, most) = (min(least, low), max(most, high))
    var shift = bits
    while most >> UInt128(shift) - least >> UInt128(shift) >= UInt128(limit) { shift += 1 }
    if shift > bits { fold(by: shift - bits) }
    extend(from: least >> UInt128(bits), to: most >> UInt128(bits))
  }

  /// Adds ranges at either end, with spare ones at the front, because keys may come in descending order.
  private mutating func extend(from low: UInt128, to high: UInt128) {
    guard !counts.isEmpty else {
      (first, counts) = (low, Array(repeating: 0, count: Int(truncatingIfNeeded: high - low) + 1))
      return
    }
    let last = first + UInt128(counts.count - 1)
    if high > last {
      counts.append(contentsOf: repeatElement(0, count: Int(truncatingIfNeeded: high - last)))
    }
    if low < first {
      let needed = Int(truncatingIfNeeded: first - low)
      let spare = max(0, min(limit - needed - counts.count, counts.count))
      let added = needed + Int(truncatingIfNeeded: min(UInt128(spare), low))
      counts.insert(contentsOf: repeatElement(0, count: added), at: 0)
      first -= UInt128(added)
    }
    // Spare ranges are given up rather than that there be more than the limit.
    if counts.count > limit, first < low {
      counts.removeFirst(Int(truncatingIfNeeded: low - first))
      first = low
    }
  }

  private mutating func fold(by shift: Int) {
    bits += shift
    guard shift > 0, !counts.isEmpty else { return }
    let start = first >> UInt128(shift)
    let last = first + UInt128(counts.count - 1)
    let length = Int(truncatingIfNeeded: (last >> UInt128(shift)) - start) + 1
    var folded = Array(repeating: 0, count: length)
    for (index, count) in counts.enumerated() {
      folded[Int(truncatingIfNeeded: ((first + UInt128(index)) >> UInt128(shift)) - start)] += count
    }
    (counts, first) = (folded, start)
  }

  /// Returns the distinct ranges that contain the keys of some ranks, in order.
  ///
  /// - Parameters:
  ///   - ranks: The ranks in ascending order, 1 for the smallest key; ranks beyond the keys are ignored.
  ///   - before: The number of keys before all of these; ranks count from there.
  /// - Returns: The ranges, with the numbers of keys in and before each.
  func ranges(of ranks: [Int], before: Int = 0) -> [OrderRange] {
    let ranks = ranks.filter { $0 > before && $0 <= before + total }
    guard !counts.isEmpty else { return exactRanges(of: ranks, before: before) }
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

// MARK: State

extension OrderHistogram {
  /// Writes the histogram: equal keys give equal bytes.
  func write(to writer: inout StateWriter) {
    writer.write(UInt64(keys.count))
    for key in keys.sorted() { writer.write(wide: key) }
    guard keys.isEmpty else { return }
    let used = counts.firstIndex { $0 > 0 }.map { $0...(counts.lastIndex { $0 > 0 } ?? $0) }
    writer.write(UInt64(used?.count ?? 0))
    guard let used else { return }
    writer.write(wide: least)
    writer.write(wide: most)
    for count in counts[used] { writer.write(tally: count) }
  }

  mutating func read(from reader: inout StateReader) throws(StateError) {
    for _ in 0..<(try reader.readCount(below: mostKeys + 1)) { add(try reader.readWide()) }
    let count = total > 0 ? 0 : try reader.readCount(below: self.limit + 1)
    guard count > 0 else { return }
    (least, most) = (try reader.readWide(), try reader.readWide())
    guard least <= most else { throw StateError("the ends of a histogram are damaged") }
    cover(least, most)
    guard counts.count == count else { throw StateError("a histogram has another length") }
    for index in counts.indices {
      counts[index] = try reader.readTally()
      total += counts[index]
    }
    guard total > mostKeys, counts[0] > 0, counts[count - 1] > 0 else {
      throw StateError("a histogram has too few keys")
    }
  }
}

extension StateWriter {
  /// Writes an unsigned number of 128 bits, the low half first.
  mutating func write(wide number: UInt128) {
    write(UInt64(truncatingIfNeeded: number))
    write(UInt64(truncatingIfNeeded: number >> 64))
  }
}

extension StateReader {
  /// Reads an unsigned number of 128 bits.
  ///
  /// - Throws: `StateError` as for any number.
  mutating func readWide() throws(StateError) -> UInt128 {
    let low = try read()
    return UInt128(low) | UInt128(try read()) << 64
  }
}
