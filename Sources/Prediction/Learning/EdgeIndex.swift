/// A hash index from a pair of context and option to its number: open addressing with linear probing. Only numbers
/// are stored, as the caller knows the pair of each number.
///
/// A `Dictionary` hashes each key at length; here a look-up takes a few nanoseconds. The hash has no seed, so that
/// the same log costs the same everywhere.
///
/// - Complexity: memory 4 bytes per slot, and two to four slots per number.
struct EdgeIndex: Sendable {
  /// The numbers, and -1 in free slots; a power of two of slots, at least half of them free.
  private var slots: [Int32] = []
  private var count = 0

  /// Removes all numbers, keeping the allocated memory unless it is far too large.
  mutating func removeAll() {
    if slots.count > 64, count < slots.count / 8 {
      slots = []
    } else {
      for slot in slots.indices { slots[slot] = -1 }
    }
    count = 0
  }

  /// Returns the number that the closure accepts for the edge; nil if there is none.
  @inline(__always)
  func number(_ context: Int32, _ symbol: Int32, where matches: (Int32) -> Bool) -> Int32? {
    guard !slots.isEmpty else { return nil }
    let mask = slots.count - 1
    var slot = Self.hash(context, symbol) & mask
    // Terminates, as there is always a free slot.
    while true {
      let number = slots[slot]
      if number < 0 { return nil }
      if matches(number) { return number }
      slot = (slot + 1) & mask
    }
  }

  /// Inserts the number of an edge that has none yet.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - context: The context of the edge.
  ///   - symbol: The option of the edge.
  ///   - edge: Returns the edge of each number inserted before.
  mutating func enter(
    _ number: Int32, _ context: Int32, _ symbol: Int32, edge: (Int32) -> (Int32, Int32)
  ) {
    if (count + 1) * 2 > slots.count {
      let old = slots
      slots = [Int32](repeating: -1, count: max(16, old.count * 2))
      for known in old where known >= 0 {
        let (context, symbol) = edge(known)
        place(known, context, symbol)
      }
    }
    place(number, context, symbol)
    count += 1
  }

  private mutating func place(_ number: Int32, _ context: Int32, _ symbol: Int32) {
    let mask = slots.count - 1
    var slot = Self.hash(context, symbol) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = number
  }

  /// Multiplicative hashing with an odd number near 2⁶⁴ ÷ the golden ratio (D. E. Knuth, "The Art of Computer
  /// Programming", volume 3, section 6.4): the upper half of the product, folded so that low bits depend on all.
  @inline(__always)
  private static func hash(_ context: Int32, _ symbol: Int32) -> Int {
    let key = UInt64(UInt32(bitPattern: context)) << 32 | UInt64(UInt32(bitPattern: symbol))
    let mixed = (key ^ (key >> 29)) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 32)) & 0x7fff_ffff)
  }
}
