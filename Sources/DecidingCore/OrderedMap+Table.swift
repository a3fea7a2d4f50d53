extension OrderedMap {
  /// Entries in insertion order, with a hash table of their places.
  ///
  /// The entries are in chunks, so that adding one moves few others, and that after a copy only changed
  /// chunks are copied. When the hash table grows it is rebuilt from the stored hashes, so that no key is
  /// hashed twice.
  @usableFromInline
  struct Table: Sendable {
    /// The place of an entry with its hash. 32 bits for the place keep the table small; memory runs out long
    /// before.
    @usableFromInline
    struct Slot: Sendable {
      @usableFromInline var hash: UInt32
      @usableFromInline var place: UInt32

      @inlinable
      init(hash: UInt32 = 0, place: UInt32 = Slot.free) {
        self.hash = hash
        self.place = place
      }

      @inlinable static var free: UInt32 { .max }
    }

    /// The number of entries in all chunks but the last.
    @inlinable static var chunkSize: Int { 64 }

    @usableFromInline var chunks: [[Entry]] = []
    @usableFromInline var count = 0
    /// The slots: a power of two, at most two thirds of them occupied. An entry is in the first free slot
    /// from the one that its hash selects (linear probing).
    @usableFromInline var slots = Array(repeating: Slot(), count: 32)

    @inlinable
    init(_ entries: [Entry]) {
      for entry in entries { _ = add(entry) }
    }

    @inlinable @inline(__always)
    func place(of key: Key) -> Int? {
      let hash = Self.hash(key)
      let slots = slots.span
      let chunks = chunks.span
      let mask = slots.count - 1
      var index = Int(hash) & mask
      while slots[index].place != Slot.free {
        let place = Int(slots[index].place)
        if slots[index].hash == hash,
          chunks[place / Self.chunkSize].span[place % Self.chunkSize].key == key
        {
          return place
        }
        index = (index + 1) & mask
      }
      return nil
    }

    @inlinable @inline(__always)
    func read<Answer>(at place: Int, _ body: (Value) -> Answer) -> Answer {
      let chunks = chunks.span
      return body(chunks[place / Self.chunkSize].span[place % Self.chunkSize].value)
    }

    /// Adds an entry for a key that is not in the table.
    @inlinable
    mutating func add(_ entry: consuming Entry) -> Int {
      let place = count
      count += 1
      if 3 * count > 2 * slots.count { doubleSlots() }
      fill(Slot(hash: Self.hash(entry.key), place: UInt32(truncatingIfNeeded: place)))
      if place % Self.chunkSize == 0 {
        chunks.append([entry])
      } else {
        chunks[place / Self.chunkSize].append(entry)
      }
      return place
    }

    @inlinable
    static func hash(_ key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

    @inlinable
    mutating func doubleSlots() {
      let before = slots
      slots = Array(repeating: Slot(), count: 2 * before.count)
      for slot in before where slot.place != Slot.free { fill(slot) }
    }

    @inlinable
    mutating func fill(_ slot: Slot) {
      let mask = slots.count - 1
      var index = Int(slot.hash) & mask
      while slots[index].place != Slot.free { index = (index + 1) & mask }
      slots[index] = slot
    }
  }
}
