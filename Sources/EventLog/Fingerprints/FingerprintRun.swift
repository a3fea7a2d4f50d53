import Platform

/// Sorted entries of a fingerprint map in an anonymous temporary file.
///
/// The file is a plain sequence of 20 bytes each: `high`, `low` (64 bits), value (32 bits), all little
/// endian. It lives as long as the process at most, so it has no version and no checksum.
final class FingerprintRun {
  static let entrySize = 20
  /// The number of entries that a lookup reads at once: about a page.
  fileprivate static let blockCount = 204

  let count: Int
  let level: Int
  var filter: FingerprintFilter?
  private let file: TemporaryFile
  /// The words with which the first keys of all blocks begin.
  private let firsts: [UInt64]

  fileprivate init(
    file: TemporaryFile, count: Int, level: Int, filter: FingerprintFilter?, firsts: [UInt64]
  ) {
    (self.file, self.count, self.level, self.filter) = (file, count, level, filter)
    self.firsts = firsts
  }

  /// Returns false if the filter rules the key out.
  func mayContain(_ key: Fingerprint) -> Bool {
    filter?.mayContain(key) ?? true
  }

  /// Returns the value of a key; nil if the run does not contain it.
  ///
  /// - Complexity: O(log n), and one read; more only if keys that begin with the same 64 bits are in several blocks.
  func value(for key: Fingerprint) throws(FingerprintMapError) -> UInt32? {
    var scratch: [UInt8] = []
    var block = blocks(upTo: key.high)
    while block > 0 {
      block -= 1
      let start = block * Self.blockCount
      let size = min(Self.blockCount, count - start)
      try read(start..<start + size, into: &scratch)
      if key >= Self.key(at: 0, in: scratch) { return Self.search(key, among: size, in: scratch) }
    }
    return nil
  }

  /// Returns the number of blocks whose first key does not begin with more than a word.
  private func blocks(upTo word: UInt64) -> Int {
    var (low, high) = (0, firsts.count)
    while low < high {
      let middle = (low + high) / 2
      if firsts[middle] <= word { low = middle + 1 } else { high = middle }
    }
    return low
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
  private var firsts: [UInt64] = []

  init(directory: String, filter: FingerprintFilter?) throws(FingerprintMapError) {
    self.file = try TemporaryFile(directory: directory)
    self.filter = filter
  }

  /// Appends an entry; the key must be larger than the previous one.
  func append(_ key: Fingerprint, _ value: UInt32) throws(FingerprintMapError) {
    if count % FingerprintRun.blockCount == 0 { firsts.append(key.high) }
    buffer.appendLittleEndian(key.high)
    buffer.appendLittleEndian(key.low)
    buffer.appendLittleEndian(value)
    filter?.insert(key)
    count += 1
    if buffer.count + FingerprintRun.entrySize > 1 << 16 { try flush() }
  }

  func finish(level: Int) throws(FingerprintMapError) -> FingerprintRun {
    try flush()
    return FingerprintRun(file: file, count: count, level: level, filter: filter, firsts: firsts)
  }

  private func flush() throws(FingerprintMapError) {
    try file.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
