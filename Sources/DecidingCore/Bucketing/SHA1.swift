/// The hash function SHA-1 (FIPS 180-4), as far as bucketing needs it; not for cryptographic use.
///
/// Used by ``LaunchDarklyBucketing``.
enum SHA1 {
  /// Returns the first 64 bits of the digest of the text's UTF-8 bytes, most significant byte first.
  ///
  /// - Complexity: O(length).
  static func first64(_ text: String) -> UInt64 {
    let digest = words(text)
    return UInt64(digest[0]) << 32 | UInt64(digest[1])
  }

  /// Returns the digest as five words.
  static func words(_ text: String) -> [UInt32] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var block = [UInt32](repeating: 0, count: 80)
    let bytes = padded(text)
    for start in stride(from: 0, to: bytes.count, by: 64) {
      for index in 0..<16 {
        block[index] = bytes[(start + 4 * index)..<(start + 4 * index + 4)].reduce(0) {
          $0 << 8 | UInt32($1)
        }
      }
      compress(&block, into: &state)
    }
    return state
  }

  /// Returns the bytes with the padding of section 5.1.1; their number is a multiple of 64.
  private static func padded(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    let bits = UInt64(bytes.count) &* 8
    bytes.append(0x80)
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    return bytes
  }

  /// Compresses one block into the state (section 6.1.2).
  private static func compress(_ w: inout [UInt32], into state: inout [UInt32]) {
    for t in 16..<80 { w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], by: 1) }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for t in 0..<80 {
      let (mixed, constant) = round(t, b, c, d)
      let next = rotated(a, by: 5) &+ mixed &+ e &+ constant &+ w[t]
      (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
    }
    for (place, value) in [a, b, c, d, e].enumerated() { state[place] &+= value }
  }

  private static func round(_ t: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
    switch t {
    case ..<20: (b & c | ~b & d, 0x5A82_7999)
    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
    default: (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word &<< count | word &>> (32 &- count)
  }
}
