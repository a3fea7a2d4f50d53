extension Event {
  /// Parses an event from one line of JSON Lines. For many lines use ``JSONLinesDecoder``.
  ///
  /// - Throws: ``JSONLineError`` if the line is not an event.
  public init(jsonLine: String) throws(JSONLineError) {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    let bytes = Array(jsonLine.utf8)
    try decoder.decode(bytes.span, into: &record)
    do throws(EventProblem) {
      try self.init(record)
    } catch {
      throw JSONLineError(offset: 0, reason: error.description)
    }
  }

  /// The event as one line of JSON Lines, without a line feed.
  ///
  /// - Throws: ``EventProblem`` if the event lacks a field that its kind requires.
  public var jsonLine: String {
    get throws(EventProblem) {
      var record = EventRecord()
      try record.load(self)
      var output: [UInt8] = []
      JSONLinesEncoder.append(record, to: &output)
      output.removeLast()
      return String(decoding: output, as: UTF8.self)
    }
  }
}
