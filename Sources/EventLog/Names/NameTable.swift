/// The names of one vocabulary and their codes: both ways, in memory.
///
/// Codes are dense, in order of first appearance. Memory is the length of each name plus 16 to 24
/// bytes.
struct NameTable: Sendable {
  let firstCode: UInt32
  private(set) var texts = TextList()
  /// Open addressing: the index of a name plus one, 0 where free.
  private var slots: [UInt32] = Array(repeating: 0, count: 16)
  private var lastFound: Int = -1

  init(firstCode: UInt32) {
    self.firstCode = firstCode
  }

  var count: Int { texts.count }

  /// The code that the next new name will get.
  var nextCode: UInt32 { firstCode + UInt32(count) }

  /// The name of a code; nil when there is no such code.
  subscript(code: UInt32) -> ArraySlice<UInt8>? {
    guard code >= firstCode, code < nextCode else { return nil }
    return texts[Int(code - firstCode)]
  }

  /// The code of a name that is there.
  func code(of name: ArraySlice<UInt8>) -> UInt32? {
    let index = slots[slot(of: name)]
    return index == 0 ? nil : firstCode + index - 1
  }

  /// The code of a name, a new one if it was not there.
  ///
  /// - Complexity: O(length) on average.
  mutating func intern(_ name: ArraySlice<UInt8>) -> UInt32 {
    if lastFound >= 0, texts[lastFound].elementsEqual(name) {
      return firstCode + UInt32(lastFound)
    }
    let slot = slot(of: name)
    if slots[slot] != 0 {
      lastFound = Int(slots[slot]) - 1
      return firstCode + slots[slot] - 1
    }
    texts.append(name)
    slots[slot] = UInt32(count)
    lastFound = count - 1
    if count * 2 > slots.count { grow() }
    return nextCode - 1
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for index in 0..<count {
      slots[slot(of: texts[index])] = UInt32(index + 1)
    }
  }

  /// The slot that holds the name, or the free one where it belongs.
  private func slot(of name: ArraySlice<UInt8>) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: Self.hash(name)) & mask
    while slots[slot] != 0, !texts[Int(slots[slot]) - 1].elementsEqual(name) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// FNV-1a over the bytes with a final mixing (64 bits; the mixing is that of SplitMix64). It only
  /// places names in the table and never shows outside.
  private static func hash(_ name: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ (hash >> 27)
  }
}
