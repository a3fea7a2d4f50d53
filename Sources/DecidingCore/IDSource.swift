internal import Statistics
internal import Threads

/// A source of ids for events and sessions.
public protocol IDSource: Sendable {
  /// Returns a new unique id.
  func next() -> String
}

/// Random UUIDs (RFC 9562, version 4), from a generator of 256 bits seeded by the system.
public final class RandomIDs: IDSource {
  private let generator: Monitor<Xoshiro256>

  /// Creates a source with an unpredictable seed.
  public init() {
    var system = SystemRandomNumberGenerator()
    generator = Monitor(
      Xoshiro256(state: system.next() | 1, system.next(), system.next(), system.next()))
  }

  /// Creates a source that returns the same ids for the same seed.
  public init(seed: UInt64) {
    generator = Monitor(Xoshiro256(seed: seed))
  }

  /// Returns the next id, such as `0b4ff2c3-57a4-4c5e-9f6e-0d6a3f0f1e7c`.
  public func next() -> String {
    let (high, low) = generator.withLock { generator in (generator.next(), generator.next()) }
    let version = high & ~0xF000 | 0x4000
    let variant = low & ~(0xC0 << 56) | 0x80 << 56
    return Self.text(version, variant)
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    let digits = (
      Self.digits(high >> 32), Self.digits(high & 0xFFFF_FFFF), Self.digits(low >> 32),
      Self.digits(low & 0xFFFF_FFFF)
    )
    // Safety: 36 bytes are written into room for 36.
    return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe bytes.storeBytes(of: digits.0, toByteOffset: 0, as: UInt64.self)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: digits.1), toByteOffset: 9, as: UInt32.self)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: digits.1 >> 32), toByteOffset: 14, as: UInt32.self)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: digits.2), toByteOffset: 19, as: UInt32.self)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: digits.2 >> 32), toByteOffset: 24, as: UInt32.self)
      unsafe bytes.storeBytes(of: digits.3, toByteOffset: 28, as: UInt64.self)
      let hyphen = UInt8(ascii: "-")
      unsafe (buffer[8], buffer[13], buffer[18], buffer[23]) = (hyphen, hyphen, hyphen, hyphen)
      return 36
    }
  }

  /// Returns the eight hexadecimal digits of 32 bits, as bytes in memory order: computed all at once, each
  /// digit in a byte of one word.
  private static func digits(_ bits: UInt64) -> UInt64 {
    var word = bits.byteSwapped >> 32
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
    // The high nibble of a byte is written first.
    word = (word >> 4 | word << 8) & 0x0F0F_0F0F_0F0F_0F0F
    // A digit of ten or more is a letter: adding six carries into its high nibble.
    let isLetter = (word &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (word &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27).littleEndian
  }
}
