internal import Events

/// Finds the number of a value in an ``AttributeColumn``, and adds those that are new.
struct ValueNumbers {
  /// What is answered for a text whose name was erased or lost.
  static let lost = UInt32.max

  private let names: LogNames
  /// Open addressing: the index of a key plus one, 0 where free. There are always free ones.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var keys: [UInt64] = []
  private var types: [ValueType] = []
  private var numbers: [UInt32] = []
  /// Texts without a code in the log. Their keys are above those of the codes.
  private var literals = NameTable(firstCode: 0)

  init(_ names: LogNames) { self.names = names }

  /// Forgets all values.
  mutating func removeAll() {
    guard !keys.isEmpty else { return }
    slots.refill(0, count: slots.count)
    keys.removeAll(keepingCapacity: true)
    types.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    if literals.count > 0 { literals = NameTable(firstCode: 0) }
  }

  /// The number of a value that is no text, by its bits.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  mutating func number(
    of bits: UInt64, _ type: ValueType, in column: inout AttributeColumn
  ) -> UInt32 {
    let slot = slot(of: bits, type)
    if slots[slot] != 0 { return numbers[Int(slots[slot]) &- 1] }
    return insert(bits, type, column.append(type, bits), at: slot)
  }

  /// The number of a text with a code in the log; ``lost`` when the code has no name.
  @inline(__always)
  mutating func number(ofText code: UInt32, in column: inout AttributeColumn) -> UInt32 {
    let slot = slot(of: UInt64(code), .text)
    if slots[slot] != 0 { return numbers[Int(slots[slot]) &- 1] }
    let name = names.bytes(code, in: .values)
    let number = name.map { column.append(.text, UInt64(code), text: $0) } ?? Self.lost
    return insert(UInt64(code), .text, number, at: slot)
  }

  /// The number of a text without a code in the log.
  mutating func number(
    ofLiteral text: ArraySlice<UInt8>, in column: inout AttributeColumn
  ) -> UInt32 {
    let key = 1 << 32 | UInt64(literals.intern(text))
    let slot = slot(of: key, .text)
    if slots[slot] != 0 { return numbers[Int(slots[slot]) &- 1] }
    return insert(
      key, .text, column.append(.text, UInt64(Vocabulary.literalCode), text: text), at: slot)
  }

  /// Where the key stands, or else the free slot where it belongs.
  @inline(__always)
  private func slot(of key: UInt64, _ type: ValueType) -> Int {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: NameBytes.hash(key)) & mask
    while slots[slot] != 0 {
      let index = Int(slots[slot]) &- 1
      if keys[index] == key, types[index] == type { return slot }
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  @inline(never)
  private mutating func insert(
    _ key: UInt64, _ type: ValueType, _ number: UInt32, at slot: Int
  ) -> UInt32 {
    keys.append(key)
    types.append(type)
    numbers.append(number)
    slots[slot] = UInt32(truncatingIfNeeded: keys.count)
    if keys.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for index in keys.indices {
      slots[slot(of: keys[index], types[index])] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}
