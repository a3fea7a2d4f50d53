internal import EventLog
package import Events

/// Assigns dense indices to the values of an attribute of the variants of decisions, in order of first appearance: a
/// list of variants, and a value for each. Equal lists are stored once, whatever the order of their variants.
///
/// Memory: for each distinct list 8 bytes per variant and some 20 more; for each distinct value some 100 bytes and its
/// text.
package struct VariantValueRegister: Sendable {
  /// The index of a list without variants.
  static let none: UInt32 = 0

  private var values = Register<AttributeValue?>()
  /// All lists, concatenated: the code of a variant in the upper half, the index of its value in the lower one; each
  /// list in ascending order.
  private var pairs: [UInt64] = []
  /// The start of each list, followed by the number of pairs. The list at index 0 is empty.
  private var starts = [0, 0]
  /// The table of all lists but the empty one, in which each index is one less.
  private var table = IndexTable()
  /// The indices of the lists of the batch that were looked up.
  private var batchLists = BatchNumbers()

  /// Creates a register with the empty list.
  init() {}

  /// The number of lists.
  package var count: Int { starts.count - 1 }

  /// Returns the value of a variant in a list; nil if it has none.
  ///
  /// - Complexity: O(log n) in the number of variants with a value.
  package func value(of variant: UInt32, in list: UInt32) -> AttributeValue? {
    var (low, high) = (starts[Int(list)], starts[Int(list) + 1])
    let end = high
    while low < high {
      let middle = (low + high) / 2
      if pairs[middle] >> 32 < variant { low = middle + 1 } else { high = middle }
    }
    guard low < end, pairs[low] >> 32 == variant else { return nil }
    return values.values[Int(UInt32(truncatingIfNeeded: pairs[low]))]
  }

  // MARK: Filling

  /// Forgets the numbers of the current batch, because the next batch numbers lists and values anew.
  mutating func beginBatch() {
    batchLists.removeAll()
    values.beginBatch()
  }

  /// Returns the index of the list with a number in the batch.
  ///
  /// - Complexity: O(1); O(n log n) on average for the first row of a list with n variants.
  mutating func index(of number: UInt32, _ column: FeatureColumn) -> UInt32 {
    guard number > 0 else { return Self.none }
    if let index = batchLists[number] { return index }
    let index = newIndex(of: number, column)
    batchLists.add(index, for: number)
    return index
  }

  private mutating func newIndex(of number: UInt32, _ column: FeatureColumn) -> UInt32 {
    for (variant, value) in zip(column.variants(of: number), column.values(of: number)) {
      let index = values.index(ofNumber: value) { column.values.value(value) }
      guard values.values[Int(index)] != nil else { continue }
      pairs.append(UInt64(variant) << 32 | UInt64(index))
    }
    return endList()
  }

  /// Adds the contents of another register.
  ///
  /// - Returns: For each index there, the one here.
  mutating func add(_ other: VariantValueRegister) -> [UInt32] {
    let values = values.add(other.values).map { UInt64($0) }
    return (0..<other.count).map { list in
      for pair in other.pairs[other.starts[list]..<other.starts[list + 1]] {
        pairs.append(pair & ~0xFFFF_FFFF | values[Int(UInt32(truncatingIfNeeded: pair))])
      }
      return endList()
    }
  }

  // MARK: The table

  /// Completes the list of the pairs that were appended since the last one; returns its index, which is that of an
  /// equal list if there is one.
  private mutating func endList() -> UInt32 {
    let start = starts[count]
    guard pairs.count > start else { return Self.none }
    pairs[start...].sort()
    let location = table.find(code(start..<pairs.count)) {
      pairs[starts[$0 + 1]..<starts[$0 + 2]].elementsEqual(pairs[start...])
    }
    if let index = location.index {
      pairs.removeLast(pairs.count - start)
      return UInt32(index + 1)
    }
    starts.append(pairs.count)
    table.add(at: location)
    if table.isFull { table.grow(codes) }
    return UInt32(truncatingIfNeeded: count - 1)
  }

  private var codes: some Sequence<Int> {
    (1..<count).lazy.map { [self] list in code(starts[list]..<starts[list + 1]) }
  }

  private func code(_ list: Range<Int>) -> Int {
    var mixed: UInt64 = 0
    for index in list {
      mixed = (mixed ^ pairs[index] ^ mixed >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
    return IndexTable.code(mixed)
  }
}
