import EventLog
import Platform

/// Bytes that are read in blocks.
protocol ByteInput: AnyObject {
  /// The name of the input in messages: its path, or `standard input`.
  var name: String { get }
  /// The size of the file in bytes; nil if it is not a regular file.
  var totalBytes: Int64? { get }
  /// The number of bytes of the file consumed so far, compressed ones for gzip.
  var consumedBytes: Int64 { get }

  /// Fills the start of `buffer` and returns the number of bytes; 0 at the end.
  ///
  /// - Throws: ``ImportError``; everything before the failure was returned by earlier calls.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int
}

/// A file or standard input, plain or gzip, read in blocks.
///
/// Gzip is detected by the first two bytes, never by the file name; see ``VerifiedGzip``.
final class FileInput: ByteInput {
  /// The number of bytes requested per read.
  static let blockSize = 1 << 20

  /// The name of the input in messages: its path, or `standard input`.
  let name: String
  /// The size of the file in bytes; nil if it is not a regular file.
  let totalBytes: Int64?
  /// The number of bytes of the file consumed so far, compressed ones for gzip.
  private(set) var consumedBytes: Int64 = 0

  private let descriptor: Int32
  private let isOwned: Bool
  private let waitForInput: @Sendable (Int32) -> Bool
  private let recorder: ContentRecorder?
  private var gzip: VerifiedGzip?
  /// Bytes of the file that were read but not consumed: `block[unused]`.
  private var block: [UInt8]
  private var unused = 0..<0

  /// Opens a path, or standard input for `-`; `waitForInput` is called with the descriptor before each read, which
  /// ends with the error `interrupted` if it returns false, and `recorder` with the bytes.
  init(
    path: String, waitForInput: @escaping @Sendable (Int32) -> Bool,
    recorder: ContentRecorder? = nil
  ) throws(ImportError) {
    name = path == "-" ? "standard input" : path
    isOwned = path != "-"
    self.waitForInput = waitForInput
    self.recorder = recorder
    // Safety: the path is a terminated copy for the call.
    descriptor = isOwned ? unsafe open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
    guard descriptor >= 0 else { throw FileFailure.opening(path, errno) }
    do throws(ImportError) {
      totalBytes = try FileFailure.size(of: descriptor, name: name)
    } catch {
      // Not yet fully initialized, so `deinit` would not close it.
      if isOwned { close(descriptor) }
      throw error
    }
    block = [UInt8](repeating: 0, count: Self.blockLength(totalBytes))
    try readMagic()
  }

  /// Returns the length of a block that suits a file: clearing one of ``blockSize`` takes longer than reading a small
  /// file, of which there may be thousands.
  ///
  /// - Parameter totalBytes: The size of the file; nil if it is unknown.
  /// - Returns: A number of bytes, at most ``blockSize``.
  static func blockLength(_ totalBytes: Int64?) -> Int {
    guard let totalBytes, totalBytes < blockSize else { return blockSize }
    // One more than the file has, so that its end is seen. Some systems call files empty that are not.
    return max(Int(totalBytes) + 1, 4_096)
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Fills the start of `buffer` and returns the number of bytes; 0 at the end.
  ///
  /// - Throws: ``ImportError``; everything before the failure was returned by earlier calls.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    if let gzip {
      // Safety: the buffer is the caller's for the whole call, and no more is written than it holds.
      let count = try unsafe gzip.read(into: buffer) { (block) throws(ImportError) in
        try read(into: &block)
      }
      consumedBytes = gzip.consumedBytes
      return count
    }
    guard unused.isEmpty else {
      let count = min(unused.count, buffer.count)
      // Safety: the buffer is the caller's for the whole call, and has room for so many bytes.
      unsafe buffer.copyBytes(from: block[unused.prefix(count)])
      unused = unused.dropFirst(count)
      consumedBytes += Int64(count)
      return count
    }
    // Safety: as above; `readFile` reads at most as many bytes as the buffer has.
    let count = try unsafe readFile(into: buffer)
    consumedBytes += Int64(count)
    return count
  }

  /// Continues at an offset of a regular file.
  ///
  /// - Returns: Whether the file is not compressed, and its recorder knows what is before the offset.
  func skip(to offset: Int64) throws(ImportError) -> Bool {
    guard gzip == nil, totalBytes != nil, let recorder, recorder.skip(to: offset) else { return false }
    guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
      throw FileFailure.reading(name, errno)
    }
    (unused, consumedBytes) = (0..<0, offset)
    return true
  }

  private func readMagic() throws(ImportError) {
    // A pipe may return a single byte at first.
    while unused.count < 2 {
      let count = try readBlock(from: unused.upperBound)
      guard count > 0 else { return }
      unused = 0..<unused.upperBound + count
    }
    guard block[0] == 0x1F, block[1] == 0x8B else { return }
    gzip = try VerifiedGzip(
      name: name, file: totalBytes == nil ? nil : descriptor, first: block[unused],
      blockLength: block.count)
    block = []
    unused = 0..<0
  }

  /// Reads the next bytes of the file to the start of an array, and returns their number; 0 at the end.
  private func read(into bytes: inout [UInt8]) throws(ImportError) -> Int {
    // Safety: only the array is filled.
    try unsafe bytes.withUnsafeMutableBufferPointer { bytes throws(ImportError) in
      try unsafe readFile(into: UnsafeMutableRawBufferPointer(bytes))
    }
  }

  /// Reads into `block` from `start` on and returns the number of bytes.
  private func readBlock(from start: Int) throws(ImportError) -> Int {
    // Safety: only the rest of the array is filled.
    try unsafe block.withUnsafeMutableBufferPointer {
      bytes throws(ImportError) in
      let rest = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start...])
      return try unsafe readFile(into: UnsafeMutableRawBufferPointer(rest))
    }
  }

  private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    while true {
      guard waitForInput(descriptor) else {
        throw ImportError(.interrupted, "\(name): interrupted")
      }
      // Safety: at most as many bytes are read as the buffer has.
      let count = unsafe Platform.read(
        descriptor, buffer.baseAddress, min(buffer.count, Self.blockSize))
      if count >= 0 {
        // Safety: so many bytes of the buffer were just filled, and they outlive the call.
        unsafe recorder?.add(
          RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        return count
      }
      guard errno == EINTR else { throw FileFailure.reading(name, errno) }
    }
  }
}

/// Converts errors of the system and of zlib to import errors.
enum FileFailure {
  static func opening(_ path: String, _ code: Int32) -> ImportError {
    switch code {
    case ENOENT, ENOTDIR:
      ImportError(.missingInput, "\(path): there is no such file; check the path")
    case EACCES, EPERM:
      ImportError(.cannotRead, "\(path): permission denied; make the file readable")
    default: ImportError(.cannotRead, "\(path): cannot be opened: \(systemMessage(code))")
    }
  }

  static func reading(_ name: String, _ code: Int32) -> ImportError {
    code == EISDIR
      ? directory(name)
      : ImportError(.cannotRead, "\(name): cannot be read: \(systemMessage(code))")
  }

  static func inflating(_ name: String, _ error: ZlibError) -> ImportError {
    switch error.code {
    case .truncated:
      ImportError(
        .truncatedGzip,
        "\(name): the gzip file is cut off after \(error.offset) compressed bytes; fetch it again")
    case .outOfMemory: ImportError(.cannotRead, "\(name): \(error.description)")
    default:
      ImportError(
        .badData, "\(name): \(error.description); check it with gzip -t and fetch it again")
    }
  }

  /// Returns the size of a regular file, nil for any other; throws for a directory.
  static func size(of descriptor: Int32, name: String) throws(ImportError) -> Int64? {
    var status = stat()
    // Safety: status outlives the call, which writes nothing else.
    guard unsafe fstat(descriptor, &status) == 0 else { throw reading(name, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw directory(name)
    case S_IFREG: return Int64(status.st_size)
    default: return nil
    }
  }

  private static func directory(_ name: String) -> ImportError {
    ImportError(.isDirectory, "\(name): is a directory; name the files in it")
  }
}
