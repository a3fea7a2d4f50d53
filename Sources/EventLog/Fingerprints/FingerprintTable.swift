/// The in-memory part of a fingerprint map: open addressing with linear probing, which needs no hash function because
/// fingerprints are already hashes. The place of an entry is that of its fingerprint among all that are possible, so
/// that the entries are nearly in order, and growing and sorting read and write one place after the other.
///
/// A byte for each slot, its tag, holds seven bits of the fingerprint. Eight tags are compared at once, so that nearly
/// every search for a fingerprint that is not there ends without a look at the slots, which are in distant memory. The
/// method is that of Swiss tables (https://abseil.io/about/design/swisstables), without deletion.
struct FingerprintTable {
  /// A slot for one entry.
  struct Slot: BitwiseCopyable {
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
      LargeTable.array(repeating: .free, count: slotCount),
      Array(repeating: 0, count: slotCount + groupCount - 1)
    )
  }

  func value(for key: Fingerprint) -> UInt32? {
    let place = find(key)
    return place.isUsed ? slots[place.index].value : nil
  }

  /// Has the processor load the slot that a search for a key finds, without waiting for it.
  @inline(__always)
  func prefetch(_ key: Fingerprint) {
    let home = home(of: key)
    let group = tags.span.word(at: home)
    let hits = Self.matches(group, Self.tag(of: key)) | ~group & Self.highBits
    let index = (home &+ (hits.trailingZeroBitCount & 63) &>> 3) & (slots.count &- 1)
    LargeTable.prefetch(slots, index)
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

  /// Returns the entries in ascending order of key.
  ///
  /// - Complexity: O(n) for keys that are spread evenly.
  func sorted() -> [Slot] {
    var entries: [Slot] = []
    entries.reserveCapacity(count)
    // Those with large keys before the first free slot had no room at the end.
    let start = tags.firstIndex(of: 0) ?? 0
    let isLast = { (index: Int) in index < start && slots[index].key.high >> 63 == 1 }
    for index in slots.indices where tags[index] != 0 && !isLast(index) {
      entries.append(slots[index])
    }
    for index in 0..<start where isLast(index) { entries.append(slots[index]) }
    for index in entries.indices.dropFirst() {
      let entry = entries[index]
      var place = index
      while place > 0, entry.key < entries[place - 1].key {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
    }
    return entries
  }

  /// Removes all entries, and keeps the memory.
  mutating func removeAll() {
    for index in tags.indices { tags[index] = 0 }
    count = 0
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
    var home = home(of: key)
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
    UInt8(truncatingIfNeeded: key.low &>> 57) | 0x80
  }

  /// The slot at which the search for a key begins.
  @inline(__always)
  private func home(of key: Fingerprint) -> Int {
    Int(truncatingIfNeeded: key.high &>> UInt64(truncatingIfNeeded: slots.count.leadingZeroBitCount &+ 1))
  }

  /// Sets the highest bit of each byte of a group that is the tag. A byte above one that is may be marked wrongly, but
  /// never that of a free slot.
  @inline(__always)
  private static func matches(_ group: UInt64, _ tag: UInt8) -> UInt64 {
    let difference = group ^ (ones &* UInt64(tag))
    return (difference &- ones) & ~difference & highBits
  }
}
