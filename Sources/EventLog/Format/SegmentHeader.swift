internal import Events
internal import Specifications

/// The first 64 bytes of a segment file, written and made durable before the first frame.
///
///     segment  = header frame*
///     header   =  0  magic: 89 42 44 4C 0D 0A 1A 0A (detects damage by text-mode and seven-bit transfers)
///                 8  major:u16    a reader refuses a larger one
///                10  minor:u16    a reader takes a larger one
///                12  length:u16   64
///                14  checksum:u16 1 = CRC-32C
///                16  base:u64     position of the segment's first event; also the file's name
///                24  log:16 bytes id of the log
///                40  profile:u8   how the columns were compressed: 1 fast, 2 balanced, 3 small; says
///                                 nothing about how they are read
///                41  0: 7 bytes
///                48  needed:u32   features that a reader must know to read
///                52  writable:u32 features that a writer must know to append
///                56  salt:u32     random, per segment; repeated in each of its frames
///                60  crc:u32      CRC-32C of bytes 0 to 59
///
/// All numbers are little-endian. A log does not depend on when or where it was written.
struct SegmentHeader: Hashable, Sendable {
  static let byteCount = 64
  static let magic: [UInt8] = [0x89, 0x42, 0x44, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A]
  static let major: UInt16 = 1
  static let minor: UInt16 = 0

  var basePosition: UInt64
  var log: LogID
  var salt: UInt32
  /// The compression profile of the writer of the segment; nil if it is not given, or only known to a newer version.
  var profile: CompressionProfile?
  /// Features that a writer must know to append.
  var writable: UInt32 = 0

  /// The checksum of a header that was read, which a newer version may have computed over other contents.
  private var storedCRC: UInt32?

  /// The checksum at the end of the header, to which the segment's first frame is chained.
  var crc: UInt32 { storedCRC ?? Checksum.crc32c(bytes.dropLast(4)) }

  var bytes: [UInt8] {
    var output = Self.magic
    output.appendLittleEndian(Self.major)
    output.appendLittleEndian(Self.minor)
    output.appendLittleEndian(UInt16(Self.byteCount))
    output.appendLittleEndian(1 as UInt16)
    output.appendLittleEndian(basePosition)
    output.append(contentsOf: log.bytes)
    output.appendLittleEndian(UInt64(profile?.code ?? 0))
    output.appendLittleEndian(0 as UInt32)
    output.appendLittleEndian(writable)
    output.appendLittleEndian(salt)
    output.appendLittleEndian(Checksum.crc32c(output))
    return output
  }

  init(basePosition: UInt64, log: LogID, salt: UInt32, profile: CompressionProfile? = nil) {
    self.basePosition = basePosition
    self.log = log
    self.salt = salt
    self.profile = profile
  }

  /// The reason why a segment header cannot be used.
  enum Problem: Error {
    /// Fewer than 64 bytes.
    case short
    /// The magic bytes do not match.
    case notASegment
    /// The checksum does not match.
    case damaged
    /// Written by a newer version, or with features that this version does not know.
    case newer(String)
  }

  init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count >= Self.byteCount else { throw .short }
    let header = bytes[..<Self.byteCount]
    guard header.starts(with: Self.magic) else { throw .notASegment }
    do {
      var reader = LittleEndianReader(header)
      _ = try reader.take(Self.magic.count)
      let major = try reader.read(UInt16.self)
      let minor = try reader.read(UInt16.self)
      let length = try reader.read(UInt16.self)
      let checksum = try reader.read(UInt16.self)
      let basePosition = try reader.read(UInt64.self)
      let log = LogID(bytes: Array(try reader.take(16)))
      let profile = CompressionProfile(
        code: UInt8(truncatingIfNeeded: try reader.read(UInt64.self)))
      let needed = try reader.read(UInt32.self)
      let writable = try reader.read(UInt32.self)
      let salt = try reader.read(UInt32.self)
      let crc = try reader.read(UInt32.self)
      guard crc == Checksum.crc32c(header.dropLast(4)) else { throw Problem.damaged }
      guard major == Self.major, length == Self.byteCount, checksum == 1, needed == 0 else {
        throw Problem.newer("format \(major).\(minor), features \(needed)")
      }
      guard basePosition <= LogPosition.limit else { throw Problem.damaged }
      self.init(basePosition: basePosition, log: log, salt: salt, profile: profile)
      self.writable = writable
      storedCRC = crc
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .short
    }
  }

  /// Returns the name of the segment's file: `seg-`, the base position in 20 digits, `.bdl`.
  static func fileName(basePosition: UInt64) -> String {
    let digits = String(basePosition)
    return "seg-" + String(repeating: "0", count: 20 - digits.count) + digits + ".bdl"
  }

  /// Returns the base position in the name of a segment's file; nil if it is not such a name.
  static func basePosition(fileName: String) -> UInt64? {
    guard fileName.hasPrefix("seg-"), fileName.hasSuffix(".bdl"), fileName.utf8.count == 28 else {
      return nil
    }
    let digits = fileName.dropFirst(4).dropLast(4)
    return digits.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? UInt64(digits) : nil
  }
}

/// The unique id of a log: 128 random bits, drawn when it is created.
public struct LogID: Hashable, Sendable, CustomStringConvertible {
  /// The 16 bytes.
  public let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(using generator: inout some RandomNumberGenerator) {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(generator.next())
    bytes.appendLittleEndian(generator.next())
    self.bytes = bytes
  }

  /// The bytes as 32 hexadecimal digits.
  public var description: String { bytes.map(\.hexadecimal).joined() }
}
