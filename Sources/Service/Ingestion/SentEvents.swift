internal import Events
internal import Interchange
internal import Tables

/// The events of a body of JSON Lines.
struct SentEvents {
  /// A line that is not an event.
  struct Rejection: Error, Hashable {
    /// The number of the line, from 1.
    var line: Int
    /// The offset of the offending byte in the body; nil if it is the event as a whole.
    var byte: Int?
    /// The fault and its remedy.
    var reason: String

    var message: String {
      TerminalText.message("line \(line)\(byte.map { " (byte \($0))" } ?? ""): \(reason)")
    }
  }

  /// The events as they are stored.
  private(set) var records: [EventRecord] = []
  /// The same events as the systems apply them.
  private(set) var events: [Event] = []
  /// The number of the line of each.
  private(set) var lines: [Int] = []
  /// The first lines that are not events, at most ``shownRejections``.
  private(set) var rejections: [Rejection] = []
  /// The number of lines that are not events.
  private(set) var rejected = 0

  private var keepsPlaceholders = false

  /// The maximum number of rejections that a response lists.
  static let shownRejections = 20

  /// Parses lines, which end with LF or CRLF; empty ones are skipped.
  ///
  /// - Parameters:
  ///   - bytes: The lines.
  ///   - skipsInvalid: Whether lines that are not events are counted and skipped.
  ///   - isAdmin: Whether events may change configurations.
  ///   - keepsPlaceholders: Whether units that are texts for a missing one, such as `NULL`, are taken.
  /// - Throws: ``Rejection`` for the first line that is not an event, unless they are skipped.
  /// - Complexity: O(number of bytes).
  init(
    _ bytes: [UInt8], skipsInvalid: Bool, isAdmin: Bool, keepsPlaceholders: Bool = false
  ) throws(Rejection) {
    self.keepsPlaceholders = keepsPlaceholders
    var decoder = JSONLinesDecoder()
    var (start, line) = (0, 0)
    while start < bytes.count {
      let next = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      var end = next
      while end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      line += 1
      if start < end {
        do throws(Rejection) {
          try take(bytes.span.extracting(start..<end), line, start, &decoder, isAdmin)
        } catch {
          guard skipsInvalid else { throw error }
          rejected += 1
          if rejections.count < Self.shownRejections { rejections.append(error) }
        }
      }
      start = next + 1
    }
  }

  /// Creates events that were made from another format.
  ///
  /// - Throws: ``Rejection`` with the number of the event in place of the line's for one that cannot be stored.
  init(_ events: [Event]) throws(Rejection) {
    self.events = events
    for (index, event) in events.enumerated() {
      var record = EventRecord()
      do throws(EventProblem) {
        try record.load(event)
      } catch {
        throw Rejection(line: index + 1, byte: 0, reason: error.description)
      }
      records.append(record)
      lines.append(index + 1)
    }
  }

  private mutating func take(
    _ bytes: Span<UInt8>, _ line: Int, _ offset: Int, _ decoder: inout JSONLinesDecoder,
    _ isAdmin: Bool
  ) throws(Rejection) {
    var record = EventRecord()
    do throws(JSONLineError) {
      try decoder.decode(bytes, into: &record)
    } catch {
      throw Rejection(line: line, byte: offset + error.offset, reason: error.reason)
    }
    if !keepsPlaceholders, let problem = PlaceholderUnit.problem(of: record) {
      throw Rejection(
        line: line, byte: offset, reason: "\(problem) (keep-placeholder-units=true keeps it)")
    }
    guard isAdmin || record.kind != .configurationApplied else {
      throw Rejection(
        line: line, byte: offset,
        reason: "an event that changes a configuration needs a key with the scope admin")
    }
    do throws(EventProblem) {
      events.append(try Event(record))
    } catch {
      throw Rejection(line: line, byte: offset, reason: error.description)
    }
    records.append(record)
    lines.append(line)
  }
}
