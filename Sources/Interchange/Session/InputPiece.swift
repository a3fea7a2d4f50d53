/// Records that were cut out of an input, to be read by a thread of their own.
struct InputPiece: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Rows of a table in place of bytes.
  var rows: ArrowPiece?
  /// Records of several lines in place of bytes.
  var blocks: BlockPiece?
  /// The offset of the first byte in the uncompressed input.
  private(set) var offset: Int64 = 0
  /// The number of lines before it.
  private(set) var linesBefore = 0
  /// The number of records before it, as ``CSVReader`` counts them.
  private(set) var recordsBefore = 0
  /// What was known of the input's times when it was cut.
  var times = InputTimes()

  var isEmpty: Bool { bytes.isEmpty && rows == nil && blocks == nil }

  /// Empties the piece, and keeps its buffer unless a large record has stretched it.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    (rows, blocks) = (nil, nil)
  }

  /// Appends the bytes at which an input stands.
  mutating func append(
    _ source: ByteSource, _ range: Range<Int>, linesBefore: Int, recordsBefore: Int = 0
  ) {
    if isEmpty {
      (offset, self.linesBefore, self.recordsBefore) = (source.offset, linesBefore, recordsBefore)
    }
    bytes.append(contentsOf: source.bytes[range])
  }
}

/// What a thread has in place of the input whose pieces it reads: nothing more to read.
final class PieceInput: ByteInput {
  let name: String
  let totalBytes: Int64? = nil
  let consumedBytes: Int64 = 0

  init(name: String) { self.name = name }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
}

/// A reader of records to which a record says nothing of later ones, but what it keeps of its times.
protocol PieceReader {
  var times: InputTimes { get set }
}

/// A source whose input can be cut into pieces, which are read at the same time by copies of it.
protocol PieceSource: RecordSource {
  /// What the times of the records so far say of those to come.
  var times: InputTimes { get set }

  /// Continues with a piece instead of the input.
  mutating func begin(_ piece: InputPiece)

  /// Cuts off the next records and blank lines.
  ///
  /// - Parameters:
  ///   - piece: What they are appended to, initially empty. It stays so only at the end of the input.
  ///   - size: The size of the piece in bytes, if there are so many. The last record may go beyond it.
  /// - Throws: ``ImportError`` if nothing more can be read; what was cut off before is in the piece.
  mutating func cut(to piece: inout InputPiece, size: Int) throws(ImportError)
}
