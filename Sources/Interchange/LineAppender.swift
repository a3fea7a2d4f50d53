package import EventLog
package import Events
import Specifications

/// Parses JSON Lines from pieces of any size, as they come over a pipe, and appends the event of each complete line.
package struct LineAppender {
  private let append: (EventRecord) throws -> Appended
  private let keepsPlaceholders: Bool
  private var decoder = JSONLinesDecoder()
  private var record = EventRecord()
  /// The beginning of an incomplete line.
  private var rest: [UInt8] = []
  private var line = 1
  private var byteOffset: Int64 = 0

  /// The number of events appended.
  package private(set) var eventsAppended = 0
  /// The number of duplicate events, which were not appended again.
  package private(set) var alreadyThere = 0

  /// The number of events that were taken, whether they were new or not.
  package var taken: Int { eventsAppended + alreadyThere }

  /// The maximum length of a line, which bounds the memory for an input without line feeds.
  package static var longestLine: Int { 64 << 20 }

  /// Creates an appender that has seen no lines.
  ///
  /// - Parameters:
  ///   - keepsPlaceholders: Whether lines whose unit is a text that stands for a missing one, such as `NULL`, are kept.
  ///     Otherwise they are refused.
  ///   - append: Appends an event unless it is a duplicate, and returns whether it was.
  package init(
    keepsPlaceholders: Bool = false, _ append: @escaping (EventRecord) throws -> Appended
  ) {
    self.keepsPlaceholders = keepsPlaceholders
    self.append = append
  }

  /// Parses the next bytes.
  ///
  /// - Throws: ``ImportError`` `rejectedRecord` with the line number for a line that is not an event; the events of
  ///   the lines before it are appended. Errors of appending are passed on.
  package mutating func append(_ bytes: [UInt8]) throws {
    var start = 0
    while let end = ByteSearch.first(UInt8(ascii: "\n"), in: bytes, start..<bytes.count) {
      if rest.isEmpty {
        try take(bytes.span.extracting(start..<end))
      } else {
        rest.append(contentsOf: bytes[start..<end])
        let whole = rest
        rest.removeAll(keepingCapacity: true)
        try take(whole.span)
      }
      start = end + 1
    }
    rest.append(contentsOf: bytes[start...])
    guard rest.count <= Self.longestLine else {
      throw rejected("it is longer than \(Self.longestLine) bytes; is this JSON Lines?")
    }
  }

  /// Parses the last line, if it has no line feed.
  ///
  /// - Throws: As ``append(_:)``.
  package mutating func finish() throws {
    let last = rest
    rest.removeAll()
    if !last.isEmpty { try take(last.span) }
  }

  private mutating func take(_ bytes: Span<UInt8>) throws {
    let text = bytes.extracting(Self.text(of: bytes, isFirst: line == 1))
    if text.count > 0 {
      do throws(JSONLineError) {
        try decoder.decode(text, into: &record)
      } catch {
        throw rejected(error.reason, at: error.offset)
      }
      if !keepsPlaceholders, let problem = PlaceholderUnit.problem(of: record) {
        throw rejected("\(problem) (--keep-placeholder-units keeps it)")
      }
      if try append(record).isNew { eventsAppended += 1 } else { alreadyThere += 1 }
    }
    line += 1
    byteOffset += Int64(bytes.count) + 1
  }

  /// A line without its end and, at the start of the input, the byte-order mark; empty for a blank line.
  private static func text(of line: Span<UInt8>, isFirst: Bool) -> Range<Int> {
    var range = 0..<line.count
    if range.last.map({ line[$0] == UInt8(ascii: "\r") }) == true { range = range.dropLast() }
    let mark = ByteOrderMark.utf8
    if isFirst, range.prefix(mark.count).map({ line[$0] }) == mark { range = range.dropFirst(mark.count) }
    return line.extracting(range).isBlank ? 0..<0 : range
  }

  private func rejected(_ reason: String, at offset: Int = 0) -> ImportError {
    ImportError(
      .rejectedRecord,
      "standard input: line \(line) (byte \(byteOffset + Int64(offset))): \(reason); "
        + "every line before it is stored: fix it and continue with it")
  }
}
