internal import CMemory
import EventLog

/// A set of 64-bit hashes of experiments with units, with open addressing in 11 to 22 bytes for each.
struct UnitSet {
  private let capacity: Int
  private var count = 0
  /// The hashes, 0 where there is none; a power of two in number, at most three quarters used.
  private var slots: [UInt64] = Array(repeating: 0, count: 1 << 10)

  /// Creates an empty set.
  ///
  /// - Parameter capacity: The maximum number of elements.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Returns whether a hash is in the set.
  func contains(_ hash: UInt64) -> Bool { slots[place(of: hash)] == hash }

  /// Has the processor load the slot of a hash, without waiting for it.
  @inline(__always)
  func prefetch(_ hash: UInt64) {
    let place = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    // Safety: nothing is read; any address will do.
    unsafe slots.withUnsafeBufferPointer { unsafe bandolier_prefetch($0.baseAddress?.advanced(by: place)) }
  }

  /// Adds a hash; returns false if it is new and the set is full.
  mutating func insert(_ hash: UInt64) -> Bool {
    let place = place(of: hash)
    if slots[place] == hash { return true }
    guard count < capacity else { return false }
    slots[place] = hash
    count += 1
    if count * 4 > slots.count * 3 { grow() }
    return true
  }

  private func place(of hash: UInt64) -> Int {
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0, slots[place] != hash { place = (place &+ 1) & mask }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = LargeTable.array(repeating: 0, count: old.count * 2)
    for hash in old where hash != 0 { slots[place(of: hash)] = hash }
  }
}
