import DecidingCore
import EventLog
internal import Events

/// SHA-256 digests in hexadecimal digits, of bytes, files and logs.
enum Digest {
  /// Returns the digest of bytes.
  static func sha256(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexadecimal()
  }

  /// Returns the digest of a log as far as it was read: that of its segment files in order, each as its name, a line
  /// feed, its length in decimal digits, a line feed, and its bytes.
  ///
  /// - Throws: `LogError` if a file cannot be read.
  static func sha256(of log: LogReader) throws -> String {
    var hash = SHA256()
    for segment in log.segments {
      let name = segment.path.split(separator: "/").last.map(String.init) ?? ""
      hash.update(Array("\(name)\n\(segment.byteCount)\n".utf8))
      try forEachBlock(of: segment.path, byteCount: segment.byteCount) { hash.update($0) }
    }
    return hash.hexadecimal()
  }

  /// Returns the length and the digest of a file.
  ///
  /// - Throws: `LogError` if it cannot be read.
  static func sha256(ofFile path: String) throws -> (byteCount: UInt64, digest: String) {
    var hash = SHA256()
    let byteCount = try SystemDisk(followsLinks: true).open(path, writable: false).size()
    try forEachBlock(of: path, byteCount: byteCount) { hash.update($0) }
    return (byteCount, hash.hexadecimal())
  }

  private static func forEachBlock(
    of path: String, byteCount: UInt64, _ body: ([UInt8]) -> Void
  ) throws {
    let file = try SystemDisk(followsLinks: true).open(path, writable: false)
    var offset: UInt64 = 0
    while offset < byteCount {
      try Interrupt.check()
      let block = try file.read(at: offset, count: Int(min(1 << 20, byteCount - offset)))
      guard !block.isEmpty else { return }
      body(block)
      offset += UInt64(block.count)
    }
  }
}
