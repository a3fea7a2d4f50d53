internal import Statistics
internal import Threads

/// Where the ids of events and sessions come from.
public protocol IDSource: Sendable {
  /// An id that was never given before, and never will be.
  func next() -> String
}

/// Random UUIDs (RFC 9562, version 4), from a generator of 256 bits seeded by the system.
public final class RandomIDs: IDSource {
  private let generator: Monitor<Xoshiro256>

  /// Makes a source that nobody can foresee.
  public init() {
    var system = SystemRandomNumberGenerator()
    generator = Monitor(
      Xoshiro256(state: system.next() | 1, system.next(), system.next(), system.next()))
  }

  /// Makes a source that gives the same ids for the same seed.
  public init(seed: UInt64) {
    generator = Monitor(Xoshiro256(seed: seed))
  }

  /// The next id, such as `0b4ff2c3-57a4-4c5e-9f6e-0d6a3f0f1e7c`.
  public func next() -> String {
    let (high, low) = generator.withLock { generator in (generator.next(), generator.next()) }
    let version = high & ~0xF000 | 0x4000
    let variant = low & ~(0xC0 << 56) | 0x80 << 56
    return Self.text(version, variant)
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    // Safety: 36 bytes are written into room for 36.
    unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      var index = 0
      for (word, groups) in [(high, [8, 4, 4]), (low, [4, 12])] {
        var shift = 64
        for digits in groups {
          for _ in 0..<digits {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 0x0F
            unsafe buffer[index] = digit < 10 ? 0x30 + digit : 0x57 + digit
            index += 1
          }
          if index < 36 {
            unsafe buffer[index] = UInt8(ascii: "-")
            index += 1
          }
        }
      }
      return index
    }
  }
}
