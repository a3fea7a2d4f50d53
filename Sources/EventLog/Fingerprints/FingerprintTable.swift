/// The in-memory part of a fingerprint map: open addressing with linear probing, which needs no hash function because
/// fingerprints are already hashes.
struct FingerprintTable {
  /// A slot for one entry.
  struct Slot {
    var key: Fingerprint
    var value: UInt32
    var isUsed: Bool

    static let free = Slot(key: Fingerprint(high: 0, low: 0), value: 0, isUsed: false)
  }

  /// The number of entries.
  private(set) var count = 0
  private let capacity: Int
  /// The slots, a power of two in number, at most three quarters full.
  private var slots: [Slot]

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    self.slots = Array(repeating: .free, count: 16)
  }

  func value(for key: Fingerprint) -> UInt32? {
    let slot = slots[index(of: key)]
    return slot.isUsed ? slot.value : nil
  }

  /// Prefetches the home slot of a key into the cache, at both ends, which may be in two cache lines.
  ///
  /// - Returns: A dummy value that keeps the prefetch from being optimized away.
  @inline(__always)
  func touch(_ key: Fingerprint) -> UInt64 {
    let slot = slots[Int(truncatingIfNeeded: key.low) & (slots.count &- 1)]
    return slot.key.high &+ UInt64(slot.value)
  }

  /// Sets the value of a key; returns false if the key is new and the table is full.
  mutating func set(_ value: UInt32, for key: Fingerprint) -> Bool {
    var place = index(of: key)
    if slots[place].isUsed {
      slots[place].value = value
      return true
    }
    guard count < capacity else { return false }
    if (count + 1) * 4 > slots.count * 3 {
      grow()
      place = index(of: key)
    }
    slots[place] = Slot(key: key, value: value, isUsed: true)
    count += 1
    return true
  }

  func forEach<E>(_ body: (Fingerprint, UInt32) throws(E) -> Void) throws(E) {
    for slot in slots where slot.isUsed { try body(slot.key, slot.value) }
  }

  /// Removes and returns the entries in ascending order of key.
  ///
  /// - Complexity: O(n log n); sorts in the table's own memory and half as much again.
  mutating func takeSorted() -> [Slot] {
    var entries: [Slot] = []
    swap(&entries, &slots)
    entries.removeAll { !$0.isUsed }
    entries.sort { $0.key < $1.key }
    slots = Array(repeating: .free, count: 16)
    count = 0
    return entries
  }

  /// Puts back entries that could not be stored elsewhere.
  mutating func restore(_ entries: [Slot]) {
    for entry in entries { _ = set(entry.value, for: entry.key) }
  }

  /// Returns the slot of the key, or the free slot where it belongs.
  private func index(of key: Fingerprint) -> Int {
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: key.low) & mask
    while slots[index].isUsed, slots[index].key != key { index = (index &+ 1) & mask }
    return index
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: .free, count: old.count * 2)
    for slot in old where slot.isUsed { slots[index(of: slot.key)] = slot }
  }
}
