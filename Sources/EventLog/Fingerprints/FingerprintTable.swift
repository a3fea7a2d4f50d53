/// The part of a fingerprint map that is in memory: open addressing with linear probing, which needs
/// no hash function because fingerprints are hashes already.
struct FingerprintTable {
  /// A place for one entry.
  struct Slot {
    var key: Fingerprint
    var value: UInt32
    var isUsed: Bool

    static let free = Slot(key: Fingerprint(high: 0, low: 0), value: 0, isUsed: false)
  }

  /// How many entries there are.
  private(set) var count = 0
  private let capacity: Int
  /// A power of two of slots, never more than three quarters used.
  private var slots: [Slot]

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    self.slots = Array(repeating: .free, count: 16)
  }

  func value(for key: Fingerprint) -> UInt32? {
    let slot = slots[index(of: key)]
    return slot.isUsed ? slot.value : nil
  }

  /// Looks at where the key would stand if nothing else did: at both ends, which may be in two lines of the cache.
  ///
  /// - Returns: A number that means nothing.
  @inline(__always)
  func touch(_ key: Fingerprint) -> UInt64 {
    let slot = slots[Int(truncatingIfNeeded: key.low) & (slots.count &- 1)]
    return slot.key.high &+ UInt64(slot.value)
  }

  /// Sets the value of a key; false when the key is new and the table is full.
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

  /// Takes the entries out in ascending order of key.
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

  /// Puts entries back that could not be stored elsewhere.
  mutating func restore(_ entries: [Slot]) {
    for entry in entries { _ = set(entry.value, for: entry.key) }
  }

  /// Where the key stands, or the free slot where it would.
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
