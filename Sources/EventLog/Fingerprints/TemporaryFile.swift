internal import Platform
internal import Synchronization

/// An anonymous temporary file: it is unlinked on creation, and its space is freed when it is closed, however the
/// process ends.
package final class TemporaryFile: Sendable {
  private let descriptor: Int32
  private let directory: String
  /// The number of bytes appended.
  package var byteCount: Int { size.load(ordering: .relaxed) }

  /// The number of bytes appended. One writer appends at a time; any thread may read what has been written.
  private let size = Atomic<Int>(0)

  /// The folder of temporary files that belong to no log: `TMPDIR`, or `/tmp`.
  package static var folder: String {
    // Safety: nothing in this process changes the environment; the text is copied at once.
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    return named.isEmpty ? "/tmp" : named
  }

  package init(directory: String) throws(FingerprintMapError) {
    self.directory = directory
    var path = Array("\(directory)/bandolier-XXXXXX".utf8CString)
    // Safety: `path` ends with a zero byte and is writable for the duration of the calls.
    let (descriptor, code) = unsafe path.withUnsafeMutableBufferPointer { path in
      guard let start = path.baseAddress else { return (Int32(-1), EINVAL) }
      let descriptor = unsafe mkstemp(start)
      let code = errno
      if descriptor >= 0 {
        _ = unsafe unlink(start)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
      return (descriptor, code)
    }
    guard descriptor >= 0 else {
      throw FingerprintMapError(
        code: .cannotCreate,
        description: "cannot make a temporary file in \"\(directory)\": \(systemMessage(code)); "
          + "name another directory for temporary files")
    }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  package func append(_ bytes: [UInt8]) throws(FingerprintMapError) {
    // Safety: bytes have no padding.
    try append(unsafe bytes.span.bytes)
  }

  func append(_ bytes: RawSpan) throws(FingerprintMapError) {
    let size = size.load(ordering: .relaxed)
    var done = 0
    while done < bytes.byteCount {
      // Safety: the range written lies within the span.
      let result = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done,
          size + done)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else {
        throw FingerprintMapError(
          code: .cannotWrite,
          description: "cannot write a temporary file in \"\(directory)\": "
            + "\(systemMessage(result < 0 ? errno : ENOSPC)); free some space there or name another directory"
        )
      }
      done += result
    }
    self.size.store(size + bytes.byteCount, ordering: .relaxed)
  }

  /// Reads `count` bytes to the start of `buffer`, which grows to hold them.
  package func read(
    _ count: Int, at offset: Int, into buffer: inout [UInt8]
  ) throws(FingerprintMapError) {
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
    var done = 0
    while done < count {
      // Safety: the range filled lies within the array.
      let result = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe pread(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, count - done, offset + done)
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else {
        throw FingerprintMapError(
          code: .cannotRead,
          description: "cannot read back a temporary file in \"\(directory)\": "
            + "\(result < 0 ? systemMessage(errno) : "it is too short"); try again")
      }
      done += result
    }
  }
}
