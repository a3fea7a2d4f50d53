/// An in-memory, bidirectional mapping between the names of one vocabulary and their codes.
///
/// Codes are dense, in order of first appearance, except for those whose names were erased or lost. Memory is the
/// length of each name plus 16 to 24 bytes.
struct NameTable: Sendable {
  private var codes: CodeRuns
  private(set) var texts = TextList()
  /// An open-addressing hash table: the index of a name plus one, 0 if free. There are always free slots.
  private var slots: [UInt32] = Array(repeating: 0, count: 16)

  init(firstCode: UInt32) {
    codes = CodeRuns(firstCode: firstCode)
  }

  /// The number of names.
  var count: Int { texts.count }

  /// The code of the next new name.
  var nextCode: UInt32 { codes.nextCode }

  /// Leaves codes without a name, because it was erased or lost.
  mutating func appendHoles(_ count: UInt32) { codes.appendHoles(count) }

  /// Returns the code of the name with the given index.
  func code(at index: Int) -> UInt32 { codes.code(at: index) }

  /// Returns the name of a code; nil if there is no such code.
  subscript(code: UInt32) -> ArraySlice<UInt8>? {
    codes.index(of: code).map { texts[$0] }
  }

  /// Returns the code of a name; nil if it is not present.
  func code(of name: ArraySlice<UInt8>) -> UInt32? {
    find(name.span, hash: NameBytes.hash(name.span))
  }

  /// Returns the code of a name, assigning a new one if needed.
  mutating func intern(_ name: ArraySlice<UInt8>) -> UInt32 {
    intern(name.span)
  }

  /// Returns the code of a name, assigning a new one if needed.
  ///
  /// - Complexity: O(length) on average.
  @inline(__always)
  mutating func intern(_ name: Span<UInt8>) -> UInt32 {
    let hash = NameBytes.hash(name)
    return find(name, hash: hash) ?? insert(name, hash: hash)
  }

  /// Returns the code of a name, given its hash; nil if it is not present.
  @inline(__always)
  func find(_ name: Span<UInt8>, hash: UInt64) -> UInt32? {
    let slots = slots.span
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let index = slots[slot] &- 1
      let known = texts.bytes.span.extracting(texts.range(of: Int(index)))
      if NameBytes.areEqual(known, name) { return codes.code(at: Int(index)) }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  /// Assigns the next code to a name that is not present.
  @inline(never)
  mutating func insert(_ name: Span<UInt8>, hash: UInt64) -> UInt32 {
    texts.append(name)
    codes.append()
    if count * 2 > slots.count {
      grow()
    } else {
      place(index: count - 1, hash: hash)
    }
    return nextCode - 1
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for index in 0..<count { place(index: index, hash: NameBytes.hash(texts[index].span)) }
  }

  private mutating func place(index: Int, hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(index + 1)
  }
}
