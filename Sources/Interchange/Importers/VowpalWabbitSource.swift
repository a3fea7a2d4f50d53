import Events

/// The lines of one event.
struct VowpalWabbitBlock {
  /// The number of the first line.
  private(set) var number = 0
  /// The offset of its first byte in the uncompressed input.
  private(set) var offset: Int64 = 0
  /// The lines, with a line feed after each.
  private(set) var bytes: [UInt8] = []
  /// The ranges of the lines, without the line feeds.
  private(set) var lines: [Range<Int>] = []

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
}

/// The events of a file in Vowpal Wabbit's text format.
struct VowpalWabbitSource: RecordSource {
  /// How events are separated.
  private enum Layout {
    /// Not known before the second line.
    case unknown
    /// By blank lines.
    case blocks
    /// By line ends.
    case lines
  }

  private static let longest = 64 << 20

  private var lines: LineReader
  private var reader: VowpalWabbitReader
  private var layout = Layout.unknown
  /// Whether there is a blank line after every event, as in a file of rejects, whatever the first two lines are.
  private let isSeparated: Bool
  private var block = VowpalWabbitBlock()
  /// The second line, which was read to tell the layout and is an event of its own.
  private var held: VowpalWabbitBlock?
  private var blankLines: Int64 = 0

  init(_ source: ByteSource, _ reader: VowpalWabbitReader) {
    isSeparated = source.input is RejectsInput
    lines = LineReader(source)
    self.reader = reader
  }

  var name: String { lines.source.name }

  var progress: SourceProgress { SourceProgress(lines.source, blankLines: blankLines) }

  mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    guard try readBlock() else { return .end }
    record.begin(line: block.number, byteOffset: block.offset)
    do throws(Rejection) {
      try reader.read(block, hasLineEvents: layout != .blocks, into: &record)
      try record.validate()
      return record.ignored.map { .ignored($0) } ?? .record
    } catch {
      // With a line feed at its end, which becomes the blank line between two events in a file of rejects.
      return .rejected(
        RejectedRecord(
          error, line: block.number, byteOffset: block.offset,
          bytes: block.bytes))
    }
  }

  /// Reads the lines of the next event, and returns whether there is one.
  private mutating func readBlock() throws(ImportError) -> Bool {
    block.removeAll()
    if let held {
      (block, self.held) = (held, nil)
      return true
    }
    while try lines.next() {
      // The slice is gone before `lines` reads on, so the buffer is never copied.
      let line = lines.source.bytes[lines.range]
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        if !block.lines.isEmpty { return true }
        blankLines += 1
        continue
      }
      if layout == .unknown, !isSeparated, block.lines.count == 1 {
        let hasLabels = Self.hasLabel(block.bytes[block.lines[0]]) && Self.hasLabel(line)
        layout = hasLabels ? .lines : .blocks
        if hasLabels {
          held = VowpalWabbitBlock()
          held?.append(line, number: lines.number, offset: lines.offset)
          return true
        }
      }
      block.append(line, number: lines.number, offset: lines.offset)
      if layout == .lines { return true }
      guard block.bytes.count <= Self.longest else {
        throw ImportError(
          .badData,
          "\(name): the event that begins on line \(block.number) is longer than 64 MiB; separate events by blank lines"
        )
      }
    }
    return !block.lines.isEmpty
  }

  private static func hasLabel(_ text: ArraySlice<UInt8>) -> Bool {
    let line = VowpalWabbitLine(text)
    guard line.kind == .plain, let word = line.words.first else { return false }
    return (try? VowpalWabbitLabel(text[word]))?.cost != nil
  }
}
