import Specifications

/// Reads the records of CSV (RFC 4180) in order: fields are separated by commas, or tabs in TSV, and quoted with `"` if
/// they contain a separator, a quote (doubled) or a newline; lines end with LF or CRLF.
///
/// The fields of the current record are ranges of ``bytes``, without their quotes. A header is a record like any
/// other; ``CSVSource`` reads it first and checks the other records against it.
public struct CSVReader {
  /// The result of ``next()``.
  public enum Step: Hashable, Sendable {
    /// A record, whose fields are in `bytes` and `fields`.
    case record
    /// A line that violates the quoting rules, with the reason and the offset of the offending byte.
    case malformed(reason: String, offset: Int64)
    /// The end of the input.
    case end
  }

  /// The input.
  public private(set) var source: ByteSource
  /// The bytes of the record's fields.
  public private(set) var bytes: [UInt8] = []
  /// The range of each field in `bytes`.
  public private(set) var fields: [Range<Int>] = []
  /// Whether every byte of the record is ASCII.
  public private(set) var isASCII = true
  /// The number of the record, counted from 1, including malformed ones and the header; 0 before the first.
  public private(set) var number = 0
  /// The number of the line on which the record starts, counted from 1; 0 before the first.
  public private(set) var line = 0
  /// The offset of the record's first byte in the uncompressed input.
  public private(set) var offset: Int64 = 0
  /// The number of empty lines that were skipped.
  public private(set) var blankLines: Int64 = 0
  /// The range of the raw record in `source.bytes`, without its line end.
  public private(set) var rawRange = 0..<0

  /// The byte between two fields.
  public let separator: UInt8
  private let maximumLength: Int
  private var taken = 0
  private var nextLine = 1

  /// Creates a reader of records of at most `maximumLength` bytes, with fields separated by commas or another byte.
  public init(
    _ source: ByteSource, separator: UInt8 = UInt8(ascii: ","), maximumLength: Int = 64 << 20
  ) {
    self.source = source
    self.separator = separator
    self.maximumLength = maximumLength
  }

  /// Reads the next record.
  ///
  /// A line with invalid quotes is `malformed`, and reading continues after it. A quote that is never closed, or closed
  /// where a field goes on, makes only the first line of its record malformed.
  ///
  /// - Throws: ``ImportError`` if the input fails or a record is too long.
  /// - Complexity: O(length), without allocation once the buffers have grown.
  public mutating func next() throws(ImportError) -> Step {
    while let passed = try pass() {
      switch passed {
      case .blank: blankLines += 1
      case .quoted(let scan): return split(scan)
      case .plain:
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: source.bytes[rawRange])
        isASCII = ByteSearch.split(bytes, at: separator, into: &fields)
        return .record
      }
    }
    return .end
  }

  /// What was passed over.
  enum Passed {
    /// An empty line.
    case blank
    /// A record without quotes.
    case plain
    /// A record with quotes, or the first line of one that is never closed.
    case quoted(CSVRecordScan)
  }

  /// Passes over the next record or empty line, without its fields; nil at the end.
  mutating func pass() throws(ImportError) -> Passed? {
    source.consume(taken)
    taken = 0
    guard let end = try endOfLine() else { return nil }
    line = nextLine
    offset = source.offset
    if end.isQuoted {
      number += 1
      return .quoted(try passQuoted(firstLine: end))
    }
    take(end.count, newlines: 1, end: end.endCount)
    guard !rawRange.isEmpty else { return .blank }
    number += 1
    return .plain
  }

  /// The range of what was passed over in `source.bytes`, with its line end.
  var wholeRange: Range<Int> { source.window.prefix(taken) }

  /// Continues with a piece that was cut out of the input.
  mutating func begin(_ piece: InputPiece) {
    source = source.piece(piece.bytes, at: piece.offset)
    (number, nextLine, blankLines, taken) = (piece.recordsBefore, piece.linesBefore + 1, 0, 0)
  }

  private struct LineEnd {
    var count: Int
    var endCount: Int
    var isQuoted: Bool
  }

  /// Returns the end of the next line and whether the line contains a quote; nil at the end.
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

  /// Makes the next `count` bytes of the window the record, without a trailing CR.
  private mutating func take(_ count: Int, newlines: Int, end: Int) {
    let start = source.window.lowerBound
    rawRange = start..<start + count
    if source.bytes[rawRange].last == UInt8(ascii: "\r") { rawRange = rawRange.dropLast() }
    taken = count + end
    nextLine = line + newlines
  }

  private mutating func passQuoted(firstLine: LineEnd) throws(ImportError) -> CSVRecordScan {
    var scan = CSVRecordScan(separator: separator)
    while !scan.run(source.bytes, source.window), scan.position <= maximumLength, try source.extend() {}
    if scan.isInQuotes || scan.problem != nil {
      take(firstLine.count, newlines: 1, end: firstLine.endCount)
    } else {
      take(scan.position, newlines: scan.newlines + 1, end: scan.endsWithNewline ? 1 : 0)
    }
    return scan
  }

  private mutating func split(_ scan: CSVRecordScan) -> Step {
    if scan.isInQuotes {
      return .malformed(
        reason: "a quote is opened and never closed", offset: offset + Int64(scan.openedAt))
    }
    if let problem = scan.problem {
      return .malformed(reason: problem.reason, offset: offset + Int64(problem.position))
    }
    isASCII = CSVRecordScan.split(
      source.bytes, rawRange, at: separator, into: &bytes, &fields)
    return .record
  }

  private func tooLong() -> ImportError {
    ImportError(
      .badData,
      "\(source.name): the record on line \(nextLine) (byte \(source.offset)) is longer than "
        + "\(maximumLength) bytes; check its quotes and line ends")
  }
}
