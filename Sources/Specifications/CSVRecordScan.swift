/// The quoting rules of CSV (RFC 4180), which every reader of CSV in the package follows: fields stand between commas,
/// or tabs, and one that holds one of these, a quote (written twice) or a newline stands in quotes.
///
/// Finds the end of one record, in as many portions as the input comes in.
package struct CSVRecordScan: Sendable {
  /// A breach of the rules, and the place of the byte.
  package struct Problem: Sendable {
    /// The fault.
    package var reason: String
    /// The offset from the start of the record.
    package var position: Int
  }

  private enum State { case fieldStart, plain, quoted, quoteInQuoted, carriageReturn, broken }

  /// The number of bytes scanned: at the end the length of the record without its newline.
  package private(set) var position = 0
  /// The number of newlines inside quotes.
  package private(set) var newlines = 0
  /// The offset at which the last quoted field of the first line begins.
  package private(set) var openedAt = 0
  /// Whether the record ends with a newline, rather than with the input.
  package private(set) var endsWithNewline = false
  /// The breach of the rules; nil for a sound record.
  package private(set) var problem: Problem?
  private var state = State.fieldStart

  /// Whether the bytes scanned so far end within quotes.
  package var isInQuotes: Bool { state == .quoted }

  private let separator: UInt8

  /// Starts a record with fields separated by commas or another byte.
  package init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

  /// Scans what is new in the window, which begins with the record.
  ///
  /// - Returns: Whether the newline at the end of the record was found.
  package mutating func run(_ bytes: [UInt8], _ window: Range<Int>) -> Bool {
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
      if newlines == 0 { openedAt = position }
    case (.quoteInQuoted, UInt8(ascii: "\"")): state = .quoted
    case (.fieldStart, separator), (.plain, separator), (.quoteInQuoted, separator):
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

  /// Splits a record without a problem into its fields, and takes their quotes away.
  ///
  /// - Parameters:
  ///   - bytes: The input.
  ///   - record: Where the record stands in it, without its line end.
  ///   - separator: The byte between two fields.
  ///   - row: Receives the bytes of the fields.
  ///   - fields: Receives the range of each field in `row`.
  /// - Returns: Whether all bytes are ASCII.
  package static func split(
    _ bytes: [UInt8], _ record: Range<Int>, at separator: UInt8 = UInt8(ascii: ","),
    into row: inout [UInt8], _ fields: inout [Range<Int>]
  ) -> Bool {
    row.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    var start = 0
    var isInQuotes = false
    var seen: UInt8 = 0
    var position = record.lowerBound
    while position < record.upperBound {
      let byte = bytes[position]
      seen |= byte
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        if isInQuotes, position < record.upperBound, bytes[position] == UInt8(ascii: "\"") {
          row.append(byte)
          position += 1
        } else {
          isInQuotes.toggle()
        }
      case separator where !isInQuotes:
        fields.append(start..<row.count)
        start = row.count
      default: row.append(byte)
      }
    }
    fields.append(start..<row.count)
    return seen < 0x80
  }
}
