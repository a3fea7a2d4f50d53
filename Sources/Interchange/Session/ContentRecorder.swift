import EventLog
import Platform
import Threads

/// Computes the digest of a file while it is imported.
package final class ContentRecorder: Sendable {
  private let state: Monitor<ContentDigest>
  /// The digest of the beginning of the file that need not be read; nil if all is read.
  private let beginning: ContentDigest?

  /// Creates a recorder for the files of a history, one of which may be the beginning of the file.
  package init(_ history: ImportHistory, after beginning: ImportHistory.Beginning? = nil) {
    state = Monitor(ContentDigest(key: history.key))
    self.beginning = beginning?.digest
  }

  /// Continues behind the beginning of the file; returns false if another offset is wanted.
  func skip(to offset: Int64) -> Bool {
    guard let beginning, beginning.byteCount == offset else { return false }
    state.withLock { $0 = beginning }
    return true
  }

  /// The digest of the bytes that were read so far.
  var digest: ContentDigest { state.withLock { $0 } }

  /// Adds the next bytes of the file.
  func add(_ bytes: RawSpan) { state.withLock { $0.add(bytes) } }

  /// Returns whether all bytes of a regular file were read, up to the size that it has now.
  ///
  /// Of standard input, what was read to its end is all.
  package func hasAll(of path: String) -> Bool {
    let count = digest.byteCount
    return count > 0 && (path == "-" || FileContent.size(path) == count)
  }
}

/// The content of a regular file.
enum FileContent {
  /// Returns the size in bytes; nil if there is no regular file.
  static func size(_ path: String) -> Int64? {
    var status = stat()
    // Safety: the path is a terminated copy for the call, which fills the status and keeps no pointer.
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }

  /// Returns the digests of the beginnings of a file that have the given sizes, as far as they can be read. Each can be
  /// continued.
  ///
  /// - Complexity: O(greatest size), whatever the number of sizes.
  static func digests(
    _ path: String, key: FingerprintKey, at sizes: Set<Int64>
  ) -> [Int64: ContentDigest] {
    var digests: [Int64: ContentDigest] = [:]
    guard !sizes.isEmpty else { return digests }
    // Safety: the path is a terminated copy for the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return digests }
    defer { close(descriptor) }
    var digest = ContentDigest(key: key)
    var block = [UInt8](repeating: 0, count: FileInput.blockSize)
    for size in sizes.sorted() {
      while digest.byteCount < size {
        let wanted = min(Int64(block.count), size - digest.byteCount)
        // Safety: at most as many bytes are read as the block has.
        let count = unsafe read(descriptor, &block, Int(wanted))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return digests }
        // Safety: bytes have no padding.
        unsafe digest.add(block.span.bytes.extracting(0..<count))
      }
      digests[size] = digest
    }
    return digests
  }
}
