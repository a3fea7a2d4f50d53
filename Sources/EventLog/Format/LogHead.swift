/// A hint beside the segments of how far a log is durable, in two copies that are written alternately.
///
///     HEAD.0, HEAD.1
///     head     =  0  magic: 89 42 44 48 0D 0A 1A 0A
///                 8  log:16 bytes  id of the log
///                24  durable:u64   every event before this position was made durable
///                32  sequence:u64  one more than in the copy that was written before
///                40  0: 20 bytes
///                60  crc:u32       CRC-32C of bytes 0 to 59
///
/// A copy is written after the events were synced and is never synced itself, so it may be stale or torn, but never
/// ahead of the events. A copy that is missing, torn or of another log is ignored; of two, the one with the greater
/// durable position counts. It is the only proof that the events of the last commit were durable: damage to them is
/// then not caused by a crash, and a file that ends before them was truncated.
struct LogHead: Hashable, Sendable {
  static let byteCount = 64
  static let magic: [UInt8] = [0x89, 0x42, 0x44, 0x48, 0x0D, 0x0A, 0x1A, 0x0A]
  static let names = ["HEAD.0", "HEAD.1"]

  var log: LogID
  var durable: UInt64
  var sequence: UInt64

  var bytes: [UInt8] {
    var output = Self.magic
    output.append(contentsOf: log.bytes)
    output.appendLittleEndian(durable)
    output.appendLittleEndian(sequence)
    output.append(contentsOf: [UInt8](repeating: 0, count: 20))
    output.appendLittleEndian(Checksum.crc32c(output))
    return output
  }

  init(log: LogID, durable: UInt64, sequence: UInt64) {
    self.log = log
    self.durable = durable
    self.sequence = sequence
  }

  /// Reads a copy; nil if the bytes are not a copy, or are damaged.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    let own = bytes[..<Self.byteCount]
    guard own.starts(with: Self.magic) else { return nil }
    do {
      var reader = LittleEndianReader(own)
      _ = try reader.take(Self.magic.count)
      log = LogID(bytes: Array(try reader.take(16)))
      durable = try reader.read(UInt64.self)
      sequence = try reader.read(UInt64.self)
      guard try reader.take(20).allSatisfy({ $0 == 0 }),
        try reader.read(UInt32.self) == Checksum.crc32c(own.dropLast(4)),
        durable <= LogPosition.limit
      else { return nil }
    } catch {
      return nil
    }
  }

  /// Reads the copies in the folder of a log; nil for each that cannot be used, whatever the reason.
  static func read(in folder: String, _ disk: any Disk) -> [LogHead?] {
    names.map { name in
      guard let file = try? disk.open(folder + "/" + name, writable: false),
        let bytes = try? file.read(at: 0, count: byteCount)
      else { return nil }
      return LogHead(bytes)
    }
  }

  /// Returns whether the copies prove how far a log was durable.
  static func proof(in folder: String, of log: LogID?, _ disk: any Disk) -> LogReader.EndProof {
    let copies = read(in: folder, disk)
    let own = copies.compactMap { $0?.log == log ? $0?.sequence : nil }
    let existing = names.count { (try? disk.open(folder + "/" + $0, writable: false)) != nil }
    guard existing > 0 else { return .missing }
    // The first write makes one copy; from then on each is one write behind the other.
    guard own.count == existing, let last = own.max(), own.count == min(last, 2),
      own.allSatisfy({ $0 + 1 >= last })
    else { return .damaged }
    return .whole
  }
}

/// Bounds of positions.
enum LogPosition {
  /// The exclusive upper bound of positions: 2^48 events at a million a second take nine years. Any larger position is
  /// damage, and must not make sums of positions overflow.
  static let limit: UInt64 = 1 << 48
}
