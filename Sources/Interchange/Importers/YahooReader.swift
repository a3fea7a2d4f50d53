import Events

/// Reads lines of the Yahoo! Front Page Today Module.
///
/// The line is copied into the event once; articles and names of their features are ranges of it.
struct YahooReader: RecordLineReader, PieceReader {
  var times = InputTimes()
  private let experiment: [UInt8]
  /// The prefix of units, before their number.
  private let unitPrefix: [UInt8]
  private let hasVectors: Bool

  init(_ input: ImportInput, hasVectors: Bool) throws(ImportError) {
    let name = try input.experimentName()
    experiment = Array(name.utf8)
    unitPrefix = input.unitPrefix(name)
    self.hasVectors = hasVectors
  }

  mutating func read(_ line: Span<UInt8>, into record: inout ImportedRecord) throws(Rejection) {
    let index = record.add(.decision, at: Timestamp(microseconds: 0))
    let isClicked = try readDecision(line, &record.events[index], number: record.line)
    guard isClicked else { return }
    let goal = record.add(.goal, at: record.events[index].time)
    record.events[goal][.experiment] = record.events[goal].add(experiment[...])
    record.events[goal][.unit] = addUnit(record.line, &record.events[goal])
    record.events[goal][.goal] = record.events[goal].add("click")
    record.events[goal].value = 1
  }

  /// Fills the decision of a line and returns whether it was clicked.
  private func readDecision(
    _ line: Span<UInt8>, _ event: inout EventRecord, number: Int
  ) throws(Rejection) -> Bool {
    try check(line)
    // Safety: the pointer does not leave the closure.
    unsafe line.withUnsafeBufferPointer { unsafe event.bytes.append(contentsOf: $0) }
    var fields = LineFields(end: line.count)
    guard let time = fields.next(event.bytes), let shown = fields.next(event.bytes),
      let click = fields.next(event.bytes), let user = fields.next(event.bytes),
      event.bytes[user].elementsEqual("|user".utf8)
    else { throw Rejection(.event, "the line does not begin like TIME ARTICLE CLICK |user") }
    event.time = try readTime(line.extracting(time))
    guard click.count == 1, line[click.lowerBound] | 1 == UInt8(ascii: "1") else {
      throw Rejection(
        .click, "the click is \"\(text(line, click))\" and must be 0 or 1", at: click.lowerBound)
    }
    event[.variant] = Self.slice(shown)
    try readContents(line, &fields, &event)
    try checkChoices(line, shown, &event)
    event.propensity = 1 / Double(event.choices.count)
    event[.experiment] = event.add(experiment[...])
    event[.unit] = addUnit(number, &event)
    return line[click.lowerBound] == UInt8(ascii: "1")
  }

  /// Checks that a line is ASCII and, if its articles have features, that it has a sound number of fields.
  private func check(_ line: Span<UInt8>) throws(Rejection) {
    var columns = 0
    var last = UInt8(ascii: " ")
    for index in line.indices {
      let byte = line[index]
      guard byte < 0x80 else { throw Rejection(.encoding, "the line is not ASCII", at: index) }
      if last == UInt8(ascii: " "), byte != last { columns += 1 }
      last = byte
    }
    guard !hasVectors || (columns > 10 && (columns - 10) % 7 == 0) else {
      throw Rejection(
        .columnCount, "\(columns) fields; there must be 10, and 7 for each article")
    }
  }

  private func readTime(_ text: Span<UInt8>) throws(Rejection) -> Timestamp {
    guard let seconds = JSONNumber.double(of: text), let time = Timestamp(sinceEpoch: seconds)
    else {
      throw Rejection(
        .time,
        "the time is \"\(self.text(text, 0..<text.count))\" and must be in seconds since 1970")
    }
    return time
  }

  /// Reads the features of the user and the articles.
  private func readContents(
    _ line: Span<UInt8>, _ fields: inout LineFields, _ event: inout EventRecord
  ) throws(Rejection) {
    // Before they are filled, because a line may turn out to be invalid in the middle.
    (event.hasContext, event.hasChoices, event.hasFeatures) = (true, true, true)
    var isUser = true
    while let field = fields.next(event.bytes) {
      if line[field.lowerBound] == UInt8(ascii: "|") {
        isUser = false
        let article = Self.slice(field.dropFirst())
        event.choices.append(article)
        if hasVectors {
          event.featureGroups.append(EventRecord.FeatureGroup(variant: article, count: 0))
        }
        continue
      }
      let (name, value) = try readFeature(line, field)
      if isUser {
        let start = event.bytes.count
        event.bytes.append(contentsOf: "user.".utf8)
        for index in name { event.bytes.append(line[index]) }
        event.context.append(
          EventRecord.Attribute(
            name: EventRecord.Slice(start: start, count: event.bytes.count - start),
            value: .number(value)))
      } else {
        guard hasVectors else {
          throw Rejection(
            .event, "an article has the feature \"\(text(line, field))\"; use yahoo-r6a",
            at: field.lowerBound)
        }
        event.features.append(EventRecord.Attribute(name: Self.slice(name), value: .number(value)))
        event.featureGroups[event.featureGroups.count - 1].count += 1
      }
    }
    event.hasContext = !event.context.isEmpty
    event.hasFeatures = hasVectors
  }

  /// Returns the name and the value of a feature: `3:0.5`, or `3` for a binary one that is set.
  private func readFeature(
    _ line: Span<UInt8>, _ field: Range<Int>
  ) throws(Rejection) -> (name: Range<Int>, value: Double) {
    var colon = field.lowerBound
    while colon < field.upperBound, line[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < field.upperBound else {
      guard hasVectors else { return (field, 1) }
      throw Rejection(
        .number, "the feature \"\(text(line, field))\" has no value", at: field.lowerBound)
    }
    guard let value = JSONNumber.double(of: line.extracting(colon + 1..<field.upperBound)) else {
      throw Rejection(
        .number, "the feature \"\(text(line, field))\" is not a number", at: field.lowerBound)
    }
    return (field.lowerBound..<colon, value)
  }

  /// Checks that the displayed article is a candidate and that no name occurs twice.
  private func checkChoices(
    _ line: Span<UInt8>, _ shown: Range<Int>, _ event: inout EventRecord
  ) throws(Rejection) {
    var isCandidate = false
    for (place, choice) in event.choices.enumerated() {
      isCandidate = isCandidate || event.isEqual(choice, event[.variant])
      for other in event.choices[..<place] where event.isEqual(other, choice) {
        throw Rejection(
          .item, "the article \"\(text(line, choice.range))\" is there twice",
          at: Int(choice.start))
      }
    }
    guard isCandidate else {
      throw Rejection(
        .item, "the displayed article \"\(text(line, shown))\" is not one of the candidates",
        at: shown.lowerBound)
    }
    try event.requireNames()
  }

  private func addUnit(_ line: Int, _ event: inout EventRecord) -> EventRecord.Slice {
    let start = event.bytes.count
    event.bytes.append(contentsOf: unitPrefix)
    event.bytes.append(contentsOf: String(line).utf8)
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private static func slice(_ range: Range<Int>) -> EventRecord.Slice {
    EventRecord.Slice(start: range.lowerBound, count: range.count)
  }

  private func text(_ line: Span<UInt8>, _ range: Range<Int>) -> String {
    var text: [UInt8] = []
    for index in range.prefix(40) { text.append(line[index]) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The fields of a line between one or more spaces.
struct LineFields {
  private(set) var position = 0
  private let end: Int

  /// Creates the fields of the bytes from a position up to another.
  init(start: Int = 0, end: Int) {
    position = start
    self.end = end
  }

  /// Returns the range of the next field; nil after the last one.
  mutating func next(_ bytes: [UInt8]) -> Range<Int>? {
    while position < end, bytes[position] == UInt8(ascii: " ") { position += 1 }
    guard position < end else { return nil }
    let start = position
    while position < end, bytes[position] != UInt8(ascii: " ") { position += 1 }
    return start..<position
  }
}
