public import EventLog
public import Events

/// Takes JSON Lines in pieces of any size, as they come over a pipe, and appends the event of each line that
/// is complete.
public struct LineAppender {
  private let append: (EventRecord) throws -> Appended
  private var decoder = JSONLinesDecoder()
  private var record = EventRecord()
  /// The beginning of a line whose end has not come yet.
  private var rest: [UInt8] = []
  private var line = 1
  private var byteOffset: Int64 = 0

  /// How many events were appended.
  public private(set) var eventsAppended = 0
  /// How many events were there already, and were not appended again.
  public private(set) var alreadyThere = 0

  /// The longest line that is taken: what an input without line feeds may cost in memory.
  public static var longestLine: Int { 64 << 20 }

  /// Makes an appender of lines that has seen none.
  ///
  /// - Parameter append: Takes an event, and says whether it was there already.
  public init(_ append: @escaping (EventRecord) throws -> Appended) {
    self.append = append
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``ImportError`` `rejectedRecord` for a line that is not an event, with its number; the events of
  ///   the lines before it are appended. What appending throws, as it is.
  public mutating func append(_ bytes: [UInt8]) throws {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
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

  /// Takes the last line, when it has no line feed.
  ///
  /// - Throws: As ``append(_:)``.
  public mutating func finish() throws {
    let last = rest
    rest.removeAll()
    if !last.isEmpty { try take(last.span) }
  }

  private mutating func take(_ bytes: Span<UInt8>) throws {
    var count = bytes.count
    if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    if count > 0 {
      do throws(JSONLineError) {
        try decoder.decode(bytes.extracting(0..<count), into: &record)
      } catch {
        throw rejected(error.reason, at: error.offset)
      }
      if try append(record).isNew { eventsAppended += 1 } else { alreadyThere += 1 }
    }
    line += 1
    byteOffset += Int64(bytes.count) + 1
  }

  private func rejected(_ reason: String, at offset: Int = 0) -> ImportError {
    ImportError(
      .rejectedRecord,
      "standard input: line \(line) (byte \(byteOffset + Int64(offset))): \(reason); "
        + "every line before it is stored: mend it and go on with it")
  }
}
