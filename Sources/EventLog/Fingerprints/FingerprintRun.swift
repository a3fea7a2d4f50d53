import Platform

/// Sorted entries of a fingerprint map in an anonymous temporary file.
///
/// The file is a plain sequence of 20 bytes each: `high`, `low` (64 bits), value (32 bits), all little
/// endian. It lives as long as the process at most, so it has no version and no checksum.
final class FingerprintRun {
  static let entrySize = 20
  /// The number of entries that a lookup reads at once: about a page.
  private static let blockCount = 204

  let count: Int
  let level: Int
  var filter: FingerprintFilter?
  private let file: TemporaryFile

  init(file: TemporaryFile, count: Int, level: Int, filter: FingerprintFilter?) {
    self.file = file
    self.count = count
    self.level = level
    self.filter = filter
  }

  /// Returns false if the filter rules the key out.
  func mayContain(_ key: Fingerprint) -> Bool {
    filter?.mayContain(key) ?? true
  }

  /// Returns the value of a key; nil if the run does not contain it.
  ///
  /// - Complexity: O(log log n) reads for uniformly distributed keys, O(log n) for any.
  func value(for key: Fingerprint) throws(FingerprintMapError) -> UInt32? {
    var scratch: [UInt8] = []
    var (low, high) = (0, count)
    var (lowKey, highKey) = (UInt64.min, UInt64.max)
    var steps = 0
    while low < high {
      let size = min(Self.blockCount, high - low)
      let middle =
        steps < 4
        ? low + Self.portion(of: high - low, key.high - lowKey, highKey - lowKey)
        : low + (high - low) / 2
      let start = min(max(middle - size / 2, low), high - size)
      try read(start..<start + size, into: &scratch)
      let (first, last) = (Self.key(at: 0, in: scratch), Self.key(at: size - 1, in: scratch))
      if key < first {
        (high, highKey) = (start, first.high)
      } else if last < key {
        (low, lowKey) = (start + size, last.high)
      } else {
        return Self.search(key, among: size, in: scratch)
      }
      steps += 1
    }
    return nil
  }

  /// Reads a range of entries, 20 bytes each, into the start of `scratch`.
  func read(_ range: Range<Int>, into scratch: inout [UInt8]) throws(FingerprintMapError) {
    try file.read(
      range.count * Self.entrySize, at: range.lowerBound * Self.entrySize, into: &scratch)
  }

  /// Returns the key of the entry with the given index among those read.
  static func key(at index: Int, in bytes: [UInt8]) -> Fingerprint {
    let start = index * entrySize
    return Fingerprint(high: bytes.span.word(at: start), low: bytes.span.word(at: start + 8))
  }

  /// Returns the value of the entry with the given index among those read.
  static func value(at index: Int, in bytes: [UInt8]) -> UInt32 {
    bytes.span.halfWord(at: index * entrySize + 16)
  }

  /// Returns `total * part / whole`, within 0...total.
  private static func portion(of total: Int, _ part: UInt64, _ whole: UInt64) -> Int {
    guard whole > 0 else { return 0 }
    return min(total, Int(Double(total) * (Double(part) / Double(whole))))
  }

  private static func search(_ key: Fingerprint, among count: Int, in bytes: [UInt8]) -> UInt32? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let found = self.key(at: middle, in: bytes)
      if found == key { return value(at: middle, in: bytes) }
      if found < key { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}

/// Writes a run sequentially.
final class FingerprintRunWriter {
  private let file: TemporaryFile
  private var filter: FingerprintFilter?
  private var buffer: [UInt8] = []
  private var count = 0

  init(directory: String, filter: FingerprintFilter?) throws(FingerprintMapError) {
    self.file = try TemporaryFile(directory: directory)
    self.filter = filter
  }

  /// Appends an entry; the key must be larger than the previous one.
  func append(_ key: Fingerprint, _ value: UInt32) throws(FingerprintMapError) {
    buffer.appendLittleEndian(key.high)
    buffer.appendLittleEndian(key.low)
    buffer.appendLittleEndian(value)
    filter?.insert(key)
    count += 1
    if buffer.count + FingerprintRun.entrySize > 1 << 16 { try flush() }
  }

  func finish(level: Int) throws(FingerprintMapError) -> FingerprintRun {
    try flush()
    return FingerprintRun(file: file, count: count, level: level, filter: filter)
  }

  private func flush() throws(FingerprintMapError) {
    try file.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
