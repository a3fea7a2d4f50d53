/// The list of the rewritten segments of a log, with the valid file of each: it detects that an earlier version of a
/// segment, which would still contain erased events, was restored.
///
///     SEGMENTS
///     list     =  0  magic: 89 42 44 53 0D 0A 1A 0A
///                 8  log:16 bytes  id of the log
///                24  count:u32     number of entries
///                28  0:u32
///                32  entry*
///                    crc:u32       CRC-32C of everything before it
///     entry    =  0  base:u64      position of the segment's first event
///                 8  salt:u32      that of the segment's header
///                12  header:u32    the checksum of the segment's header
///                16  flags:u32     1 = events were erased from the segment
///                20  0:u32
///
/// Entries are in the order of base, salt and checksum. A segment in the list must match one of its entries: while a
/// segment is being replaced there are two, and either is valid. A segment that is not in the list was never
/// rewritten, and any file is valid. The list is replaced atomically, and durable before the segment is. A missing
/// list proves nothing: it may be deleted, as HEAD may.
struct SegmentList: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var basePosition: UInt64
    var salt: UInt32
    var crc: UInt32
    var hasErased: Bool

    init(_ header: SegmentHeader, hasErased: Bool) {
      (basePosition, salt, crc) = (header.basePosition, header.salt, header.crc)
      self.hasErased = hasErased
    }

    init(basePosition: UInt64, salt: UInt32, crc: UInt32, hasErased: Bool) {
      (self.basePosition, self.salt, self.crc) = (basePosition, salt, crc)
      self.hasErased = hasErased
    }

    func isOf(_ header: SegmentHeader) -> Bool {
      (basePosition, salt, crc) == (header.basePosition, header.salt, header.crc)
    }
  }

  static let name = "SEGMENTS"
  static let magic: [UInt8] = [0x89, 0x42, 0x44, 0x53, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let headByteCount = 32
  private static let entryByteCount = 24

  var log: LogID
  private(set) var entries: [Entry] = []

  /// Returns the entries of the segment at a position; empty if it was never rewritten.
  func entries(at basePosition: UInt64) -> [Entry] {
    entries.filter { $0.basePosition == basePosition }
  }

  /// Returns whether a segment is valid according to the list.
  func admits(_ header: SegmentHeader) -> Bool {
    let own = entries(at: header.basePosition)
    return own.isEmpty || own.contains { $0.isOf(header) }
  }

  /// Returns whether events were erased from the segment at a position.
  func hasErased(at basePosition: UInt64) -> Bool {
    entries(at: basePosition).contains { $0.hasErased }
  }

  /// Makes either of two files valid, one of which is about to replace the other.
  mutating func allow(_ new: SegmentHeader, besides old: SegmentHeader?, erasing: Bool) {
    let hasErased = erasing || hasErased(at: new.basePosition)
    var own = [Entry(new, hasErased: hasErased)]
    if let old { own.append(Entry(old, hasErased: hasErased)) }
    replace(own, at: new.basePosition)
  }

  /// Makes this file the only valid one of its segment.
  mutating func settle(_ header: SegmentHeader) {
    let hasErased = hasErased(at: header.basePosition)
    replace([Entry(header, hasErased: hasErased)], at: header.basePosition)
  }

  /// Removes the segments that are not at one of these positions.
  mutating func keep(_ positions: Set<UInt64>) {
    entries.removeAll { !positions.contains($0.basePosition) }
  }

  private mutating func replace(_ own: [Entry], at basePosition: UInt64) {
    entries.removeAll { $0.basePosition == basePosition }
    entries += own
    entries.sort {
      ($0.basePosition, $0.salt, $0.crc) < ($1.basePosition, $1.salt, $1.crc)
    }
  }
}

// MARK: Bytes

extension SegmentList {
  var bytes: [UInt8] {
    var output = Self.magic
    output.append(contentsOf: log.bytes)
    output.appendLittleEndian(UInt32(entries.count))
    output.appendLittleEndian(0 as UInt32)
    for entry in entries {
      output.appendLittleEndian(entry.basePosition)
      output.appendLittleEndian(entry.salt)
      output.appendLittleEndian(entry.crc)
      output.appendLittleEndian(entry.hasErased ? 1 : 0 as UInt32)
      output.appendLittleEndian(0 as UInt32)
    }
    output.appendLittleEndian(Checksum.crc32c(output))
    return output
  }

  /// Reads a list; nil if the bytes are not a list, or are damaged.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headByteCount + 4, bytes.starts(with: Self.magic) else { return nil }
    do {
      var tail = LittleEndianReader(bytes.suffix(4))
      guard try tail.read(UInt32.self) == Checksum.crc32c(bytes.dropLast(4)) else { return nil }
      var reader = LittleEndianReader(bytes.dropLast(4))
      _ = try reader.take(Self.magic.count)
      log = LogID(bytes: Array(try reader.take(16)))
      let count = Int(try reader.read(UInt32.self))
      _ = try reader.read(UInt32.self)
      guard reader.remaining == count * Self.entryByteCount else { return nil }
      entries.reserveCapacity(count)
      for _ in 0..<count {
        let (base, salt) = (try reader.read(UInt64.self), try reader.read(UInt32.self))
        let (crc, flags) = (try reader.read(UInt32.self), try reader.read(UInt32.self))
        _ = try reader.read(UInt32.self)
        entries.append(
          Entry(basePosition: base, salt: salt, crc: crc, hasErased: flags & 1 != 0))
      }
    } catch {
      return nil
    }
  }
}

// MARK: The file

extension SegmentList {
  /// The state of the list file in the folder of a log.
  enum Found: Equatable {
    case none
    case damaged
    case list(SegmentList)

    var list: SegmentList? {
      if case .list(let list) = self { list } else { nil }
    }
  }

  /// An upper bound of the size of a list, enough for a million segments.
  private static let longest: UInt64 = 32 << 20

  static func read(in folder: String, _ disk: any Disk) throws(LogError) -> Found {
    let file: any DiskFile
    do throws(LogError) {
      file = try disk.open(folder + "/" + name, writable: false)
    } catch  where error.code == .notFound {
      return .none
    }
    let size = try file.size()
    guard size <= longest else { return .damaged }
    return SegmentList(try file.read(at: 0, count: Int(size))).map { .list($0) } ?? .damaged
  }

  /// Returns the list of a log; empty if there is none, or none that can be used.
  static func current(
    in folder: String, of log: LogID, _ disk: any Disk
  ) throws(LogError) -> SegmentList {
    let found = try read(in: folder, disk).list
    return found.flatMap { $0.log == log ? $0 : nil } ?? SegmentList(log: log)
  }

  /// Replaces the list in the folder of a log, atomically and durably.
  ///
  /// - Parameters:
  ///   - folder: The folder of the log.
  ///   - disk: The disk of the folder.
  ///   - segment: A file of the log, whose permissions the list gets if there is none yet.
  /// - Throws: ``LogError`` if it cannot be written; the list is then unchanged.
  func write(
    in folder: String, _ disk: any Disk, like segment: String? = nil
  ) throws(LogError) {
    try disk.replace(
      Self.name, in: folder, by: bytes, like: [segment, folder].compactMap { $0 })
  }
}
