/// Fingerprints in the order in which they were added: the latest in memory, those before in an anonymous temporary
/// file. Adding one looks up nothing and touches no distant memory.
package struct FingerprintList {
  /// The size of a fingerprint in the file, in bytes.
  private static let entrySize = 16

  private let directory: String
  private let memoryCapacity: Int
  private var latest: [Fingerprint] = []
  /// The file of those before, which copies share, and the places of their parts in it.
  private var file: TemporaryFile?
  private var parts: [Range<Int>] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - directory: The folder for the temporary file.
  ///   - memoryCapacity: The number of fingerprints kept in memory, at 16 bytes each; at least 1.
  package init(directory: String, memoryCapacity: Int) {
    self.directory = directory
    self.memoryCapacity = max(1, memoryCapacity)
  }

  /// Whether there are none.
  package var isEmpty: Bool { latest.isEmpty && parts.isEmpty }

  /// Adds a fingerprint.
  ///
  /// - Throws: ``FingerprintMapError`` if the file cannot be written; the list is then unchanged.
  package mutating func append(_ key: Fingerprint) throws(FingerprintMapError) {
    if latest.count == memoryCapacity { try spill() }
    latest.append(key)
  }

  private mutating func spill() throws(FingerprintMapError) {
    let target = if let file { file } else { try TemporaryFile(directory: directory) }
    file = target
    let start = target.byteCount
    // Safety: a fingerprint is two numbers, without padding.
    try target.append(unsafe latest.span.bytes)
    parts.append(start..<target.byteCount)
    latest.removeAll(keepingCapacity: true)
  }

  /// Calls a closure with a part of the list after the other, in order.
  ///
  /// - Throws: ``FingerprintMapError`` if the file cannot be read, and errors of the closure.
  package func forEachPart(
    _ body: (ArraySlice<Fingerprint>) throws(FingerprintMapError) -> Void
  ) throws(FingerprintMapError) {
    var bytes: [UInt8] = []
    for part in parts {
      try file?.read(part.count, at: part.lowerBound, into: &bytes)
      let keys = (0..<part.count / Self.entrySize).map { index in
        Fingerprint(
          high: bytes.span.word(at: index * Self.entrySize),
          low: bytes.span.word(at: index * Self.entrySize + 8))
      }
      try body(keys[...])
    }
    try body(latest[...])
  }
}
