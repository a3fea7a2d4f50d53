/// Writes the parts of a state as bytes, one after the other; ``StateReader`` reads them back in the same order.
///
/// Whole numbers take a byte for every seven bits that they need, so small ones take one. The same values give the same
/// bytes on every machine.
public struct StateWriter: Sendable {
  @usableFromInline var content: [UInt8] = []

  /// What was written so far.
  @inlinable public var bytes: [UInt8] { content }

  /// Nothing written.
  public init() {}

  /// How many bytes were written.
  @inlinable public var count: Int { content.count }

  /// Forgets what was written, but not the memory for it.
  @inlinable
  public mutating func removeAll() { content.removeAll(keepingCapacity: true) }

  /// Writes one byte.
  @inlinable
  public mutating func write(byte: UInt8) { content.append(byte) }

  /// Writes a number that is not negative: seven bits to a byte, the lowest first, the high bit saying that more follow.
  @inlinable
  public mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      content.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    content.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a number of either sign: 0, -1, 1, -2, 2 and so on as 0, 1, 2, 3, 4.
  @inlinable
  public mutating func write(signed number: Int64) {
    write(UInt64(bitPattern: number &<< 1 ^ number &>> 63))
  }

  /// Writes how often something was seen; a number below zero, which no state has between two units, as zero.
  @inlinable
  public mutating func write(tally count: Int) { write(UInt64(max(0, count))) }

  /// Writes all bits of a number.
  @inlinable
  public mutating func write(_ number: Double) {
    var rest = number.bitPattern
    for _ in 0..<8 {
      content.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Writes bytes as they are.
  @inlinable
  public mutating func write(bytes more: some Sequence<UInt8>) { content.append(contentsOf: more) }
}
