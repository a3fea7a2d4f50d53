/// The names of one vocabulary and their codes: both ways, in memory.
///
/// Codes are dense, in order of first appearance, but for those whose names were erased or lost. Memory is the length of each name plus 16 to 24
/// bytes.
struct NameTable: Sendable {
  private var codes: CodeRuns
  private(set) var texts = TextList()
  /// Open addressing: the index of a name plus one, 0 where free.
  private var slots: [UInt32] = Array(repeating: 0, count: 16)
  private var lastFound: Int = -1

  init(firstCode: UInt32) {
    codes = CodeRuns(firstCode: firstCode)
  }

  /// How many names there are.
  var count: Int { texts.count }

  /// The code that the next new name will get.
  var nextCode: UInt32 { codes.nextCode }

  /// Leaves codes without a name: those that once had them were erased or lost.
  mutating func appendHoles(_ count: UInt32) { codes.appendHoles(count) }

  /// The code of the name with the given index.
  func code(at index: Int) -> UInt32 { codes.code(at: index) }

  /// The name of a code; nil when there is no such code.
  subscript(code: UInt32) -> ArraySlice<UInt8>? {
    codes.index(of: code).map { texts[$0] }
  }

  /// The code of a name that is there.
  func code(of name: ArraySlice<UInt8>) -> UInt32? {
    let index = slots[slot(of: name)]
    return index == 0 ? nil : codes.code(at: Int(index) - 1)
  }

  /// The code of a name, a new one if it was not there.
  ///
  /// - Complexity: O(length) on average.
  mutating func intern(_ name: ArraySlice<UInt8>) -> UInt32 {
    if lastFound >= 0, texts[lastFound].elementsEqual(name) {
      return codes.code(at: lastFound)
    }
    let slot = slot(of: name)
    if slots[slot] != 0 {
      lastFound = Int(slots[slot]) - 1
      return codes.code(at: lastFound)
    }
    texts.append(name)
    codes.append()
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
