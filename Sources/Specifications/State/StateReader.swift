/// A reader of the bytes written by ``StateWriter``. Any bytes are accepted; invalid ones cause an error.
public struct StateReader: Sendable {
  /// All bytes.
  @usableFromInline let bytes: [UInt8]
  @usableFromInline var place: Int
  /// The position after the last readable byte.
  @usableFromInline let end: Int
  /// The sum of the tallies that were read.
  @usableFromInline var tallies = 0
  /// The first error in a field that was visited.
  @usableFromInline var failure: StateError?
  /// Returns the translation of the codes of a space; nil if codes are as they were written.
  package var translate: (@Sendable (CodeSpace) throws(StateError) -> CodeTranslation)? {
    didSet { translations = [] }
  }
  /// The translations so far, by index of their space.
  var translations: [CodeTranslation?] = []

  /// Creates a reader of all bytes.
  public init(_ bytes: [UInt8]) {
    self.init(bytes, 0..<bytes.count)
  }

  /// Creates a reader of a range of the bytes; of no bytes if the range is out of bounds.
  public init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    place = range.upperBound <= bytes.count ? max(0, range.lowerBound) : bytes.count
    end = range.upperBound <= bytes.count ? range.upperBound : bytes.count
  }

  /// The position of the next byte.
  @inlinable public var position: Int { place }

  /// Whether everything has been read.
  @inlinable public var isAtEnd: Bool { place >= end }

  /// Reads one byte.
  ///
  /// - Throws: ``StateError`` if there is none left.
  @inlinable
  @inline(__always)
  public mutating func readByte() throws(StateError) -> UInt8 {
    guard place < end else { throw StateError("it ends too early") }
    defer { place &+= 1 }
    return bytes[place]
  }

  /// Reads an unsigned number.
  ///
  /// - Throws: ``StateError`` if the bytes end, or the number exceeds 64 bits.
  @inlinable
  @inline(__always)
  public mutating func read() throws(StateError) -> UInt64 {
    let first = try readByte()
    return first < 0x80 ? UInt64(first) : try read(after: first)
  }

  /// Reads the rest of a number of more than one byte.
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

  /// Reads a signed number.
  ///
  /// - Throws: ``StateError`` as for ``read()``.
  @inlinable
  public mutating func readSigned() throws(StateError) -> Int64 {
    let number = try read()
    return Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads a count or an index: a nonnegative number that fits an `Int`.
  ///
  /// - Parameter limit: An exclusive upper bound.
  /// - Returns: The number.
  /// - Throws: ``StateError`` if the number is too large or the bytes end.
  @inlinable
  public mutating func readCount(below limit: Int = .max) throws(StateError) -> Int {
    guard let number = Int(exactly: try read()), number < limit else {
      throw StateError("a number is too large")
    }
    return number
  }

  /// Reads a tally, a count below 2^50. All tallies that are read add up to less than 2^60, so that no sum of some of
  /// them overflows.
  ///
  /// - Throws: ``StateError`` if it is larger or the bytes end.
  @inlinable
  public mutating func readTally() throws(StateError) -> Int {
    let tally = try readCount(below: min(1 << 50, 1 << 60 - tallies))
    tallies &+= tally
    return tally
  }

  /// Reads bytes that were written verbatim.
  ///
  /// - Parameter count: Their number, not negative.
  /// - Returns: The bytes.
  /// - Throws: ``StateError`` if fewer are left.
  public mutating func readBytes(_ count: Int) throws(StateError) -> [UInt8] {
    guard count >= 0, count <= end - place else { throw StateError("it ends too early") }
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  /// Reads a Double, bit by bit.
  ///
  /// - Throws: ``StateError`` if the bytes end.
  @inlinable
  public mutating func readDouble() throws(StateError) -> Double {
    var bits: UInt64 = 0
    for shift in 0..<8 { bits |= UInt64(try readByte()) &<< (8 * UInt64(shift)) }
    return Double(bitPattern: bits)
  }
}

/// An error in the bytes of a state.
public struct StateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of the error.
  public let description: String

  /// Creates an error.
  public init(_ description: String) { self.description = description }
}
