/// Tells which lines of a file in Vowpal Wabbit's text format are one event.
struct VowpalWabbitCutter: BlockCutter {
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

  private var layout = Layout.unknown
  /// Whether there is a blank line after every event, as in a file of rejects, whatever the first two lines are.
  private let isSeparated: Bool
  /// The second line, which was read to tell the layout and is an event of its own.
  private var held: LineBlock?

  init(_ source: ByteSource) { isSeparated = source.input is RejectsInput }

  mutating func next(
    _ lines: inout LineReader, _ blankLines: inout Int64, into block: inout LineBlock
  ) throws(ImportError) -> Bool {
    let isThere = try readLines(&lines, &blankLines, into: &block)
    block.isOneLine = layout != .blocks
    return isThere
  }

  private mutating func readLines(
    _ lines: inout LineReader, _ blankLines: inout Int64, into block: inout LineBlock
  ) throws(ImportError) -> Bool {
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
          var held = LineBlock()
          held.append(lines)
          self.held = held
          return true
        }
      }
      block.append(lines)
      if layout == .lines { return true }
      guard block.bytes.count <= Self.longest else {
        throw ImportError(
          .badData,
          "\(lines.source.name): the event that begins on line \(block.number) is longer than 64 MiB; separate events "
            + "by blank lines")
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
