/// Sequential access to the bytes of a file for verification: read in large portions into a reused buffer, whatever
/// the sizes of what is checked.
struct CheckedBytes {
  private static let portion = 1 << 18

  private let file: any DiskFile
  /// The end of the checked range; nothing beyond it is read.
  private let limit: UInt64
  private var buffer: [UInt8] = []
  /// The range of the file that the buffer holds.
  private var held: Range<UInt64> = 0..<0

  init(_ file: any DiskFile, limit: UInt64) {
    self.file = file
    self.limit = limit
  }

  /// Returns the CRC-32C of a range of the file; nil if the file ends within it.
  mutating func checksum(_ range: Range<UInt64>) throws(LogError) -> UInt32? {
    var crc: UInt32 = 0
    var next = range.lowerBound
    while next < range.upperBound {
      let bytes = try hold(next..<range.upperBound)
      if bytes.isEmpty { return nil }
      crc = Checksum.crc32c(buffer[bytes], after: crc)
      next += UInt64(bytes.count)
    }
    return crc
  }

  /// Returns whether a range of the file is zero; false if the file ends within it.
  mutating func isZero(_ range: Range<UInt64>) throws(LogError) -> Bool {
    var next = range.lowerBound
    while next < range.upperBound {
      let bytes = try hold(next..<range.upperBound)
      if bytes.isEmpty || !buffer[bytes].allSatisfy({ $0 == 0 }) { return false }
      next += UInt64(bytes.count)
    }
    return true
  }

  /// Returns a short range of the file, or as much of it as exists.
  mutating func take(_ range: Range<UInt64>) throws(LogError) -> [UInt8] {
    var result: [UInt8] = []
    var next = range.lowerBound
    while next < range.upperBound {
      let bytes = try hold(next..<range.upperBound)
      if bytes.isEmpty { break }
      result.append(contentsOf: buffer[bytes])
      next += UInt64(bytes.count)
    }
    return result
  }

  /// Returns the location in the buffer of the first bytes of a range, reading them if necessary; empty at the end of
  /// the file.
  private mutating func hold(_ range: Range<UInt64>) throws(LogError) -> Range<Int> {
    if !held.contains(range.lowerBound) {
      let count = min(UInt64(Self.portion), max(limit, range.upperBound) - range.lowerBound)
      held = 0..<0
      let got = try file.read(at: range.lowerBound, count: Int(count), into: &buffer)
      held = range.lowerBound..<range.lowerBound + UInt64(got)
    }
    let end = min(range.upperBound, held.upperBound)
    guard range.lowerBound < end else { return 0..<0 }
    return Int(range.lowerBound - held.lowerBound)..<Int(end - held.lowerBound)
  }
}
