import EventLog
import Platform

/// The content of a gzip file, of which nothing is handed out before the checksum of its member was found right: what
/// is damaged would otherwise be in the log when the damage is found.
///
/// A member is read to its end first. Its content is then handed out from memory if it is short, and otherwise by
/// inflating the member again: from the file if that is a regular one, else from a temporary file with its compressed
/// bytes.
final class VerifiedGzip {
  /// Reads the next bytes of the file to the start of an array and returns their number; 0 at the end.
  typealias Refill = (inout [UInt8]) throws(ImportError) -> Int

  /// The longest content of a member that is kept in memory, in bytes.
  private static let longest = 4 << 20

  private let name: String
  /// The descriptor of a regular file; nil for any other input.
  private let file: Int32?
  private let checker: GzipInflater
  /// Bytes of the file that were read but not checked: `block[unused]`.
  private var block: [UInt8]
  private var unused: Range<Int>
  private var scratch = [UInt8](repeating: 0, count: 1 << 18)
  /// The content of a short member, of which `handedOut` bytes were handed out.
  private var content: [UInt8] = []
  private var handedOut = 0
  private var isLong = false
  /// The compressed bytes of the member that is checked, unless they can be read from the file again.
  private var held: [UInt8] = []
  private var spill: TemporaryFile?
  private var again: RepeatedMember?

  /// Creates a reader of a file of which the first bytes were read.
  init(name: String, file: Int32?, first: ArraySlice<UInt8>, blockLength: Int) throws(ImportError) {
    self.name = name
    self.file = file
    block = Array(first)
    block.append(contentsOf: repeatElement(0, count: max(0, blockLength - first.count)))
    unused = 0..<first.count
    do throws(ZlibError) {
      checker = try GzipInflater()
    } catch {
      throw FileFailure.inflating(name, error)
    }
  }

  /// The number of compressed bytes whose content was handed out.
  var consumedBytes: Int64 { again?.position ?? checker.compressedOffset }

  /// Fills the start of a buffer with content, and returns the number of bytes; 0 at the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, _ refill: Refill
  ) throws(ImportError) -> Int {
    while true {
      if handedOut < content.count {
        let count = min(buffer.count, content.count - handedOut)
        // Safety: the buffer has room for so many bytes.
        unsafe buffer.copyBytes(from: content[handedOut..<handedOut + count])
        handedOut += count
        return count
      }
      if let member = again {
        // Safety: the buffer is the caller's for the whole call.
        let count = try unsafe member.read(into: buffer)
        if count > 0 { return count }
        again = nil
        spill = nil
      }
      guard try check(refill) else { return 0 }
    }
  }

  /// Reads a member to its end; returns false at the end of the file. What was read of a member that is damaged is
  /// dropped.
  private func check(_ refill: Refill) throws(ImportError) -> Bool {
    do throws(ImportError) {
      return try readMember(refill)
    } catch {
      content = []
      guard [.truncatedGzip, .badData].contains(error.code) else { throw error }
      throw ImportError(error.code, error.description + verified)
    }
  }

  /// The part of the file that was handed out, for messages.
  private var verified: String {
    switch checker.memberCount {
    case 0: "; nothing of it was read, because the checksum of its first member was not reached"
    case 1: "; its first member is whole and was read"
    case let count: "; its first \(count) members are whole and were read"
    }
  }

  private func readMember(_ refill: Refill) throws(ImportError) -> Bool {
    content.removeAll(keepingCapacity: true)
    held.removeAll(keepingCapacity: true)
    (handedOut, isLong) = (0, false)
    let (start, members) = (checker.compressedOffset, checker.memberCount)
    while checker.isInMember || checker.memberCount == members {
      if unused.isEmpty { unused = 0..<(try refill(&block)) }
      guard try inflate() else { return false }
    }
    guard isLong else { return true }
    let source: RepeatedMember.Source =
      if let spill { .temporary(spill) } else { .file(file ?? -1, at: start) }
    again = try RepeatedMember(name, source, start..<checker.compressedOffset)
    return true
  }

  /// Inflates bytes that were read; returns false at the end of the file.
  private func inflate() throws(ImportError) -> Bool {
    let step: GzipInflater.Step
    do throws(ZlibError) {
      guard !unused.isEmpty else {
        try checker.finish()
        return false
      }
      // Safety: the inflater keeps within both buffers, which outlive the call.
      let result = unsafe scratch.withUnsafeMutableBytes { output in
        unsafe block.withUnsafeBytes { input in
          Result { [checker, unused] () throws(ZlibError) in
            try unsafe checker.inflate(
              UnsafeRawBufferPointer(rebasing: input[unused]), into: output)
          }
        }
      }
      step = try result.get()
    } catch {
      throw FileFailure.inflating(name, error)
    }
    try keep(block[unused.prefix(step.consumed)], scratch[..<step.produced])
    unused = unused.dropFirst(step.consumed)
    return true
  }

  /// Keeps what is needed to hand out the content of the member once it was checked.
  private func keep(
    _ compressed: ArraySlice<UInt8>, _ inflated: ArraySlice<UInt8>
  ) throws(ImportError) {
    if !isLong { content.append(contentsOf: inflated) }
    if file == nil { held.append(contentsOf: compressed) }
    if content.count > Self.longest {
      isLong = true
      content = []
    }
    guard isLong, file == nil, held.count > 0 else { return }
    do throws(FingerprintMapError) {
      if spill == nil { spill = try TemporaryFile(directory: TemporaryFile.folder) }
      try spill?.append(held)
    } catch {
      throw ImportError(.cannotRead, "\(name): \(error.description)")
    }
    held.removeAll(keepingCapacity: true)
  }
}

/// The content of a gzip member whose checksum was found right, inflated a second time.
private final class RepeatedMember {
  /// Where the compressed bytes are.
  enum Source {
    /// In a regular file, from an offset on.
    case file(Int32, at: Int64)
    /// In a temporary file, from its start on.
    case temporary(TemporaryFile)
  }

  /// The offset of the next compressed byte in the input.
  private(set) var position: Int64

  private let name: String
  private let source: Source
  private let range: Range<Int64>
  private let inflater: GzipInflater
  private var block = [UInt8](repeating: 0, count: 1 << 18)
  private var unused = 0..<0

  init(_ name: String, _ source: Source, _ range: Range<Int64>) throws(ImportError) {
    (self.name, self.source, self.range) = (name, source, range)
    position = range.lowerBound
    do throws(ZlibError) {
      inflater = try GzipInflater()
    } catch {
      throw FileFailure.inflating(name, error)
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    while true {
      if unused.isEmpty { try refill() }
      guard !unused.isEmpty else { return 0 }
      do throws(ZlibError) {
        // Safety: the inflater keeps within both buffers, which outlive the call.
        let result = unsafe block.withUnsafeBytes { input in
          Result { [inflater, unused] () throws(ZlibError) in
            try unsafe inflater.inflate(
              UnsafeRawBufferPointer(rebasing: input[unused]), into: buffer)
          }
        }
        let step = try result.get()
        unused = unused.dropFirst(step.consumed)
        if step.produced > 0 { return step.produced }
      } catch {
        throw FileFailure.inflating(name, error)
      }
    }
  }

  private func refill() throws(ImportError) {
    let count = Int(min(Int64(block.count), range.upperBound - position))
    guard count > 0 else { return }
    switch source {
    case .file(let descriptor, let start):
      unused = 0..<(try readFile(descriptor, count, at: start + position - range.lowerBound))
    case .temporary(let file):
      do throws(FingerprintMapError) {
        try file.read(count, at: Int(position - range.lowerBound), into: &block)
      } catch {
        throw ImportError(.cannotRead, "\(name): \(error.description)")
      }
      unused = 0..<count
    }
    position += Int64(unused.count)
  }

  private func readFile(
    _ descriptor: Int32, _ count: Int, at offset: Int64
  ) throws(ImportError) -> Int {
    while true {
      // Safety: at most as many bytes are read as the block has.
      let result = unsafe block.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, count, Int(offset))
      }
      if result > 0 { return result }
      guard result < 0, errno == EINTR else {
        throw result < 0
          ? FileFailure.reading(name, errno)
          : ImportError(.cannotRead, "\(name): became shorter while it was read; import it again")
      }
    }
  }
}
