internal import Specifications

/// The hash function SHA-256 (FIPS 180-4), optimized for texts of a few dozen bytes.
///
/// It is here rather than from swift-crypto, which compiles BoringSSL for minutes whenever the command is built.
package struct SHA256: Sendable {
  private var state: [8 of UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var block: [16 of UInt32] = .init(repeating: 0)
  private var count: UInt64 = 0

  /// Creates the hash of nothing.
  package init() {}

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    let bytes = bytes.span
    var index = 0
    while index < bytes.count {
      guard count & 63 == 0, bytes.count - index >= 64 else {
        update(bytes[index])
        index += 1
        continue
      }
      for word in 0..<16 {
        let place = index + 4 * word
        block[word] =
          UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
          | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
      }
      count &+= 64
      compress()
      index += 64
    }
  }

  /// Adds the bytes of a text.
  package mutating func update(_ text: String) {
    for byte in text.utf8 { update(byte) }
  }

  /// Adds a byte.
  @inline(__always)
  mutating func update(_ byte: UInt8) {
    let place = Int(count & 63)
    let shift = UInt32(24 - 8 * (place & 3))
    block[place >> 2] |= UInt32(byte) << shift
    count &+= 1
    if count & 63 == 0 { compress() }
  }

  /// Pads the text (section 5.1.1) and returns the digest as four words, most significant bytes first.
  package consuming func digest() -> [4 of UInt64] {
    let bits = count &* 8
    update(0x80)
    // The unwritten rest of a block is already zero. The length takes the last eight bytes.
    if count & 63 > 56 { compress() }
    block[14] = UInt32(truncatingIfNeeded: bits >> 32)
    block[15] = UInt32(truncatingIfNeeded: bits)
    compress()
    return .init { index in UInt64(state[2 * index]) << 32 | UInt64(state[2 * index + 1]) }
  }

  /// Pads the text and returns the 32 bytes of the digest.
  package consuming func bytes() -> [UInt8] {
    let words = digest()
    return words.indices.flatMap { index in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: words[index] >> $0) }
    }
  }

  /// Pads the text and returns the digest as 64 lowercase hexadecimal digits.
  package consuming func hexadecimal() -> String { Self.hexadecimal(bytes()) }

  /// Returns two lowercase hexadecimal digits for each byte.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map(\.hexadecimal).joined()
  }

  /// Compresses a full block (section 6.2.2). The words of the schedule are computed sixteen at a time, where
  /// they are used, and the rounds pass the eight variables on by name instead of moving them.
  private mutating func compress() {
    var words = block
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for start in stride(from: 0, to: 64, by: 8) {
      let place = start & 8
      if start >= 16 { Self.schedule(&words, from: place) }
      Self.round(a, b, c, &d, e, f, g, &h, Self.constants[start] &+ words[place])
      Self.round(h, a, b, &c, d, e, f, &g, Self.constants[start + 1] &+ words[place + 1])
      Self.round(g, h, a, &b, c, d, e, &f, Self.constants[start + 2] &+ words[place + 2])
      Self.round(f, g, h, &a, b, c, d, &e, Self.constants[start + 3] &+ words[place + 3])
      Self.round(e, f, g, &h, a, b, c, &d, Self.constants[start + 4] &+ words[place + 4])
      Self.round(d, e, f, &g, h, a, b, &c, Self.constants[start + 5] &+ words[place + 5])
      Self.round(c, d, e, &f, g, h, a, &b, Self.constants[start + 6] &+ words[place + 6])
      Self.round(b, c, d, &e, f, g, h, &a, Self.constants[start + 7] &+ words[place + 7])
    }
    (state[0], state[1]) = (state[0] &+ a, state[1] &+ b)
    (state[2], state[3]) = (state[2] &+ c, state[3] &+ d)
    (state[4], state[5]) = (state[4] &+ e, state[5] &+ f)
    (state[6], state[7]) = (state[6] &+ g, state[7] &+ h)
    block = .init(repeating: 0)
  }

  /// Replaces the eight words of two steps ago by the next eight words of the schedule.
  @inline(__always)
  private static func schedule(_ words: inout [16 of UInt32], from start: Int) {
    for index in start..<start + 8 {
      let (a, b) = (words[(index + 1) & 15], words[(index + 14) & 15])
      let small0 = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
      let small1 = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
      words[index & 15] &+= small0 &+ words[(index + 9) & 15] &+ small1
    }
  }

  /// Performs one round. Only `d` and `h` change; the other variables only change their names.
  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
    _ h: inout UInt32, _ word: UInt32
  ) {
    // Terms that do not depend on the previous round are added first, so that the processor need not wait for
    // it.
    let big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    let first = h &+ word &+ (g ^ e & (f ^ g)) &+ big1
    let big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    d = d &+ first
    // The majority function; a part of it is reused in the next round.
    h = first &+ (b ^ (a ^ b) & (b ^ c)) &+ big0
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ by: UInt32) -> UInt32 {
    word &>> by | word &<< (32 &- by)
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes (section 4.2.2).
  private static let constants: [64 of UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}
