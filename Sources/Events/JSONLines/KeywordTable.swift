/// Up to 24 bytes of a name in three words, so that names are compared without a loop.
struct PackedName: Equatable, Sendable {
  /// The maximum length of a name that can be packed, in bytes.
  static let longest = 24

  var first: UInt64
  var second: UInt64 = 0
  var third: UInt64 = 0
  var count: Int

  /// Packs bytes of a line; nil if there are too many.
  @inline(__always)
  init?(at start: Int, count: Int, in line: Span<UInt8>) {
    guard count <= Self.longest else { return nil }
    self.count = count
    first = line.word(at: start, count: min(count, 8))
    if count > 8 { second = line.word(at: start + 8, count: min(count - 8, 8)) }
    if count > 16 { third = line.word(at: start + 16, count: count - 16) }
  }

  /// A hash of the name to 64 slots. The multipliers are odd and otherwise arbitrary; the last one was found by search
  /// so that no two keys of an event collide.
  @inline(__always)
  var place: Int {
    let mixed = first ^ (second &* 0x9E37_79B9_7F4A_7C15) ^ (third &* 0xC2B2_AE3D_27D4_EB4F)
    return Int((mixed &* 0x7C6A_47A7_3BC8_996B) &>> 58)
  }
}

/// A table that maps short names, given as bytes, to values without creating a string.
struct KeywordTable<Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    var name: PackedName
    var value: Value
  }

  /// The 64 slots, each with the name that hashes there or, after a collision, a little before.
  private var slots: [Slot?] = Array(repeating: nil, count: 64)

  /// Creates a table of at most 32 distinct names of at most 24 bytes; others are ignored.
  init(_ entries: [(name: String, value: Value)]) {
    for (name, value) in entries.prefix(32) {
      let bytes = Array(name.utf8)
      guard let packed = PackedName(at: 0, count: bytes.count, in: bytes.span) else { continue }
      var place = packed.place
      while slots[place] != nil { place = (place + 1) & 63 }
      slots[place] = Slot(name: packed, value: value)
    }
  }

  /// Returns the value of the name; nil if it is not in the table.
  @inline(__always)
  func value(at start: Int, count: Int, in line: Span<UInt8>) -> Value? {
    guard let name = PackedName(at: start, count: count, in: line) else { return nil }
    var place = name.place
    while let slot = slots[place & 63] {
      if slot.name == name { return slot.value }
      place += 1
    }
    return nil
  }
}

extension Span where Element == UInt8 {
  /// Returns eight bytes as a number, the first byte lowest. There must be eight.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Safety: the load is bounds-checked, and every bit pattern is a valid UInt64.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns up to eight bytes as a number, the first byte lowest, zero-extended.
  @inline(__always)
  func word(at offset: Int, count wanted: Int) -> UInt64 {
    if offset &+ 8 <= count {
      let all = word(at: offset)
      return wanted >= 8 ? all : all & ((1 &<< UInt64(wanted &* 8)) &- 1)
    }
    return gatheredWord(at: offset, count: wanted)
  }

  /// Returns the same near the end of the bytes, where eight cannot be loaded at once.
  @inline(never)
  private func gatheredWord(at offset: Int, count wanted: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<wanted { word |= UInt64(self[offset + index]) &<< UInt64(index * 8) }
    return word
  }
}
