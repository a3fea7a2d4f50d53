internal import Events

/// A hash position in [0, 1): the first bits of a text's SHA-256, as a big-endian fraction.
///
/// Texts that are hashed together are concatenated without a separator and without Unicode normalization.
public struct UnitHash: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Hashes the concatenated texts.
  ///
  /// - Complexity: O(length); one block of SHA-256 up to 55 bytes.
  public init(_ texts: String...) {
    self.init(joining: texts)
  }

  /// Hashes two concatenated texts, without allocating a list.
  package init(_ first: String, _ second: String) {
    var hash = SHA256()
    hash.update(first)
    hash.update(second)
    self.init(hash.digest())
  }

  /// Hashes the concatenated texts.
  public init(joining texts: [String]) {
    var hash = SHA256()
    for text in texts { hash.update(text) }
    self.init(hash.digest())
  }

  private init(_ digest: [4 of UInt64]) {
    (first, second, third, fourth) = (digest[0], digest[1], digest[2], digest[3])
  }

  /// The first 64 bits over 2⁶⁴; the largest number below 1 where that rounds up to 1. Assignments use this
  /// value.
  public var fraction: Double { min(Double(first) * 0x1p-64, 1.0.nextDown) }

  /// The first 32 bits over 2³², as in other systems.
  public var fraction32: Double { Double(first >> 32) * 0x1p-32 }

  /// All 256 bits over 2²⁵⁶, as in other systems; the largest number below 1 where that rounds up.
  public var fraction256: Double {
    // The words after the first only matter for breaking a tie in rounding, which one sticky bit represents.
    let rest = second | third | fourth
    let isExact = first & 0x7FF == 0x400 && rest != 0
    return min(Double(isExact ? first | 1 : first) * 0x1p-64, 1.0.nextDown)
  }

  /// The first 64 bits of the digest.
  public var bits: UInt64 { first }
}
