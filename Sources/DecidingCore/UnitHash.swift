/// A text's place in [0, 1): the beginning of its SHA-256, read as a big-endian fraction.
///
/// Texts that are hashed together are joined without a separator, as given, without Unicode normalisation.
public struct UnitHash: Hashable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// Hashes the texts one behind the other.
  ///
  /// - Complexity: O(length); one block of SHA-256 up to 55 bytes.
  public init(_ texts: String...) {
    self.init(joining: texts)
  }

  /// Hashes two texts one behind the other, without a list of them.
  package init(_ first: String, _ second: String) {
    var hash = SHA256()
    hash.update(first)
    hash.update(second)
    self.init(hash.digest())
  }

  /// Hashes the texts one behind the other.
  public init(joining texts: [String]) {
    var hash = SHA256()
    for text in texts { hash.update(text) }
    self.init(hash.digest())
  }

  private init(_ digest: [4 of UInt64]) {
    (first, second, third, fourth) = (digest[0], digest[1], digest[2], digest[3])
  }

  /// The first 64 bits over 2⁶⁴; the largest number below 1 where that rounds up to 1. This is what
  /// decides.
  public var fraction: Double { min(Double(first) * 0x1p-64, 1.0.nextDown) }

  /// The first 32 bits over 2³², as other systems have it.
  public var fraction32: Double { Double(first >> 32) * 0x1p-32 }

  /// All 256 bits over 2²⁵⁶, as other systems have it; the largest number below 1 where that rounds up.
  public var fraction256: Double {
    // The words below the first only matter where they break a tie, which one sticky bit tells.
    let rest = second | third | fourth
    let isExact = first & 0x7FF == 0x400 && rest != 0
    return min(Double(isExact ? first | 1 : first) * 0x1p-64, 1.0.nextDown)
  }

  /// The first 64 bits of the digest.
  public var bits: UInt64 { first }
}
