/// The records of a CSV text (RFC 4180): fields between commas, quoted with `"` where they hold a
/// comma, a quote (written twice) or a newline; lines end with LF or CRLF.
///
/// The fields of the current record are ranges of ``row``, with quotes taken away.
package struct CSVReader {
  /// What ``next()`` found.
  package enum Step: Hashable, Sendable {
    /// A record: its fields are in `row` and `fields`.
    case record
    /// A line that breaks the rules of quoting, why, and the place of the byte that does.
    case malformed(reason: String, offset: Int64)
    /// The end of the input.
    case end
  }

  /// Where the records come from.
  package private(set) var source: ByteSource
  /// The bytes of the record's fields.
  package private(set) var row: [UInt8] = []
  /// Where each field stands in `row`.
  package private(set) var fields: [Range<Int>] = []
  /// Whether every byte of the record is ASCII.
  package private(set) var isASCII = true
  /// The number of the line on which the record starts, counted from 1; 0 before the first.
  package private(set) var line = 0
  /// The place of the record's first byte in the uncompressed stream.
  package private(set) var offset: Int64 = 0
  /// How many empty lines were passed over.
  package private(set) var blankLines: Int64 = 0
  /// Where the record as it was given stands in `source.bytes`, without its end.
  package private(set) var rawRange = 0..<0

  private let maximumLength: Int
  private var taken = 0
  private var nextLine = 1

  /// Reads the records of a source; none may be longer than `maximumLength` bytes.
  package init(_ source: ByteSource, maximumLength: Int = 64 << 20) {
    self.source = source
    self.maximumLength = maximumLength
  }

  /// Goes to the next record.
  ///
  /// A line whose quotes are wrong is `malformed`, and reading goes on behind it. A quote that is never
  /// closed makes only the first line of its record malformed.
  ///
  /// - Throws: ``ImportError`` when the input fails or a record is too long.
  /// - Complexity: O(length), no allocation once the buffers have grown.
  package mutating func next() throws(ImportError) -> Step {
    while true {
      source.consume(taken)
      taken = 0
      guard let end = try endOfLine() else { return .end }
      line = nextLine
      offset = source.offset
      if end.isQuoted { return try nextQuoted(firstLine: end) }
      take(end.count, newlines: 1, end: end.endCount)
      guard !rawRange.isEmpty else {
        blankLines += 1
        continue
      }
      row.removeAll(keepingCapacity: true)
      fields.removeAll(keepingCapacity: true)
      row.append(contentsOf: source.bytes[rawRange])
      isASCII = ByteSearch.split(row, into: &fields)
      return .record
    }
  }

  private struct LineEnd {
    var count: Int
    var endCount: Int
    var isQuoted: Bool
  }

  /// How far the next line reaches and whether a quote stands in it; nil at the end.
  private mutating func endOfLine() throws(ImportError) -> LineEnd? {
    var searched = 0
    while true {
      if let newline = source.newline(from: searched) {
        return LineEnd(count: newline, endCount: 1, isQuoted: hasQuote(newline))
      }
      searched = source.window.count
      guard searched <= maximumLength + 1 else { throw tooLong() }
      guard try source.extend() else {
        guard searched > 0 else { return nil }
        return LineEnd(count: searched, endCount: 0, isQuoted: hasQuote(searched))
      }
    }
  }

  private func hasQuote(_ count: Int) -> Bool {
    let start = source.window.lowerBound
    return ByteSearch.first(UInt8(ascii: "\""), in: source.bytes, start..<start + count) != nil
  }

  /// Makes the next `count` bytes of the window the record, without a CR at their end.
  private mutating func take(_ count: Int, newlines: Int, end: Int) {
    let start = source.window.lowerBound
    rawRange = start..<start + count
    if source.bytes[rawRange].last == UInt8(ascii: "\r") { rawRange = rawRange.dropLast() }
    taken = count + end
    nextLine = line + newlines
  }

  private mutating func nextQuoted(firstLine: LineEnd) throws(ImportError) -> Step {
    var scan = QuoteScan()
    while true {
      if scan.run(source.bytes, source.window) { break }
      guard scan.position <= maximumLength, try source.extend() else {
        if scan.isInQuotes { return unclosed(scan, firstLine) }
        break
      }
    }
    take(scan.position, newlines: scan.newlines + 1, end: scan.endsWithNewline ? 1 : 0)
    if let problem = scan.problem {
      return .malformed(reason: problem.reason, offset: offset + Int64(problem.position))
    }
    decode()
    return .record
  }

  private mutating func unclosed(_ scan: QuoteScan, _ firstLine: LineEnd) -> Step {
    take(firstLine.count, newlines: 1, end: firstLine.endCount)
    return .malformed(
      reason: "a quote is opened and never closed", offset: offset + Int64(scan.openedAt))
  }

  /// Fills `row` and `fields` from a record whose quoting was found sound.
  private mutating func decode() {
    row.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    var start = 0
    var isInQuotes = false
    var seen: UInt8 = 0
    var position = rawRange.lowerBound
    while position < rawRange.upperBound {
      let byte = source.bytes[position]
      seen |= byte
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        if isInQuotes, position < rawRange.upperBound,
          source.bytes[position] == UInt8(ascii: "\"")
        {
          row.append(byte)
          position += 1
        } else {
          isInQuotes.toggle()
        }
      case UInt8(ascii: ",") where !isInQuotes:
        fields.append(start..<row.count)
        start = row.count
      default: row.append(byte)
      }
    }
    fields.append(start..<row.count)
    isASCII = seen < 0x80
  }

  private func tooLong() -> ImportError {
    ImportError(
      .badData,
      "\(source.name): the record on line \(nextLine) (byte \(source.offset)) is longer than "
        + "\(maximumLength) bytes; check its quotes and line ends")
  }
}

/// Finds the end of a record with quotes, in as many portions as the input comes in.
private struct QuoteScan {
  struct Problem {
    var reason: String
    var position: Int
  }

  private enum State { case fieldStart, plain, quoted, quoteInQuoted, carriageReturn, broken }

  /// How many bytes were looked at: at the end the length of the record without its newline.
  private(set) var position = 0
  /// How many newlines stand inside quotes.
  private(set) var newlines = 0
  /// Where the last quoted field begins.
  private(set) var openedAt = 0
  private(set) var endsWithNewline = false
  private(set) var problem: Problem?
  private var state = State.fieldStart

  var isInQuotes: Bool { state == .quoted }

  /// Looks at what is new in the window; true when the end of the record was found.
  mutating func run(_ bytes: [UInt8], _ window: Range<Int>) -> Bool {
    while position < window.count {
      let byte = bytes[window.lowerBound + position]
      if byte == UInt8(ascii: "\n"), state != .quoted {
        endsWithNewline = true
        return true
      }
      step(byte)
      position += 1
    }
    return false
  }

  private mutating func step(_ byte: UInt8) {
    switch (state, byte) {
    case (.broken, _): break
    case (.quoted, UInt8(ascii: "\"")): state = .quoteInQuoted
    case (.quoted, UInt8(ascii: "\n")): newlines += 1
    case (.quoted, _): break
    case (.fieldStart, UInt8(ascii: "\"")):
      state = .quoted
      openedAt = position
    case (.quoteInQuoted, UInt8(ascii: "\"")): state = .quoted
    case (.fieldStart, UInt8(ascii: ",")), (.plain, UInt8(ascii: ",")),
      (.quoteInQuoted, UInt8(ascii: ",")):
      state = .fieldStart
    case (.quoteInQuoted, UInt8(ascii: "\r")): state = .carriageReturn
    case (.quoteInQuoted, _), (.carriageReturn, _):
      fail("text stands behind a closing quote; write a quote inside quotes twice")
    case (_, UInt8(ascii: "\"")):
      fail("a quote stands inside a field that does not begin with one")
    default: state = .plain
    }
  }

  private mutating func fail(_ reason: String) {
    problem = Problem(reason: reason, position: position)
    state = .broken
  }
}
