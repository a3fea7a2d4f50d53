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
  /// A line with invalid quotes is `malformed`, and reading continues after it. A quote that is never
  /// closed makes only the first line of its record malformed.
  ///
  /// - Throws: ``ImportError`` if the input fails or a record is too long.
  /// - Complexity: O(length), without allocation once the buffers have grown.
  public mutating func next() throws(ImportError) -> Step {
    while true {
      source.consume(taken)
      taken = 0
      guard let end = try endOfLine() else { return .end }
      line = nextLine
      offset = source.offset
      if end.isQuoted {
        number += 1
        return try nextQuoted(firstLine: end)
      }
      take(end.count, newlines: 1, end: end.endCount)
      guard !rawRange.isEmpty else {
        blankLines += 1
        continue
      }
      number += 1
      bytes.removeAll(keepingCapacity: true)
      fields.removeAll(keepingCapacity: true)
      bytes.append(contentsOf: source.bytes[rawRange])
      isASCII = ByteSearch.split(bytes, at: separator, into: &fields)
      return .record
    }
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

  private mutating func nextQuoted(firstLine: LineEnd) throws(ImportError) -> Step {
    var scan = CSVRecordScan(separator: separator)
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
    isASCII = CSVRecordScan.split(
      source.bytes, rawRange, at: separator, into: &bytes, &fields)
    return .record
  }

  private mutating func unclosed(_ scan: CSVRecordScan, _ firstLine: LineEnd) -> Step {
    take(firstLine.count, newlines: 1, end: firstLine.endCount)
    return .malformed(
      reason: "a quote is opened and never closed", offset: offset + Int64(scan.openedAt))
  }

  private func tooLong() -> ImportError {
    ImportError(
      .badData,
      "\(source.name): the record on line \(nextLine) (byte \(source.offset)) is longer than "
        + "\(maximumLength) bytes; check its quotes and line ends")
  }
}
