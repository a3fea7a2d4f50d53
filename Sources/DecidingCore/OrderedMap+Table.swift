extension OrderedMap {
  /// Entries in the order in which they came, and a table of hashes that says where each one is.
  ///
  /// The entries are in chunks, so that none moves far when one is added, and that after a copy was taken only
  /// the chunks are copied that change. When the table of hashes grows it is filled from the hashes that it
  /// keeps, so that no key is hashed twice.
  @usableFromInline
  struct Table: Sendable {
    /// Where an entry with that hash is. 32 bits for the place keep the table small; memory ends long before.
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

    /// Number of entries in all chunks but the last.
    @inlinable static var chunkSize: Int { 64 }

    @usableFromInline var chunks: [[Entry]] = []
    @usableFromInline var count = 0
    /// A power of two of slots, at most two thirds of them taken. An entry is in the first free slot from where
    /// its hash points to.
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

    /// Adds an entry for a key that has none.
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
