internal import Events

/// Finds the number of a value in an ``AttributeColumn``, adding new values.
struct ValueNumbers {
  /// The result for a text whose name was erased or lost.
  static let lost = UInt32.max

  private let names: LogNames
  /// By code of the text in the log, its number; 0 before its first occurrence.
  private var texts: [UInt32]
  /// The codes of the texts seen.
  private var met: [UInt32] = []
  /// Texts without a code in the log, and their numbers.
  private var literals = NameTable(firstCode: 0)
  private var literalNumbers: [UInt32] = []
  private var flags: [UInt32] = [0, 0]
  /// Numbers by their bits, in an open-addressing hash table: the index of a key plus one, 0 if free. There are always
  /// free slots.
  private var slots: [UInt32] = Array(repeating: 0, count: 64)
  private var keys: [UInt64] = []
  private var types: [ValueType] = []
  private var numbers: [UInt32] = []

  /// Creates an empty map.
  ///
  /// - Parameters:
  ///   - names: The names of the log's values.
  ///   - limit: The exclusive upper bound of their codes.
  init(_ names: LogNames, limit: UInt32) {
    self.names = names
    texts = Array(repeating: 0, count: Int(limit))
  }

  /// Removes all values.
  mutating func removeAll() {
    for code in met { texts[Int(code)] = 0 }
    met.removeAll(keepingCapacity: true)
    flags.refill(0, count: 2)
    if !literalNumbers.isEmpty {
      literals = NameTable(firstCode: 0)
      literalNumbers.removeAll(keepingCapacity: true)
    }
    guard !keys.isEmpty else { return }
    slots.refill(0, count: slots.count)
    keys.removeAll(keepingCapacity: true)
    types.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
  }

  // MARK: Texts and flags

  /// Returns the number of a text with a code in the log, which must be below the limit; ``lost`` if the code has no
  /// name.
  @inline(__always)
  mutating func number(ofText code: UInt32, in column: inout AttributeColumn) -> UInt32 {
    let number = texts[Int(code)]
    return number != 0 ? number : insert(text: code, &column)
  }

  @inline(never)
  private mutating func insert(text code: UInt32, _ column: inout AttributeColumn) -> UInt32 {
    let name = names.bytes(code, in: .values)
    let number = name.map { column.append(.text, UInt64(code), text: $0) } ?? Self.lost
    texts[Int(code)] = number
    met.append(code)
    return number
  }

  /// Returns the number of a text without a code in the log.
  @inline(never)
  mutating func number(
    ofLiteral text: ArraySlice<UInt8>, in column: inout AttributeColumn
  ) -> UInt32 {
    let index = Int(literals.intern(text))
    if index == literalNumbers.count {
      literalNumbers.append(column.append(.text, UInt64(Vocabulary.literalCode), text: text))
    }
    return literalNumbers[index]
  }

  /// Returns the number of a truth value.
  @inline(__always)
  mutating func number(of flag: Bool, in column: inout AttributeColumn) -> UInt32 {
    let index = flag ? 1 : 0
    if flags[index] == 0 { flags[index] = column.append(.flag, UInt64(index)) }
    return flags[index]
  }

  // MARK: Numbers

  /// Returns the number of a floating-point or integer value, by its bits.
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

  /// Returns the slot of the key, or the free slot where it belongs.
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
