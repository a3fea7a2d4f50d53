/// The values of an attribute of the variants in a batch: a small number for each row, and the list of variants and
/// their values that each number stands for. Look up each list once.
///
/// The numbers are valid for one batch only, because each batch numbers its lists and values anew.
public struct FeatureColumn: Sendable {
  /// For each row 0 if no variant of the decision has the attribute, else the number of its list: 1 for the first
  /// distinct list of the batch, 2 for the next new one, and so on.
  public internal(set) var codes: [UInt32] = []
  /// The distinct values, by the numbers that ``values(of:)`` returns. It has no rows of its own.
  public internal(set) var values = AttributeColumn()
  /// The concatenated variant codes of all lists, and the numbers of their values.
  private var variants: [UInt32] = []
  private var numbers: [UInt32] = []
  private var starts: [Int] = [0]
  /// An open-addressing hash table: the number of a list, 0 if free. At most half full.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)

  init() {}

  /// The number of distinct lists.
  public var listCount: Int { starts.count - 1 }

  /// Returns the codes of the variants of a list, in the logged order; empty for the number 0 and for an unused one.
  ///
  /// No variant occurs twice. Variants without a code in the log, which are no choice of any decision, are left out.
  public func variants(of list: UInt32) -> ArraySlice<UInt32> {
    range(of: list).map { variants[$0] } ?? []
  }

  /// Returns for each variant of a list the number of its value; empty for the number 0 and for an unused one.
  public func values(of list: UInt32) -> ArraySlice<UInt32> {
    range(of: list).map { numbers[$0] } ?? []
  }

  private func range(of list: UInt32) -> Range<Int>? {
    guard list > 0, list <= listCount else { return nil }
    return starts[Int(list) - 1]..<starts[Int(list)]
  }

  // MARK: Filling

  /// Removes all lists and values.
  mutating func removeLists() {
    values.removeValues()
    variants.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    if listCount > 0 { slots.refill(0, count: slots.count) }
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
  }

  /// Appends a variant and the number of its value to the list that is completed next.
  mutating func append(_ variant: UInt32, _ number: UInt32) {
    variants.append(variant)
    numbers.append(number)
  }

  /// Completes a list.
  ///
  /// - Returns: Its number, which is that of an equal earlier list if there is one; 0 for an empty list.
  /// - Complexity: O(length of the list) on average.
  mutating func endList() -> UInt32 {
    let start = starts[listCount]
    guard variants.count > start else { return 0 }
    let slot = slot(ofList: start..<variants.count)
    if slots[slot] != 0 {
      dropList()
      return slots[slot]
    }
    starts.append(variants.count)
    slots[slot] = UInt32(truncatingIfNeeded: listCount)
    if listCount * 2 > slots.count { grow() }
    return UInt32(truncatingIfNeeded: listCount)
  }

  /// Removes the variants that were appended since the last completed list.
  mutating func dropList() {
    let count = variants.count - starts[listCount]
    variants.removeLast(count)
    numbers.removeLast(count)
  }

  /// Returns the slot of an equal list, or the free slot where a new one belongs.
  private func slot(ofList list: Range<Int>) -> Int {
    let mask = slots.count - 1
    var slot = hash(list) & mask
    while slots[slot] != 0 {
      let known = starts[Int(slots[slot]) - 1]..<starts[Int(slots[slot])]
      if isEqual(known, list) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func isEqual(_ known: Range<Int>, _ list: Range<Int>) -> Bool {
    guard known.count == list.count else { return false }
    let distance = list.lowerBound - known.lowerBound
    for index in known {
      guard variants[index] == variants[index + distance],
        numbers[index] == numbers[index + distance]
      else { return false }
    }
    return true
  }

  private func hash(_ list: Range<Int>) -> Int {
    var mixed: UInt64 = 0
    for index in list {
      mixed ^= UInt64(variants[index]) << 32 | UInt64(numbers[index])
      mixed = (mixed ^ mixed >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & 0x7FFF_FFFF_FFFF_FFFF)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for list in 1...listCount {
      var slot = hash(starts[list - 1]..<starts[list]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: list)
    }
  }
}
