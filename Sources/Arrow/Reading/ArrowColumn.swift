/// A column of a batch that was read: its values by row.
///
/// All offsets and indices were checked when it was read, so that any row below ``count`` can be asked for anything:
/// what it does not have is 0 or empty.
public struct ArrowColumn: Sendable {
  /// The name and type.
  public let field: ArrowField
  /// How its values are stored.
  let storage: ArrowStorage
  /// The number of rows.
  public let count: Int
  /// The number of rows that are null, also because they refer to a null of the dictionary.
  public private(set) var nullCount: Int
  /// Whether the first buffer says which rows are not null.
  let hasValidity: Bool
  /// The body of the message.
  let body: [UInt8]
  /// The places of the buffers in the body; empty for a buffer that is absent.
  let buffers: [Range<Int>]
  /// The columns that it contains.
  public let children: [ArrowColumn]
  /// The values that the indices of the column refer to; nil if it has no dictionary.
  public private(set) var dictionary: ArrowDictionary?
  /// Whether the dictionary has nulls.
  private var refersToNulls = false

  init(
    field: ArrowField, storage: ArrowStorage, count: Int, nullCount: Int, body: [UInt8],
    buffers: [Range<Int>],
    children: [ArrowColumn]
  ) {
    (self.field, self.storage, self.count, self.nullCount) = (field, storage, count, nullCount)
    (self.body, self.buffers, self.children) = (body, buffers, children)
    hasValidity = storage != .none && nullCount > 0
  }

  /// Whether a row is null.
  @inline(__always)
  public func isNull(_ row: Int) -> Bool {
    if nullCount == 0 { return false }
    if storage == .none { return true }
    if hasValidity, body[buffers[0].lowerBound + row >> 3] >> (row & 7) & 1 == 0 { return true }
    return refersToNulls && isNullValue(row)
  }

  /// For each row whether it is null.
  public var nulls: [Bool] { (0..<count).map { isNull($0) } }

  private func isNullValue(_ row: Int) -> Bool {
    let (part, place) = resolved(row)
    return part.isNull(place)
  }

  /// Sets the dictionary, of whose values the column has the indices.
  mutating func refer(to dictionary: ArrowDictionary) {
    self.dictionary = dictionary
    refersToNulls = count > 0 && dictionary.parts.contains { $0.nullCount > 0 }
    guard refersToNulls else { return }
    // Not 0, so that each row is asked.
    nullCount = count
    var nulls = 0
    for row in 0..<count where isNull(row) { nulls += 1 }
    nullCount = nulls
  }

  /// Returns the column that has the value of a row, which is not null, and the value's row in it: of a column with a
  /// dictionary a part of that, of any other the column itself.
  public func resolved(_ row: Int) -> (column: ArrowColumn, row: Int) {
    guard let dictionary else { return (self, row) }
    return dictionary.find(Int(integer(row)))
  }

  /// Loads a number of a buffer.
  @inline(__always)
  func load<Value: BitwiseCopyable>(_ buffer: Int, _ index: Int, as type: Value.Type) -> Value {
    let start = buffers[buffer].lowerBound + index * MemoryLayout<Value>.size
    precondition(index >= 0 && start + MemoryLayout<Value>.size <= buffers[buffer].upperBound)
    // Safety: the range was just checked and is one of the body, and the value has no references.
    return unsafe body.span.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: type)
  }

  /// Returns the integer of a row: of an integer column the value, of a date or time the number of its units, of a
  /// column with a dictionary the index; 0 for other types. Unsigned integers of 64 bits have the bits of a signed one.
  public func integer(_ row: Int) -> Int64 {
    switch storage {
    case .int8: Int64(load(1, row, as: Int8.self))
    case .uint8: Int64(load(1, row, as: UInt8.self))
    case .int16: Int64(load(1, row, as: Int16.self))
    case .uint16: Int64(load(1, row, as: UInt16.self))
    case .int32: Int64(load(1, row, as: Int32.self))
    case .uint32: Int64(load(1, row, as: UInt32.self))
    case .int64: load(1, row, as: Int64.self)
    default: 0
    }
  }

  /// Returns the floating-point number of a row; 0 for other types.
  public func number(_ row: Int) -> Double {
    switch storage {
    case .double: load(1, row, as: Double.self)
    case .float: Double(load(1, row, as: Float.self))
    case .half: Self.half(load(1, row, as: UInt16.self))
    default: 0
    }
  }

  /// Returns the number with the bits of a half-precision one.
  private static func half(_ bits: UInt16) -> Double {
    let sign: Double = bits >> 15 == 0 ? 1 : -1
    let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
    switch exponent {
    case 0: return sign * fraction * 0x1p-24
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction * 0x1p-10)
        * sign
    }
  }

  /// Returns the truth value of a row; false for other types.
  public func flag(_ row: Int) -> Bool {
    storage == .bits && body[buffers[1].lowerBound + row >> 3] >> (row & 7) & 1 != 0
  }

  /// Returns the decimal number of a row without its point: its sign and its digits in ASCII; 0 for other types.
  public func decimal(_ row: Int) -> (isNegative: Bool, digits: [UInt8]) {
    var limbs: [UInt64]
    switch (field.type, storage) {
    case (_, .decimal32): limbs = Self.limbs(Int64(load(1, row, as: Int32.self)))
    case (_, .decimal64): limbs = Self.limbs(load(1, row, as: Int64.self))
    case (_, .decimal128): limbs = (0..<2).map { load(1, 2 * row + $0, as: UInt64.self) }
    case (.decimal, .fixed): limbs = (0..<4).map { load(1, 4 * row + $0, as: UInt64.self) }
    default: return (false, [UInt8(ascii: "0")])
    }
    let isNegative = limbs[limbs.count - 1] >> 63 == 1
    if isNegative { Self.negate(&limbs) }
    return (isNegative, Self.digits(limbs))
  }

  private static func limbs(_ number: Int64) -> [UInt64] {
    [UInt64(bitPattern: number), number < 0 ? .max : 0]
  }

  /// Negates a number in two's complement, the lowest limb first.
  private static func negate(_ limbs: inout [UInt64]) {
    var carry = true
    for index in limbs.indices {
      let (sum, overflow) = (~limbs[index]).addingReportingOverflow(carry ? 1 : 0)
      limbs[index] = sum
      carry = overflow
    }
  }

  /// Returns the decimal digits of a number without sign, the lowest limb first.
  private static func digits(_ number: [UInt64]) -> [UInt8] {
    let base: UInt64 = 1_000_000_000_000_000_000
    var limbs = number
    var parts: [UInt64] = []
    repeat {
      var rest: UInt64 = 0
      for index in limbs.indices.reversed() {
        (limbs[index], rest) = base.dividingFullWidth((rest, limbs[index]))
      }
      parts.append(rest)
      while limbs.last == 0 { limbs.removeLast() }
    } while !limbs.isEmpty
    var text = String(parts[parts.count - 1])
    for part in parts.dropLast().reversed() { text += String(part + base).dropFirst() }
    return Array(text.utf8)
  }

  /// Returns the bytes of a row's text or byte string, which is not null; empty for other types.
  public func bytes(_ row: Int) -> ArraySlice<UInt8> {
    switch storage {
    case .bytes32, .bytes64:
      let range = range(row)
      let start = buffers[2].lowerBound
      return body[start + range.lowerBound..<start + range.upperBound]
    case .views: return view(row)
    case .fixed(let width):
      let start = buffers[1].lowerBound + row * width
      return body[start..<start + width]
    default: return []
    }
  }

  /// The bytes of the message that the column came in, of which ``byteRange(_:)`` returns parts.
  public var bytes: [UInt8] { body }

  /// Returns the range in ``bytes`` of a row's text or byte string, which is not null; empty for other types.
  @inline(__always)
  public func byteRange(_ row: Int) -> Range<Int> {
    guard storage == .bytes32 || storage == .bytes64 else {
      let bytes = bytes(row)
      return bytes.startIndex..<bytes.endIndex
    }
    let range = range(row)
    let start = buffers[2].lowerBound
    return start + range.lowerBound..<start + range.upperBound
  }

  private func view(_ row: Int) -> ArraySlice<UInt8> {
    let count = Int(load(1, 4 * row, as: Int32.self))
    if count <= 12 {
      let start = buffers[1].lowerBound + 16 * row + 4
      return body[start..<start + count]
    }
    let buffer = 2 + Int(load(1, 4 * row + 2, as: Int32.self))
    let start = buffers[buffer].lowerBound + Int(load(1, 4 * row + 3, as: Int32.self))
    return body[start..<start + count]
  }

  /// The range of a row's bytes or elements, whose ends ascend: that was checked when the batch was read.
  @inline(__always)
  private func range(_ row: Int) -> Range<Int> {
    storage == .bytes64 || storage == .list64
      ? Int(load(1, row, as: Int64.self))..<Int(load(1, row + 1, as: Int64.self))
      : Int(load(1, row, as: Int32.self))..<Int(load(1, row + 1, as: Int32.self))
  }

  /// Returns the elements of a row's list or map, which is not null, as rows of the only one of ``children``; empty
  /// for other types.
  public func elements(_ row: Int) -> Range<Int> {
    switch storage {
    case .list32, .list64: range(row)
    case .fixedList(let count): row * count..<(row + 1) * count
    default: 0..<0
    }
  }
}

/// The values of a dictionary, in the parts in which they were sent.
public struct ArrowDictionary: Sendable {
  /// The parts.
  public private(set) var parts: [ArrowColumn] = []
  /// The index of the first value of each part.
  private var starts: [Int] = []
  /// The number of values.
  public private(set) var count = 0

  mutating func append(_ part: ArrowColumn) {
    starts.append(count)
    parts.append(part)
    count += part.count
  }

  /// Returns the part that has a value, and the value's row in it.
  public func find(_ index: Int) -> (column: ArrowColumn, row: Int) {
    if parts.count == 1 { return (parts[0], index) }
    var (low, high) = (0, parts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return (parts[low], index - starts[low])
  }
}
