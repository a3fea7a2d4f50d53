/// A writer that encodes the parts of a state as bytes, one after the other; ``StateReader`` reads them back in the
/// same order.
///
/// Integers take a byte for every seven significant bits, so small ones take one. The same values give the same bytes
/// on every machine.
public struct StateWriter: Sendable {
  @usableFromInline var content: [UInt8] = []

  /// The bytes written so far.
  @inlinable public var bytes: [UInt8] { content }

  /// Creates an empty writer.
  public init() {}

  /// The number of bytes written.
  @inlinable public var count: Int { content.count }

  /// Removes what was written but keeps the capacity.
  @inlinable
  public mutating func removeAll() { content.removeAll(keepingCapacity: true) }

  /// Writes one byte.
  @inlinable
  public mutating func write(byte: UInt8) { content.append(byte) }

  /// Writes an unsigned number: seven bits per byte, the lowest first, with the high bit set if more follow (LEB128).
  @inlinable
  public mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      content.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    content.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a signed number: 0, -1, 1, -2, 2 and so on as 0, 1, 2, 3, 4 (zigzag encoding).
  @inlinable
  public mutating func write(signed number: Int64) {
    write(UInt64(bitPattern: number &<< 1 ^ number &>> 63))
  }

  /// Writes a tally; a negative one, which no state has between two units, as zero.
  @inlinable
  public mutating func write(tally count: Int) { write(UInt64(max(0, count))) }

  /// Writes a Double, bit by bit.
  @inlinable
  public mutating func write(_ number: Double) {
    var rest = number.bitPattern
    for _ in 0..<8 {
      content.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Writes bytes verbatim.
  @inlinable
  public mutating func write(bytes more: some Sequence<UInt8>) { content.append(contentsOf: more) }
}
