import Specifications

/// The bytes of a file or of standard input, read in blocks, after decompression of gzip and without the byte-order
/// mark.
///
/// Readers look at `bytes[window]`, remove the bytes they processed with ``consume(_:)``, and read more with
/// ``extend()``. ``LineReader`` and ``CSVReader`` do so line by line and record by record.
///
/// A copy shares the input: continue with one of them only.
public struct ByteSource {
  /// The input.
  private(set) var input: any ByteInput
  /// The buffer, of which only `window` is valid.
  public private(set) var bytes: [UInt8]
  /// The range of the unread bytes in `bytes`.
  public private(set) var window = 0..<0
  /// The offset of the window's start in the uncompressed input, in bytes.
  public private(set) var offset: Int64 = 0
  /// Whether the window extends to the end of the input.
  public private(set) var isAtEnd = false
  /// Why no more can be read. An input that failed says so again, and does not seem to end.
  private var failure: ImportError?

  /// The name of the input in messages: its path, or `standard input`.
  public var name: String { input.name }

  /// Whether the input has no byte, besides a byte-order mark.
  var isEmpty: Bool { isAtEnd && window.isEmpty }

  /// Opens a path, or standard input for `-`, and reads the first block.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - waitForInput: Called with the descriptor before each read; if it returns false, reading ends with the error
  ///     `interrupted`.
  /// - Throws: ``ImportError``.
  public init(
    path: String, waitForInput: @escaping @Sendable (Int32) -> Bool = { _ in true }
  ) throws(ImportError) {
    try self.init(try FileInput(path: path, waitForInput: waitForInput))
  }

  /// Opens a path as the other initializer does, with a recorder of the bytes of the file.
  init(
    path: String, waitForInput: @escaping @Sendable (Int32) -> Bool, recorder: ContentRecorder?
  ) throws(ImportError) {
    try self.init(try FileInput(path: path, waitForInput: waitForInput, recorder: recorder))
  }

  /// Reads the first block of an input.
  init(_ input: any ByteInput) throws(ImportError) {
    self.input = input
    bytes = [UInt8](repeating: 0, count: FileInput.blockSize)
    // What follows a first member of gzip that is whole may be damaged, which is found when it is reached.
    do throws(ImportError) {
      while window.count < 512, try extend() {}
    } catch {
      guard !window.isEmpty else { throw error }
      failure = error
    }
    if let packed = PackedInput.found(in: bytes[window]) {
      // Standard input may be a file, too, whose path nobody knows.
      throw packed.error(name, isFile: input.totalBytes != nil && name != "standard input")
    }
    if bytes[window].starts(with: [0xFF, 0xFE]) || bytes[window].starts(with: [0xFE, 0xFF]) {
      throw ImportError(
        .badData, "\(name): this is UTF-16; convert it, as iconv -f UTF-16 -t UTF-8 < FILE > NEW does")
    }
    if bytes[window].starts(with: ByteOrderMark.utf8) { consume(ByteOrderMark.utf8.count) }
  }

  /// Returns the bytes of a piece that was cut out of this input, which is left to the thread that cuts.
  func piece(_ bytes: [UInt8], at offset: Int64) -> ByteSource {
    var piece = self
    piece.input = input as? PieceInput ?? PieceInput(name: name)
    (piece.bytes, piece.window, piece.offset, piece.isAtEnd) = (bytes, bytes.indices, offset, true)
    return piece
  }

  /// Removes bytes from the start of the window.
  ///
  /// - Precondition: The window has at least that many.
  public mutating func consume(_ count: Int) {
    precondition(count <= window.count, "consumed more bytes than were read")
    window = window.dropFirst(count)
    offset += Int64(count)
  }

  /// Continues at an offset of a file that is not compressed.
  ///
  /// - Returns: Whether the input is such a file, which was opened for that: see ``FileInput/skip(to:)``.
  mutating func skip(to offset: Int64) throws(ImportError) -> Bool {
    guard let file = input as? FileInput, try file.skip(to: offset) else { return false }
    (window, isAtEnd, self.offset) = (0..<0, false, offset)
    return true
  }

  /// Reads the next bytes, extending the window at its end; its position in `bytes` may change.
  ///
  /// - Returns: false at the end of the input.
  /// - Throws: ``ImportError``; the window is then unchanged.
  /// - Complexity: one read of at most 1 MiB. The buffer grows only while the window fills most of it.
  public mutating func extend() throws(ImportError) -> Bool {
    guard !isAtEnd else { return false }
    if let failure { throw failure }
    makeRoom()
    let end = window.upperBound
    // Safety: only the part of the array behind the window is filled.
    let count = try unsafe bytes.withUnsafeMutableBufferPointer {
      [input] bytes throws(ImportError) in
      try unsafe input.read(
        into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[end...])))
    }
    window = window.lowerBound..<end + count
    isAtEnd = count == 0
    return count > 0
  }

  private mutating func makeRoom() {
    let wanted = FileInput.blockSize / 4
    if bytes.count - window.upperBound >= wanted { return }
    if window.lowerBound > 0 {
      let (start, count) = (window.lowerBound, window.count)
      // Safety: both ranges lie inside the array; memmove-like copies may overlap.
      unsafe bytes.withUnsafeMutableBytes { bytes in
        let source = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        unsafe bytes.copyMemory(from: source)
      }
      window = 0..<count
    }
    if bytes.count - window.upperBound < wanted {
      bytes.append(contentsOf: repeatElement(0, count: bytes.count))
    }
  }
}

extension ByteSource {
  /// Returns the offset of the next newline at or after `start`, both counted from the start of the window; nil if
  /// there is none.
  public func newline(from start: Int) -> Int? {
    ByteSearch.first(
      UInt8(ascii: "\n"), in: bytes, window.lowerBound + start..<window.upperBound
    ).map { $0 - window.lowerBound }
  }
}
