/// The in-memory part of a fingerprint map: open addressing with linear probing, which needs no hash function because
/// fingerprints are already hashes.
///
/// A byte for each slot, its tag, holds seven bits of the fingerprint. Eight tags are compared at once, so that nearly
/// every search for a fingerprint that is not there ends without a look at the slots, which are in distant memory. The
/// method is that of Swiss tables (https://abseil.io/about/design/swisstables), without deletion.
struct FingerprintTable {
  /// A slot for one entry.
  struct Slot {
    var key: Fingerprint
    var value: UInt32

    static let free = Slot(key: Fingerprint(high: 0, low: 0), value: 0)
  }

  private static let smallestSlotCount = 16
  /// The number of tags that are compared at once.
  private static let groupCount = 8

  /// The number of entries.
  private(set) var count = 0
  private let capacity: Int
  /// The slots, a power of two in number, at most three quarters full.
  private var slots: [Slot]
  /// The tags of the slots, 0 for free ones, and the first ones again, so that eight can be loaded from every slot.
  private var tags: [UInt8]

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    (slots, tags) = Self.empty(Self.smallestSlotCount)
  }

  private static func empty(_ slotCount: Int) -> (slots: [Slot], tags: [UInt8]) {
    (
      Array(repeating: .free, count: slotCount),
      Array(repeating: 0, count: slotCount + groupCount - 1)
    )
  }

  func value(for key: Fingerprint) -> UInt32? {
    let place = find(key)
    return place.isUsed ? slots[place.index].value : nil
  }

  /// Loads what a search for a key reads first, and the slot that it finds, into the cache.
  ///
  /// - Returns: A dummy value that keeps the load from being optimized away.
  @inline(__always)
  func touch(_ key: Fingerprint) -> UInt64 {
    let home = Int(truncatingIfNeeded: key.low) & (slots.count &- 1)
    let group = tags.span.word(at: home)
    let hits = Self.matches(group, Self.tag(of: key)) | ~group & Self.highBits
    let index = (home &+ (hits.trailingZeroBitCount & 63) &>> 3) & (slots.count &- 1)
    return slots[index].key.high &+ UInt64(slots[index].value)
  }

  /// Sets the value of a key; returns false if the key is new and the table is full.
  mutating func set(_ value: UInt32, for key: Fingerprint) -> Bool {
    let place = find(key)
    if place.isUsed {
      slots[place.index].value = value
      return true
    }
    return insert(value, for: key, at: place.index)
  }

  /// Adds 1 to the value of a key, unless it is the largest, and returns the value before; nil, and nothing changes, if
  /// there is none.
  mutating func increment(_ key: Fingerprint) -> UInt32? {
    let place = find(key)
    guard place.isUsed else { return nil }
    let value = slots[place.index].value
    slots[place.index].value = value == .max ? value : value + 1
    return value
  }

  private mutating func insert(_ value: UInt32, for key: Fingerprint, at index: Int) -> Bool {
    guard count < capacity else { return false }
    var index = index
    if (count + 1) * 4 > slots.count * 3 {
      grow()
      index = find(key).index
    }
    put(Slot(key: key, value: value), at: index)
    count += 1
    return true
  }

  @inline(__always)
  private mutating func put(_ slot: Slot, at index: Int) {
    slots[index] = slot
    tags[index] = Self.tag(of: slot.key)
    if index < Self.groupCount - 1 { tags[slots.count + index] = tags[index] }
  }

  func forEach<E>(_ body: (Fingerprint, UInt32) throws(E) -> Void) throws(E) {
    for index in slots.indices where tags[index] != 0 {
      try body(slots[index].key, slots[index].value)
    }
  }

  /// Removes and returns the entries in ascending order of key.
  ///
  /// - Complexity: O(n log n); sorts in the table's own memory and half as much again.
  mutating func takeSorted() -> [Slot] {
    var entries: [Slot] = []
    swap(&entries, &slots)
    var end = 0
    for index in entries.indices where tags[index] != 0 {
      entries[end] = entries[index]
      end += 1
    }
    entries.removeLast(entries.count - end)
    entries.sort { $0.key < $1.key }
    (slots, tags) = Self.empty(Self.smallestSlotCount)
    count = 0
    return entries
  }

  /// Puts back entries that could not be stored elsewhere.
  mutating func restore(_ entries: [Slot]) {
    for entry in entries { _ = set(entry.value, for: entry.key) }
  }

  private mutating func grow() {
    let (oldSlots, oldTags) = (slots, tags)
    (slots, tags) = Self.empty(oldSlots.count * 2)
    for index in oldSlots.indices where oldTags[index] != 0 {
      put(oldSlots[index], at: find(oldSlots[index].key).index)
    }
  }

  // MARK: Searching

  /// Returns the slot of the key, or the free slot where it belongs.
  @inline(__always)
  private func find(_ key: Fingerprint) -> (index: Int, isUsed: Bool) {
    let mask = slots.count &- 1
    let tag = Self.tag(of: key)
    var home = Int(truncatingIfNeeded: key.low) & mask
    while true {
      let group = tags.span.word(at: home)
      var hits = Self.matches(group, tag)
      while hits != 0 {
        let index = (home &+ hits.trailingZeroBitCount &>> 3) & mask
        if slots[index].key == key { return (index, true) }
        hits &= hits &- 1
      }
      let free = ~group & Self.highBits
      if free != 0 { return ((home &+ free.trailingZeroBitCount &>> 3) & mask, false) }
      home = (home &+ Self.groupCount) & mask
    }
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// The tag of a key, whose highest bit is set; the slot depends on other bits.
  @inline(__always)
  private static func tag(of key: Fingerprint) -> UInt8 {
    UInt8(truncatingIfNeeded: key.high &>> 57) | 0x80
  }

  /// Sets the highest bit of each byte of a group that is the tag. A byte above one that is may be marked wrongly, but
  /// never that of a free slot.
  @inline(__always)
  private static func matches(_ group: UInt64, _ tag: UInt8) -> UInt64 {
    let difference = group ^ (ones &* UInt64(tag))
    return (difference &- ones) & ~difference & highBits
  }
}
