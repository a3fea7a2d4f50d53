import EventLog

/// Makes gzip members, which the code under test only reads.
public enum Gzip {
  /// One member that holds the bytes.
  public static func member(_ bytes: [UInt8]) -> [UInt8] {
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var trailer: [UInt8] = []
    for word in [crc32(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
      for shift in [0, 8, 16, 24] as [UInt32] {
        trailer.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return header + Deflate.compress(bytes) + trailer
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
