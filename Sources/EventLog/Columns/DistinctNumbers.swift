/// Distinct floating-point numbers, compared by their bits, in order of first appearance.
struct DistinctNumbers {
  private(set) var bits: [UInt64] = []
  /// An open-addressing hash table: the index of a number plus one, 0 if free. At most half full.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// Returns the index of a number, adding the number if needed.
  @inline(__always)
  mutating func index(of number: UInt64) -> Int {
    let slot = slot(of: number)
    return slots[slot] != 0 ? Int(slots[slot]) &- 1 : insert(number, slot)
  }

  @inline(never)
  private mutating func insert(_ number: UInt64, _ slot: Int) -> Int {
    bits.append(number)
    slots[slot] = UInt32(bits.count)
    if bits.count * 2 > slots.count {
      slots = Array(repeating: 0, count: slots.count * 4)
      for (index, known) in bits.enumerated() { slots[self.slot(of: known)] = UInt32(index + 1) }
    }
    return bits.count - 1
  }

  /// Returns the slot that holds the number, or the free one where it belongs. The multiplier is 2^64 divided by the
  /// golden ratio (D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4), which spreads numbers that
  /// differ in few bits; the upper bits of the product depend on all of them.
  @inline(__always)
  private func slot(of number: UInt64) -> Int {
    let mask = slots.count &- 1
    let mixed = (number ^ (number &>> 32)) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(truncatingIfNeeded: mixed &>> 40) & mask
    while slots[slot] != 0, bits[Int(slots[slot]) &- 1] != number { slot = (slot &+ 1) & mask }
    return slot
  }
}
