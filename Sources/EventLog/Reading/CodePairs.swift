internal import Events

/// Counts codes below 16 two rows at a time: with a counter for each pair of codes, half as many writes are needed.
struct CodePairs: Sendable {
  static let codeLimit = 16
  /// The number of rows whose bytes stay in the first-level cache.
  private static let blockCount = 4_096

  /// By the code of the even row, plus 16 times the code of the odd one; two of each, used alternately.
  private var counts = [Int](repeating: 0, count: 2 * 256)
  /// By code, the rows that are not part of a pair.
  private var singles = [Int](repeating: 0, count: codeLimit)
  private var bytes = [UInt8](repeating: 0, count: blockCount)

  /// The number of rows with a code.
  subscript(code: Int) -> Int {
    (0..<Self.codeLimit).reduce(singles[code]) { sum, other in
      let (even, odd) = (code + 16 * other, other + 16 * code)
      return sum + counts[even] + counts[256 + even] + counts[odd] + counts[256 + odd]
    }
  }

  /// Counts the code of each row of the kind, and 0 for the others.
  ///
  /// - Returns: Whether every code is below 16; if not, nothing is counted.
  mutating func count(_ codes: [UInt32], of kinds: [UInt8], _ kind: EventKind) -> Bool {
    guard ColumnKernels.areBelow(UInt32(Self.codeLimit), codes) else { return false }
    for start in stride(from: 0, to: codes.count, by: Self.blockCount) {
      let range = start..<min(start + Self.blockCount, codes.count)
      _ = ColumnKernels.narrow(codes, kinds, kind.rawValue, range, into: &bytes)
      countBytes(range.count)
    }
    return true
  }

  private mutating func countBytes(_ count: Int) {
    let whole = min(count, bytes.count) / 8
    // Safety: 8 bytes are loaded for each of the whole groups, and every index is below 512.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe counts.withUnsafeMutableBufferPointer { counts in
        for group in 0..<whole {
          let word = unsafe bytes.loadUnaligned(fromByteOffset: group &* 8, as: UInt64.self)
          // The bytes 0, 2, 4 and 6 become pairs: a code, and above it that of the next row.
          let pairs = UInt64(littleEndian: word) | UInt64(littleEndian: word) &>> 4
          unsafe counts[Int(pairs & 0xFF)] &+= 1
          unsafe counts[256 &+ Int(pairs &>> 16 & 0xFF)] &+= 1
          unsafe counts[Int(pairs &>> 32 & 0xFF)] &+= 1
          unsafe counts[256 &+ Int(pairs &>> 48 & 0xFF)] &+= 1
        }
      }
    }
    for index in whole * 8..<count { singles[Int(bytes[index])] += 1 }
  }
}
