/// The frame: a group of events that become visible atomically.
///
///     frame     = header directory crc:u32 0:u32 chunk* trailer
///     header    =   0  magic:u32   "FRM1"
///                   4  type:u8     1 = events; a reader skips an unknown type of 128 or more, and
///                                  refuses one below
///                   5  flags:u8    1 = some event is earlier than one before it in the log
///                   6  columns:u16 entries of the directory
///                   8  length:u32  of the whole frame, a multiple of 8
///                  12  rows:u32    events, at most 65,536
///                  16  base:u64    position of the first event
///                  24  earliest:i64  28+ latest:i64 (byte 32) event times, microseconds since 1970
///                  40  0:u32
///                  44  meta:u32    length of header, directory and its checksum
///                  48  producer:u64  56 sequence:u64  for idempotent appends; 0 = none
///                  64  kinds:u64   bit k set when the frame has an event of kind k; bits 62 and 63 for
///                                  events that were erased or lost, whose positions are kept
///                  72  experiments:u64  bit c % 64 set when an event has the experiment of code c
///                  80  0:u32
///                  84  salt:u32    of the segment, so that stray bytes are never taken for a frame
///                  88  durable:u64 every event before this position was durable when the frame was
///                                  written: a frame that cannot be read before it is damage, not a crash
///                  96  previous:u32  checksum of the frame before (its trailer's), of the segment header
///                                  for a segment's first frame
///                 100  0: 24 bytes
///                 124  crc:u32     CRC-32C of bytes 0 to 123
///     directory = entry*, 48 bytes each; its crc is the CRC-32C of all entries
///     entry     =   0  column:u16  2 codec:u8 (0 as it is, 1 raw DEFLATE)  3 flags:u8 (1 = not every
///                                  row has a value: the chunk begins with a bitmap of those that do)
///                   4  key:u32     which attribute, for the columns of attributes; else 0
///                   8  offset:u32  from the start of the frame, a multiple of 8
///                  12  stored:u32  bytes in the frame  16 raw:u32 bytes when inflated
///                  20  crc:u32     CRC-32C of the stored bytes
///                  24  low:i64     smallest value (codes and whole numbers as they are, floating-point
///                                  numbers by the order of their bits); first code of names
///                  32  high:i64    largest value
///                  40  encoding:u8 41 width:u8 42 0:u16  as in the stream itself, for statistics
///                  44  values:u32  how many values the stream has
///     chunk     = stored bytes, zero padded to a multiple of 8
///     trailer   = length:u32, check:u32 (CRC-32C of the header's, the directory's and every chunk's
///                 checksum), rows:u32, "MRF1"
///
/// A reader ignores unknown flags of frames and entries, and bytes 42 and 43 of an entry; a frame whose other reserved
/// bytes are not 0 is invalid. Chunks may share bytes.
///
/// The columns are listed in ``ColumnID``. Names that appear for the first time are stored in the frame's own chunks
/// (column 64 + vocabulary), so a frame never needs a later one to be read.
struct FrameHeader: Hashable, Sendable {
  static let byteCount = 128
  static let trailerByteCount = 16
  static let magic: UInt32 = 0x314D_5246
  static let trailerMagic: UInt32 = 0x3146_524D
  static let maximumRows = 65_536

  var type: UInt8 = 1
  var flags: UInt8 = 0
  var columns: UInt16
  var length: UInt32
  var rows: UInt32
  var basePosition: UInt64
  var earliest: Int64
  var latest: Int64
  var producer: UInt64 = 0
  var sequence: UInt64 = 0
  var kinds: UInt64
  var experiments: UInt64
  var salt: UInt32
  var durable: UInt64
  var previous: UInt32

  var metaLength: Int { Self.byteCount + Int(columns) * ColumnEntry.byteCount + 8 }

  /// The encoded header, including its checksum.
  var bytes: [UInt8] {
    var output: [UInt8] = []
    output.appendLittleEndian(Self.magic)
    output.append(type)
    output.append(flags)
    output.appendLittleEndian(columns)
    output.appendLittleEndian(length)
    output.appendLittleEndian(rows)
    output.appendLittleEndian(basePosition)
    output.appendLittleEndian(earliest)
    output.appendLittleEndian(latest)
    output.appendLittleEndian(0 as UInt32)
    output.appendLittleEndian(UInt32(metaLength))
    output.appendLittleEndian(producer)
    output.appendLittleEndian(sequence)
    output.appendLittleEndian(kinds)
    output.appendLittleEndian(experiments)
    output.appendLittleEndian(0 as UInt32)
    output.appendLittleEndian(salt)
    output.appendLittleEndian(durable)
    output.appendLittleEndian(previous)
    output.append(contentsOf: [UInt8](repeating: 0, count: 24))
    output.appendLittleEndian(Checksum.crc32c(output))
    return output
  }
}

extension FrameHeader {
  /// Reads a header; nil if the bytes are not a header, or are damaged.
  ///
  /// - Returns: The header, and the checksum at its end.
  static func read(_ bytes: ArraySlice<UInt8>) -> (header: FrameHeader, crc: UInt32)? {
    guard bytes.count >= byteCount else { return nil }
    let own = bytes.prefix(byteCount)
    do {
      var reader = LittleEndianReader(own)
      guard try reader.read(UInt32.self) == magic else { return nil }
      let type = try reader.read(UInt8.self)
      let flags = try reader.read(UInt8.self)
      let columns = try reader.read(UInt16.self)
      let length = try reader.read(UInt32.self)
      let rows = try reader.read(UInt32.self)
      let basePosition = try reader.read(UInt64.self)
      let earliest = try reader.read(Int64.self)
      let latest = try reader.read(Int64.self)
      guard try reader.read(UInt32.self) == 0 else { return nil }
      let meta = try reader.read(UInt32.self)
      let producer = try reader.read(UInt64.self)
      let sequence = try reader.read(UInt64.self)
      let kinds = try reader.read(UInt64.self)
      let experiments = try reader.read(UInt64.self)
      guard try reader.read(UInt32.self) == 0 else { return nil }
      let salt = try reader.read(UInt32.self)
      let durable = try reader.read(UInt64.self)
      let previous = try reader.read(UInt32.self)
      guard try reader.take(24).allSatisfy({ $0 == 0 }) else { return nil }
      let crc = try reader.read(UInt32.self)
      let header = FrameHeader(
        type: type, flags: flags, columns: columns, length: length, rows: rows,
        basePosition: basePosition, earliest: earliest, latest: latest, producer: producer,
        sequence: sequence, kinds: kinds, experiments: experiments, salt: salt, durable: durable,
        previous: previous)
      guard crc == Checksum.crc32c(own.dropLast(4)), Int(meta) == header.metaLength,
        header.isPlausible
      else { return nil }
      return (header, crc)
    } catch {
      return nil
    }
  }

  private var isPlausible: Bool {
    length % 8 == 0 && Int(length) >= metaLength + Self.trailerByteCount
      && rows <= Self.maximumRows && basePosition <= LogPosition.limit
      && durable <= basePosition
  }
}
