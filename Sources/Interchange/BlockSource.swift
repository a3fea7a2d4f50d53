/// The lines of one record.
struct LineBlock: Sendable {
  /// The number of the first line.
  private(set) var number = 0
  /// The offset of its first byte in the uncompressed input.
  private(set) var offset: Int64 = 0
  /// The number of the record in the input, from 1.
  fileprivate(set) var index = 0
  /// The lines, with a line feed after each.
  private(set) var bytes: [UInt8] = []
  /// The ranges of the lines, without the line feeds.
  private(set) var lines: [Range<Int>] = []
  /// Whether each record of the input is one line, as far as the lines so far tell.
  var isOneLine = false

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    lines.removeAll(keepingCapacity: true)
  }

  mutating func append(_ line: ArraySlice<UInt8>, number: Int, offset: Int64) {
    if lines.isEmpty { (self.number, self.offset) = (number, offset) }
    let start = bytes.count
    bytes.append(contentsOf: line)
    lines.append(start..<bytes.count)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the line at which an input stands.
  mutating func append(_ lines: LineReader) {
    append(lines.source.bytes[lines.range], number: lines.number, offset: lines.offset)
  }
}

/// Tells which lines are one record.
protocol BlockCutter: Sendable {
  /// Reads the lines of the next record.
  ///
  /// - Parameters:
  ///   - lines: The input.
  ///   - blankLines: The number of blank lines that were skipped is added.
  ///   - block: The block, which is empty.
  /// - Returns: Whether there is a record.
  /// - Throws: ``ImportError`` if nothing more can be read.
  mutating func next(
    _ lines: inout LineReader, _ blankLines: inout Int64, into block: inout LineBlock
  ) throws(ImportError) -> Bool
}

/// Converts the lines of a record to events, whatever records are before it.
protocol BlockReader {
  /// Reads a record.
  ///
  /// - Throws: ``Rejection`` if it is invalid; reading continues after it.
  mutating func read(_ block: LineBlock, into record: inout ImportedRecord) throws(Rejection)
}

/// Records that were cut off an input, to be read by a thread of their own.
struct BlockPiece: Sendable {
  fileprivate var blocks: [LineBlock] = []
  fileprivate var blankLines: Int64 = 0
  /// The number of bytes of text up to the end of the piece.
  fileprivate var textEnd: Int64 = 0
}

/// The records of a format with several lines for each.
struct BlockSource<Cutter: BlockCutter, Reader: BlockReader>: PieceSource {
  private var lines: LineReader
  private var cutter: Cutter
  private var reader: Reader
  private var block = LineBlock()
  private var blockCount = 0
  private var blankLines: Int64 = 0
  /// The records that are read in place of the input, the next one last.
  private var piece: BlockPiece?
  var times = InputTimes()

  init(_ source: ByteSource, _ cutter: Cutter, _ reader: Reader) {
    lines = LineReader(source)
    (self.cutter, self.reader) = (cutter, reader)
  }

  var name: String { lines.source.name }

  var progress: SourceProgress {
    var progress = SourceProgress(lines.source, blankLines: blankLines)
    if let piece { progress.textBytes = piece.textEnd }
    return progress
  }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    guard try nextBlock() else { return .end }
    record.begin(line: block.number, byteOffset: block.offset)
    do throws(Rejection) {
      try reader.read(block, into: &record)
      try record.validate()
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      // With a line feed at its end, which becomes the blank line between two records in a file of rejects.
      return .rejected(
        RejectedRecord(error, line: block.number, byteOffset: block.offset, bytes: block.bytes))
    }
  }

  private mutating func nextBlock() throws(ImportError) -> Bool {
    guard piece != nil else { return try cutBlock() }
    guard let next = piece?.blocks.popLast() else { return false }
    block = next
    return true
  }

  private mutating func cutBlock() throws(ImportError) -> Bool {
    block.removeAll()
    guard try cutter.next(&lines, &blankLines, into: &block) else { return false }
    blockCount += 1
    block.index = blockCount
    return true
  }

  mutating func begin(_ piece: InputPiece) {
    self.piece = piece.blocks
    blankLines = piece.blocks?.blankLines ?? 0
    self.piece?.blocks.reverse()
  }

  mutating func cut(to piece: inout InputPiece, size: Int) throws(ImportError) {
    var (part, byteCount) = (BlockPiece(), 0)
    blankLines = 0
    defer {
      (part.blankLines, part.textEnd) = (blankLines, lines.source.offset)
      if !part.blocks.isEmpty { piece.blocks = part }
    }
    while byteCount < size, try cutBlock() {
      part.blocks.append(block)
      byteCount += block.bytes.count
    }
  }
}
