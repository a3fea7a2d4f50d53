// The only Swift file that calls zlib: whole column chunks as raw DEFLATE, and foreign files as a stream of gzip
// members (RFC 1951 and RFC 1952).

import CZlib

/// An error in compressed bytes.
package struct ZlibError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error.
  package enum Code: String, Sendable {
    /// The compressed bytes end before their end marker.
    case truncated
    /// The bytes are not a zlib stream, or their checksum does not match.
    case damaged
    /// The output is longer than declared.
    case tooLong
    /// The output is shorter than declared.
    case tooShort
    /// Bytes follow the end marker.
    case trailingBytes
    /// zlib could not allocate its state.
    case outOfMemory
  }

  /// The kind of the error.
  package var code: Code
  /// The offset of the compressed byte, from the start of the buffer or stream, at which the error was found.
  package var offset: Int64
  /// A description of the error in one line.
  package var description: String

  init(_ code: Code, at offset: Int64, _ description: String) {
    self.code = code
    self.offset = offset
    self.description = "\(description) (compressed byte \(offset))"
  }
}

/// Raw DEFLATE of whole buffers: no header and no checksum, which the log adds itself.
package enum Deflate {
  /// The compression strategy of zlib.
  package enum Strategy: Sendable {
    /// Matches and Huffman coding.
    case standard
    /// Huffman coding only: for bytes that are already packed, and faster.
    case huffmanOnly
    /// Run-length encoding and Huffman coding.
    case runLength

    fileprivate var code: Int32 {
      switch self {
      case .standard: Z_DEFAULT_STRATEGY
      case .huffmanOnly: Z_HUFFMAN_ONLY
      case .runLength: Z_RLE
      }
    }
  }

  /// The maximum compression ratio of DEFLATE: a match of 258 bytes needs two bits.
  package static let largestRatio = 1_032

  /// Compresses the bytes; the result depends only on the arguments and zlib's version.
  ///
  /// The level ranges from 0 (stored) to 9 (smallest); other values are clamped. If there is no memory for zlib's
  /// state, the result consists of stored blocks, which every decompressor reads.
  ///
  /// - Complexity: O(n); allocates the bound that zlib gives for the result.
  package static func compress(
    _ bytes: Span<UInt8>, level: Int = 6, strategy: Strategy = .standard
  ) -> [UInt8] {
    Deflater(level: level, strategy: strategy).compress(bytes)
  }

  /// Compresses an array; see the overload that takes a span.
  package static func compress(
    _ bytes: [UInt8], level: Int = 6, strategy: Strategy = .standard
  ) -> [UInt8] {
    compress(bytes.span, level: level, strategy: strategy)
  }

  /// Decompresses bytes that must be exactly `rawCount` long.
  ///
  /// - Throws: ``ZlibError`` if the stream is damaged or truncated, if the output is longer or shorter, or if anything
  ///   follows it.
  /// - Complexity: O(`rawCount`); allocates exactly `rawCount` bytes, and none if no DEFLATE stream of this length can
  ///   be that long.
  package static func decompress(
    _ stored: Span<UInt8>, rawCount: Int
  ) throws(ZlibError) -> [UInt8] {
    guard rawCount >= 0 else {
      throw ZlibError(.damaged, at: 0, "a negative length was announced")
    }
    guard rawCount / largestRatio <= stored.count else {
      throw ZlibError(
        .tooShort, at: 0,
        "\(stored.count) compressed bytes cannot hold the \(rawCount) bytes announced")
    }
    var failure: ZlibError?
    // Safety: the buffer has room for `rawCount` bytes, and counts as filled only if all of them were written; neither
    // pointer leaves its closure.
    let result = unsafe [UInt8](unsafeUninitializedCapacity: rawCount) { output, count in
      unsafe stored.withUnsafeBytes { input in
        do throws(ZlibError) {
          unsafe try decompress(input, into: UnsafeMutableRawBufferPointer(output).prefix(rawCount))
          count = rawCount
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return result
  }

  /// Decompresses bytes that must be exactly `rawCount` long, to the front of an array whose memory is reused, and
  /// which grows if it is too short.
  ///
  /// - Throws: ``ZlibError`` like the overload that allocates; the contents of `output` are then unspecified.
  static func decompress(
    _ stored: ArraySlice<UInt8>, rawCount: Int, into output: inout [UInt8]
  ) throws(ZlibError) {
    guard rawCount >= 0, rawCount / largestRatio <= stored.count else {
      throw ZlibError(
        .tooShort, at: 0,
        "\(stored.count) compressed bytes cannot hold the \(rawCount) bytes announced")
    }
    if output.count < rawCount { output.resize(to: rawCount) }
    // Safety: the output has at least `rawCount` bytes, and both buffers outlive the call.
    let result = unsafe output.withUnsafeMutableBytes { output in
      unsafe stored.withUnsafeBytes { input in
        Result { () throws(ZlibError) in
          unsafe try decompress(input, into: output.prefix(rawCount))
        }
      }
    }
    try result.get()
  }

  /// Decompresses bytes that must fill `output` exactly.
  ///
  /// - Throws: ``ZlibError`` like the overload that allocates; the contents of `output` are then unspecified.
  /// - Complexity: O(`output.count`); allocates only zlib's state.
  package static func decompress(
    _ stored: UnsafeRawBufferPointer, into output: Slice<UnsafeMutableRawBufferPointer>
  ) throws(ZlibError) {
    // Safety: the stream stays in one place, as zlib requires, and is ended and freed exactly once.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    guard unsafe bandolier_inflate_init(stream, -15) == Z_OK else {
      throw ZlibError(.outOfMemory, at: 0, "zlib is out of memory")
    }
    defer { _ = unsafe inflateEnd(stream) }
    let state = unsafe Transfer(
      input: stored, output: UnsafeMutableRawBufferPointer(rebasing: output))
    let end = unsafe state.run(stream) { unsafe inflate($0, $1) }
    try unsafe check(end, storedCount: stored.count, rawCount: output.count)
  }

  private static func check(
    _ end: TransferEnd, storedCount: Int, rawCount: Int
  ) throws(ZlibError) {
    let offset = Int64(end.consumed)
    switch end.code {
    case Z_STREAM_END:
      guard end.produced == rawCount else {
        throw ZlibError(
          .tooShort, at: offset, "\(end.produced) bytes came out where \(rawCount) were announced")
      }
      guard end.consumed == storedCount else {
        throw ZlibError(
          .trailingBytes, at: offset,
          "\(storedCount - end.consumed) bytes follow the end of the compressed bytes")
      }
    case Z_OK, Z_BUF_ERROR:
      if end.overflows {
        throw ZlibError(.tooLong, at: offset, "more than the \(rawCount) bytes announced come out")
      }
      throw ZlibError(.truncated, at: offset, "the compressed bytes are cut off")
    case Z_MEM_ERROR: throw ZlibError(.outOfMemory, at: offset, "zlib is out of memory")
    default: throw ZlibError(.damaged, at: offset, "the compressed bytes are damaged")
    }
  }

  /// Returns the bytes in stored blocks of at most 65,535 bytes (RFC 1951, section 3.2.4).
  static func stored(_ bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 5 * (bytes.count / 65_535 + 1))
    var start = 0
    repeat {
      let count = min(65_535, bytes.count - start)
      let length = UInt16(count)
      result.append(start + count == bytes.count ? 1 : 0)
      for word in [length, ~length] {
        result.append(UInt8(word & 0xFF))
        result.append(UInt8(word >> 8))
      }
      for index in start..<start + count { result.append(bytes[index]) }
      start += count
    } while start < bytes.count
    return result
  }
}

/// Compresses whole buffers as raw DEFLATE, one after another, with the same memory. The results are those of
/// ``Deflate/compress(_:level:strategy:)``.
@safe final class Deflater {
  // Safety: the stream stays in one place, as zlib requires, every use of it is in this class, and it is ended and
  // freed exactly once.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether zlib has memory for its state.
  private let hasState: Bool
  private var isUsed = false

  init(level: Int = 6, strategy: Deflate.Strategy = .standard) {
    // Safety: as above.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let level = Int32(min(max(level, 0), 9))
    hasState = unsafe bandolier_deflate_init(stream, level, -15, strategy.code) == Z_OK
  }

  deinit {
    // Safety: as above.
    if hasState { _ = unsafe deflateEnd(stream) }
    unsafe stream.deallocate()
  }

  /// Prepares the stream for another buffer, and returns whether zlib has memory for it.
  private func begin() -> Bool {
    defer { isUsed = true }
    guard hasState, isUsed else { return hasState }
    // Safety: as above.
    return unsafe deflateReset(stream) == Z_OK
  }

  /// Compresses the bytes.
  func compress(_ bytes: Span<UInt8>) -> [UInt8] {
    guard begin() else { return Deflate.stored(bytes) }
    // Safety: as above.
    let bound = unsafe Int(deflateBound(stream, UInt(bytes.count))) + 16
    // Safety: the buffers live as long as the closures, and the transfer stays within them.
    let result = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        let state = unsafe Transfer(
          input: UnsafeRawBufferPointer(input), output: UnsafeMutableRawBufferPointer(output))
        let end = unsafe state.run(stream) { unsafe deflate($0, $1) }
        count = end.code == Z_STREAM_END ? end.produced : 0
      }
    }
    return result.isEmpty ? Deflate.stored(bytes) : result
  }
}

/// The outcome of a transfer.
private struct TransferEnd {
  var code: Int32
  var consumed: Int
  var produced: Int
  /// Whether zlib had more to write than the output holds.
  var overflows: Bool
}

// Safety: the buffers are those of the caller, who makes a transfer and runs it while both are alive.
/// Runs one buffer through one zlib stream, in portions that fit zlib's 32-bit counters.
@unsafe private struct Transfer {
  var input: UnsafeRawBufferPointer
  var output: UnsafeMutableRawBufferPointer

  /// Runs `step` (deflate or inflate) until it ends, fails or makes no progress.
  func run(
    _ stream: UnsafeMutablePointer<z_stream>,
    step: (UnsafeMutablePointer<z_stream>, Int32) -> Int32
  ) -> TransferEnd {
    let portion = 1 << 30
    var (consumed, produced) = (0, 0)
    // zlib refuses a null pointer even if it may neither read nor write.
    var nothing: UInt8 = 0
    // Safety: the pointer leaves the closure only in the stream, which is told of one byte of room at most behind it
    // and does not run again before it is given other pointers.
    return unsafe withUnsafeMutablePointer(to: &nothing) { nothing in
      while true {
        let inputCount = unsafe min(portion, input.count - consumed)
        let outputCount = unsafe min(portion, output.count - produced)
        // Safety: both pointers stay inside their buffers, the counts end there, and zlib only reads
        // through `next_in` although its type says otherwise.
        let source = unsafe input.baseAddress.map { unsafe $0 + consumed }
        let target = unsafe output.baseAddress.map { unsafe $0 + produced }
        unsafe stream.pointee.next_in =
          unsafe source.map {
            unsafe UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self))
          } ?? nothing
        unsafe stream.pointee.next_out =
          unsafe target.map { unsafe $0.assumingMemoryBound(to: UInt8.self) } ?? nothing
        unsafe stream.pointee.avail_in = UInt32(inputCount)
        unsafe stream.pointee.avail_out = UInt32(outputCount)
        let isLast = unsafe consumed + inputCount == input.count
        let code = unsafe step(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
        let took = inputCount - Int(unsafe stream.pointee.avail_in)
        let gave = outputCount - Int(unsafe stream.pointee.avail_out)
        consumed += took
        produced += gave
        guard code == Z_OK || code == Z_BUF_ERROR, took + gave > 0 else {
          var overflows = false
          if outputCount == 0, code == Z_OK || code == Z_BUF_ERROR {
            // Only one more byte of room distinguishes a truncated stream from one that is too long.
            unsafe stream.pointee.next_out = nothing
            unsafe stream.pointee.avail_out = 1
            _ = unsafe step(stream, Z_FINISH)
            overflows = unsafe stream.pointee.avail_out == 0
          }
          return TransferEnd(
            code: code, consumed: consumed, produced: produced, overflows: overflows)
        }
      }
    }
  }
}

/// Decompresses a stream of concatenated gzip members, from blocks of any size.
///
/// Zero bytes after the last member are tolerated, as left by tape and block devices.
@safe package final class GzipInflater {
  /// The result of one call.
  package struct Step: Sendable {
    /// The number of input bytes consumed.
    package var consumed: Int
    /// The number of output bytes produced.
    package var produced: Int
  }

  private enum State { case betweenMembers, inMember, padding }

  // Safety: a C struct that `init` initialises, every use of which is in this class, and that zlib requires to stay in
  // one place: hence its own allocation.
  private let stream: UnsafeMutablePointer<z_stream>
  private var state = State.betweenMembers
  private var members = 0
  /// The number of members whose checksum was found right.
  package var memberCount: Int { members }
  /// Whether the last byte consumed is one of a member that has not ended.
  package var isInMember: Bool { state == .inMember }
  /// An error after the output of the last call, which the next one throws.
  private var failure: ZlibError?
  /// The number of compressed bytes consumed, over all members.
  package private(set) var compressedOffset: Int64 = 0

  /// Creates a decompressor at the start of a stream.
  ///
  /// - Throws: ``ZlibError`` if there is no memory for zlib's state.
  package init() throws(ZlibError) {
    // Safety: the stream is initialized before zlib sees it, and freed here if zlib refuses it: `self.stream` is set
    // last, because `deinit` would run after an error that is thrown by a complete object, and free it again.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // 15 window bits, and 16 for gzip members only: zlib then checks CRC-32 and length itself.
    guard unsafe bandolier_inflate_init(stream, 15 + 16) == Z_OK else {
      unsafe stream.deallocate()
      throw ZlibError(.outOfMemory, at: 0, "zlib is out of memory")
    }
    unsafe self.stream = unsafe stream
  }

  deinit {
    // Safety: the last reference is gone, and `init` has succeeded, so that zlib's state is there to be ended once.
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decompresses from `input` into `output` until one of them is used up.
  ///
  /// - Throws: ``ZlibError``: `damaged` for bytes that are not gzip, `trailingBytes` for anything but members and
  ///   zeros after a member. The output before the error was returned by earlier calls.
  package func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(ZlibError) -> Step {
    if let failure { throw failure }
    var step = Step(consumed: 0, produced: 0)
    let before = members
    var hasEnded: Bool { members > before }
    while step.consumed < input.count, step.produced < output.count, failure == nil {
      // The end of a member is returned before the next bytes can turn out to be wrong.
      if state != .inMember, step.produced > 0 || hasEnded { break }
      // Safety: the loop's condition keeps the index within the input; the buffers are the caller's for the whole call.
      switch state {
      case .padding: try unsafe skipPadding(input, &step)
      case .betweenMembers: try unsafe beginMember(input[step.consumed])
      case .inMember: try unsafe inflateMember(input, output, &step)
      }
    }
    return step
  }

  /// Ends the input.
  ///
  /// - Throws: ``ZlibError`` `truncated` in the middle of a member or before the first one.
  package func finish() throws(ZlibError) {
    if let failure { throw failure }
    guard state == .inMember || members == 0 else { return }
    throw ZlibError(.truncated, at: compressedOffset, "the gzip stream is cut off")
  }

  private func beginMember(_ first: UInt8) throws(ZlibError) {
    if first == 0x1F {
      state = .inMember
    } else if first == 0, members > 0 {
      state = .padding
    } else {
      throw notAMember()
    }
  }

  private func skipPadding(
    _ input: UnsafeRawBufferPointer, _ step: inout Step
  ) throws(ZlibError) {
    while step.consumed < input.count {
      // Safety: the loop's condition keeps the index within the input.
      guard unsafe input[step.consumed] == 0 else { throw notAMember() }
      step.consumed += 1
      compressedOffset += 1
    }
  }

  private func inflateMember(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ step: inout Step
  ) throws(ZlibError) {
    let inputCount = min(input.count - step.consumed, 1 << 30)
    let outputCount = min(output.count - step.produced, 1 << 30)
    guard let source = input.baseAddress, let target = output.baseAddress else {
      return
    }
    // Safety: both pointers and counts stay inside the caller's buffers for the duration of the call; zlib only reads
    // through `next_in`.
    let next = unsafe (source + step.consumed).assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: next)
    unsafe stream.pointee.avail_in = UInt32(inputCount)
    unsafe stream.pointee.next_out = unsafe (target + step.produced)
      .assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(outputCount)
    let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    let took = inputCount - Int(unsafe stream.pointee.avail_in)
    step.consumed += took
    step.produced += outputCount - Int(unsafe stream.pointee.avail_out)
    compressedOffset += Int64(took)
    switch code {
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END:
      members += 1
      state = .betweenMembers
      _ = unsafe inflateReset(stream)
    case Z_MEM_ERROR:
      throw ZlibError(.outOfMemory, at: compressedOffset, "zlib is out of memory")
    default:
      let isHeader = unsafe stream.pointee.total_out == 0 && stream.pointee.total_in <= 2
      let error = isHeader ? notAMember() : damaged()
      guard step.produced > 0 else { throw error }
      failure = error
    }
  }

  private func notAMember() -> ZlibError {
    members == 0
      ? ZlibError(.damaged, at: compressedOffset, "these are not gzip bytes")
      : ZlibError(
        .trailingBytes, at: compressedOffset,
        "bytes that are neither a gzip member nor zeros follow the last gzip member")
  }

  private func damaged() -> ZlibError {
    // Safety: zlib's messages are constants that end with a zero byte, and null when there is none.
    let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
    return ZlibError(
      .damaged, at: compressedOffset, "the gzip stream is damaged: \(reason ?? "invalid data")")
  }
}
