import Events

/// Converts the lines of an impression to events.
struct CriteoReader: BlockReader {
  /// The lines of the current impression, with a line feed after each.
  private var bytes: [UInt8] = []
  /// The experiment and a hyphen: the prefix of units.
  private let unitPrefix: [UInt8]
  /// The lines of candidates.
  private var candidates: [Range<Int>] = []

  init(experiment: String) { unitPrefix = Array("\(experiment)-".utf8) }

  /// Returns whether a line is the first one of an impression.
  static func isHeader(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: "example ".utf8) }

  /// Converts the impression to the decisions of its slots and the goals of its clicks.
  mutating func read(_ block: LineBlock, into record: inout ImportedRecord) throws(Rejection) {
    bytes = block.bytes
    candidates = Array(block.lines.dropFirst())
    let header = try CriteoHeader(Array(bytes[block.lines[0]]))
    guard candidates.count == header.candidateCount else {
      throw Rejection(
        .columnCount,
        "\(candidates.count) lines of candidates where the first line says \(header.candidateCount)"
      )
    }
    if let place = bytes.firstIndex(where: { $0 >= 0x80 }) {
      throw Rejection(.encoding, "the impression is not ASCII", at: place)
    }
    let time = Timestamp(microseconds: Int64(block.index) * 1_000_000)
    for slot in 0..<header.slotCount {
      let index = record.add(.decision, at: time)
      try fill(&record.events[index], header, slot: slot)
      try record.requireSize()
    }
    var hasClick = false
    for slot in 0..<candidates.count {
      let isClicked = try isClicked(candidates[slot], header)
      guard isClicked, slot < header.slotCount else { continue }
      hasClick = true
      addGoal(to: &record, header, slot: slot, time)
    }
    guard header.isClicked, !hasClick else { return }
    addGoal(to: &record, header, slot: header.slotCount == 1 ? 0 : nil, time)
  }

  private func fill(
    _ event: inout EventRecord, _ header: CriteoHeader, slot: Int
  ) throws(Rejection) {
    event.bytes.append(contentsOf: bytes)
    event[.experiment] = event.add(unitPrefix.dropLast())
    event[.unit] = addUnit(header, &event)
    for number in 1...candidates.count { event.choices.append(event.add(String(number))) }
    event.hasChoices = true
    event[.variant] = event.choices[slot]
    event[.slot] = event.choices[slot]
    let hash = EventRecord.Slice(start: header.hash.lowerBound, count: header.hash.count)
    event.add(EventRecord.Attribute(name: event.add("hash"), value: .text(hash)), to: .context)
    if header.slotCount == 1 {
      event.propensity = header.propensity
    } else {
      event.add(
        EventRecord.Attribute(
          name: event.add("propensity"), value: .number(header.propensity)), to: .context)
    }
    try addDisplay(header, &event)
    for (place, line) in candidates.enumerated() {
      let start = event.features.count
      addFeatures(line, &event)
      event.featureGroups.append(
        EventRecord.FeatureGroup(
          variant: event.choices[place], count: event.features.count - start))
    }
    event.hasFeatures = true
  }

  /// Adds the features of the banner to the context: `display.1` with its value. One that is there again with another
  /// value is `display.1:value` with the number of times.
  private func addDisplay(_ header: CriteoHeader, _ event: inout EventRecord) throws(Rejection) {
    var fields = LineFields(start: header.features.lowerBound, end: header.features.upperBound)
    while let field = fields.next(bytes) {
      let colon = bytes[field].firstIndex(of: UInt8(ascii: ":")) ?? field.upperBound
      let digits = min(colon + 1, field.upperBound)..<field.upperBound
      guard let value = JSONNumber.double(of: bytes.span.extracting(digits)) else {
        throw Rejection(
          .number, "the feature \"\(text(field))\" must be a number, a colon and a value",
          at: field.lowerBound)
      }
      let name = Self.add("display.", bytes[field.lowerBound..<colon], to: &event)
      guard Self.find(name, in: event.context, event) != nil else {
        event.context.append(EventRecord.Attribute(name: name, value: .number(value)))
        continue
      }
      let whole = Self.add("display.", bytes[field], to: &event)
      let again = Self.find(whole, in: event.context, event)
      if let again, case .number(let count) = event.context[again].value {
        event.context[again].value = .number(count + 1)
      } else {
        event.context.append(EventRecord.Attribute(name: whole, value: .number(1)))
      }
    }
  }

  /// Adds the features of a candidate as the features of a choice.
  private func addFeatures(_ line: Range<Int>, _ event: inout EventRecord) {
    let start = event.features.count
    var fields = LineFields(start: line.lowerBound, end: line.upperBound)
    // The click and the id come first.
    _ = fields.next(bytes)
    _ = fields.next(bytes)
    while let field = fields.next(bytes) {
      let name = EventRecord.Slice(start: field.lowerBound, count: field.count)
      // The same features mostly follow one another.
      let own = event.features[start...]
      if let place = own.lastIndex(where: { event.isEqual($0.name, name) }),
        case .number(let count) = event.features[place].value
      {
        event.features[place].value = .number(count + 1)
      } else {
        event.features.append(EventRecord.Attribute(name: name, value: .number(1)))
      }
    }
  }

  /// Returns whether a candidate was clicked, after checking the beginning of its line.
  private func isClicked(_ line: Range<Int>, _ header: CriteoHeader) throws(Rejection) -> Bool {
    var fields = LineFields(start: line.lowerBound, end: line.upperBound)
    guard let click = fields.next(bytes), let id = fields.next(bytes),
      bytes[id].starts(with: "exid:".utf8),
      bytes[id].dropFirst(5).elementsEqual(bytes[header.id])
    else {
      throw Rejection(
        .event, "a candidate does not begin with a click and exid:\(text(header.id))",
        at: line.lowerBound)
    }
    guard let isClicked = CriteoHeader.flag(bytes[click]) else {
      throw Rejection(
        .click, "the click is \"\(text(click))\" and must be 0 or 1", at: click.lowerBound)
    }
    return isClicked
  }

  private func addGoal(
    to record: inout ImportedRecord, _ header: CriteoHeader, slot: Int?, _ time: Timestamp
  ) {
    let index = record.add(.goal, at: time)
    record.events[index].bytes.append(contentsOf: bytes)
    record.events[index][.experiment] = record.events[index].add(unitPrefix.dropLast())
    record.events[index][.unit] = addUnit(header, &record.events[index])
    if let slot { record.events[index][.slot] = record.events[index].add(String(slot + 1)) }
    record.events[index][.goal] = record.events[index].add("click")
    record.events[index].value = 1
  }

  private func addUnit(_ header: CriteoHeader, _ event: inout EventRecord) -> EventRecord.Slice {
    let start = event.bytes.count
    event.bytes.append(contentsOf: unitPrefix)
    event.bytes.append(contentsOf: bytes[header.id])
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private static func add(
    _ prefix: String, _ name: ArraySlice<UInt8>, to event: inout EventRecord
  ) -> EventRecord.Slice {
    let start = event.bytes.count
    event.bytes.append(contentsOf: prefix.utf8)
    event.bytes.append(contentsOf: name)
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private static func find(
    _ name: EventRecord.Slice, in list: [EventRecord.Attribute], _ event: EventRecord
  ) -> Int? {
    list.firstIndex { event.isEqual($0.name, name) }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(40), as: UTF8.self)
  }
}

/// The first line of an impression.
struct CriteoHeader {
  /// The maximum number of candidates of an impression.
  static let mostCandidates = 10_000

  /// The range of the id.
  let id: Range<Int>
  /// The range of the hash.
  let hash: Range<Int>
  /// The range of the features of the banner.
  let features: Range<Int>
  let isClicked: Bool
  let propensity: Double
  let slotCount: Int
  let candidateCount: Int

  init(_ line: [UInt8]) throws(Rejection) {
    var fields = LineFields(end: line.count)
    guard CriteoReader.isHeader(line[...]), fields.next(line) != nil, let id = fields.next(line),
      line[id].last == UInt8(ascii: ":"), let hash = fields.next(line),
      let click = fields.next(line), let propensity = fields.next(line),
      let slots = fields.next(line), let candidates = fields.next(line)
    else {
      throw Rejection(
        .event,
        "an impression begins with \"example ID: HASH CLICKED PROPENSITY SLOTS CANDIDATES\"")
    }
    (self.id, self.hash) = (id.dropLast(), hash)
    features = fields.position..<line.count
    guard let isClicked = Self.flag(line[click]) else {
      throw Rejection(.click, "the click is \"\(Self.text(line, click))\" and must be 0 or 1")
    }
    self.isClicked = isClicked
    guard let number = JSONNumber.double(of: line.span.extracting(propensity)), number > 0,
      number <= 1
    else {
      throw Rejection(
        .number, "the propensity is \"\(Self.text(line, propensity))\" and must be in (0, 1]")
    }
    self.propensity = number
    slotCount = try Self.count(line, slots, "slots", upTo: 100)
    candidateCount = try Self.count(line, candidates, "candidates", upTo: Self.mostCandidates)
    guard slotCount <= candidateCount else {
      throw Rejection(
        .number, "\(slotCount) slots and only \(candidateCount) candidates")
    }
  }

  /// Returns whether a field is 1; nil if it is neither 0 nor 1.
  static func flag(_ field: ArraySlice<UInt8>) -> Bool? {
    guard field.count == 1, let byte = field.first else { return nil }
    switch byte {
    case UInt8(ascii: "0"): return false
    case UInt8(ascii: "1"): return true
    default: return nil
    }
  }

  private static func count(
    _ line: [UInt8], _ field: Range<Int>, _ what: String, upTo most: Int
  ) throws(Rejection) -> Int {
    guard let count = DigitText.canonicalIndex(line.span.extracting(field)), count > 0,
      count <= most
    else {
      throw Rejection(
        .number,
        "the number of \(what) is \"\(text(line, field))\" and must be a whole number from 1 to \(most)"
      )
    }
    return count
  }

  private static func text(_ line: [UInt8], _ range: Range<Int>) -> String {
    String(decoding: line[range].prefix(40), as: UTF8.self)
  }
}
