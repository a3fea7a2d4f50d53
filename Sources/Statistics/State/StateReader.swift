/// Reads back what ``StateWriter`` wrote. The bytes may be anything: whatever is not right is an error.
public struct StateReader: Sendable {
  /// All bytes.
  @usableFromInline let bytes: [UInt8]
  @usableFromInline var place: Int
  /// The place behind the last byte that may be read.
  @usableFromInline let end: Int

  /// A reader of all bytes.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, 0..<bytes.count)
  }

  /// A reader of a part of the bytes; of nothing where they have no such part.
  public init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    place = range.upperBound <= bytes.count ? max(0, range.lowerBound) : bytes.count
    end = range.upperBound <= bytes.count ? range.upperBound : bytes.count
  }

  /// The place of the next byte.
  @inlinable public var position: Int { place }

  /// Whether everything was read.
  @inlinable public var isAtEnd: Bool { place >= end }

  /// Reads one byte.
  ///
  /// - Throws: ``StateError`` when there is none left.
  @inlinable
  @inline(__always)
  public mutating func readByte() throws(StateError) -> UInt8 {
    guard place < end else { throw StateError("it ends too early") }
    defer { place &+= 1 }
    return bytes[place]
  }

  /// Reads a number that is not negative.
  ///
  /// - Throws: ``StateError`` when the bytes end, or go beyond 64 bits.
  @inlinable
  @inline(__always)
  public mutating func read() throws(StateError) -> UInt64 {
    let first = try readByte()
    return first < 0x80 ? UInt64(first) : try read(after: first)
  }

  /// Reads what is left of a number whose first byte says that more follow.
  @inlinable
  mutating func read(after first: UInt8) throws(StateError) -> UInt64 {
    var number = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      let byte = try readByte()
      guard shift < 63 || byte <= 1 else { throw StateError("a number has more than 64 bits") }
      number |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return number }
      shift &+= 7
    }
  }

  /// Reads a number of either sign.
  ///
  /// - Throws: ``StateError`` as for ``read()``.
  @inlinable
  public mutating func readSigned() throws(StateError) -> Int64 {
    let number = try read()
    return Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads a count or an index: a number that is not negative and fits an `Int`.
  ///
  /// - Parameter limit: What it must be below.
  /// - Returns: The number.
  /// - Throws: ``StateError`` when it is not.
  @inlinable
  public mutating func readCount(below limit: Int = .max) throws(StateError) -> Int {
    guard let number = Int(exactly: try read()), number < limit else {
      throw StateError("a number is too large")
    }
    return number
  }

  /// Reads how often something was seen: less than 2^60, so that sums of such numbers stay far from the end of `Int`.
  ///
  /// - Throws: ``StateError`` when it is not.
  @inlinable
  public mutating func readTally() throws(StateError) -> Int {
    try readCount(below: 1 << 60)
  }

  /// Reads all bits of a number.
  ///
  /// - Throws: ``StateError`` when the bytes end.
  @inlinable
  public mutating func readDouble() throws(StateError) -> Double {
    var bits: UInt64 = 0
    for shift in 0..<8 { bits |= UInt64(try readByte()) &<< (8 * UInt64(shift)) }
    return Double(bitPattern: bits)
  }
}

/// Why bytes are not a state.
public struct StateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with them, in words.
  public let description: String

  /// An error.
  public init(_ description: String) { self.description = description }
}
