internal import DecidingCore
internal import Events
internal import Specifications

/// The SHA-256 of a key, which is kept instead of the key.
package struct KeyDigest: Sendable {
  private let bytes: [UInt8]

  /// Computes the digest of a key.
  package init(of key: String) {
    var hash = SHA256()
    hash.update(Array(key.utf8))
    bytes = hash.bytes()
  }

  /// Creates a digest from 64 hexadecimal digits; nil if the text is anything else.
  package init?(hexadecimal text: String) {
    let digits = text.utf8.map(\.hexadecimalValue)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The digest as 64 lowercase hexadecimal digits.
  package var hexadecimal: String { SHA256.hexadecimal(bytes) }

  /// Returns whether two digests are equal, in a time that does not depend on where they differ.
  package func isEqual(to other: KeyDigest) -> Bool {
    var difference: UInt8 = 0
    for (a, b) in zip(bytes, other.bytes) { difference |= a ^ b }
    return difference == 0
  }
}
