import Events

/// Reads the rows of an Open Bandit file.
struct OpenBanditReader: CSVRowReader, PieceReader {
  var times = InputTimes()
  private let columns: OpenBanditColumns
  private let template: OpenBanditTemplate
  private let experiment: [UInt8]
  /// The prefix of units, before their number.
  private let unitPrefix: [UInt8]
  private var affinities: [(item: Int, value: Double)] = []
  /// The last propensity: in a uniformly random log it is the same in every row.
  private var lastPropensity: (text: [UInt8], value: Double) = ([], 0)

  init(experiment: String, _ columns: OpenBanditColumns, _ items: OpenBanditItems) {
    self.columns = columns
    template = OpenBanditTemplate(experiment: experiment, columns: columns, items: items)
    self.experiment = Array(experiment.utf8)
    unitPrefix = Array("\(experiment)-".utf8)
  }

  mutating func read(_ row: CSVReader, into record: inout ImportedRecord) throws(Rejection) {
    let time = try readTime(row)
    let choice = try readItem(row)
    guard DigitText.isWhole(row.bytes.span.extracting(row.fields[columns.position])) else {
      throw rejection(row, .number, "position", columns.position, "must be a whole number")
    }
    let propensity = try readPropensity(row)
    let isClicked = try readClick(row)
    try readAffinities(row)
    if let number = columns.row, row.fields[number].isEmpty {
      throw Rejection(.number, "the row number in column \(number + 1) is empty")
    }
    let decision = record.add(.decision, at: time)
    record.events[decision].propensity = propensity
    fillDecision(row, &record.events[decision], choice: choice)
    guard isClicked else { return }
    let goal = record.add(.goal, at: time)
    fillGoal(row, &record.events[goal])
  }

  private func readTime(_ row: CSVReader) throws(Rejection) -> Timestamp {
    guard let time = row.time(columns.time) else {
      throw rejection(
        row, .time, "timestamp", columns.time, "must be like 2019-11-24 00:03:13.442536+00:00")
    }
    return time
  }

  /// Returns the chosen item's index among the choices; nil if the choices are unknown.
  private func readItem(_ row: CSVReader) throws(Rejection) -> Int? {
    let field = row.fields[columns.item]
    guard !field.isEmpty else { throw Rejection(.item, "item_id is empty") }
    let count = template.choices.count
    guard count > 0 else { return nil }
    guard let item = DigitText.canonicalIndex(row.bytes.span.extracting(field)), item < count
    else {
      throw rejection(
        row, .item, "item_id", columns.item,
        "must be a whole number below \(count), the number of affinity columns")
    }
    return item
  }

  private mutating func readPropensity(_ row: CSVReader) throws(Rejection) -> Double {
    let field = row.fields[columns.propensity]
    if field.count == lastPropensity.text.count, !field.isEmpty,
      row.bytes[field].elementsEqual(lastPropensity.text)
    {
      return lastPropensity.value
    }
    guard let value = JSONNumber.double(of: row.bytes.span.extracting(field)) else {
      throw rejection(row, .number, columns.propensityName, columns.propensity, "must be a number")
    }
    lastPropensity = (Array(row.bytes[field]), value)
    return value
  }

  private func readClick(_ row: CSVReader) throws(Rejection) -> Bool {
    let value = row.number(columns.click)
    guard value == 0 || value == 1 else {
      throw rejection(row, .click, "click", columns.click, "must be 0 or 1")
    }
    return value == 1
  }

  private mutating func readAffinities(_ row: CSVReader) throws(Rejection) {
    affinities.removeAll(keepingCapacity: true)
    for item in columns.affinities.indices {
      let field = row.fields[columns.affinities[item]]
      if isZero(row, field) { continue }
      guard let value = JSONNumber.double(of: row.bytes.span.extracting(field)) else {
        throw rejection(
          row, .number, "\(OpenBanditColumns.affinityPrefix)\(item)", columns.affinities[item],
          "must be a number")
      }
      if value != 0 { affinities.append((item, value)) }
    }
  }

  /// Returns whether the field is `0.0`, the text of nearly every affinity.
  private func isZero(_ row: CSVReader, _ field: Range<Int>) -> Bool {
    let start = field.lowerBound
    return field.count == 3 && row.bytes[start] == UInt8(ascii: "0")
      && row.bytes[start + 1] == UInt8(ascii: ".") && row.bytes[start + 2] == UInt8(ascii: "0")
  }

  private func rejection(
    _ row: CSVReader, _ category: RejectionCategory, _ name: String, _ column: Int, _ remedy: String
  ) -> Rejection {
    // A field may be as long as the file: its beginning is enough.
    let text = String(decoding: row.bytes[row.fields[column].prefix(40)], as: UTF8.self)
    return Rejection(category, "\(name) is \"\(text)\" and \(remedy)")
  }
}

extension OpenBanditReader {
  private func fillDecision(_ row: CSVReader, _ event: inout EventRecord, choice: Int?) {
    event.bytes.append(contentsOf: template.bytes)
    event[.experiment] = template.experiment
    event[.unit] = addUnit(row, &event)
    event[.slot] = add(row, columns.position, to: &event)
    event[.variant] = choice.map { template.choices[$0] } ?? add(row, columns.item, to: &event)
    if !template.choices.isEmpty {
      event.hasChoices = true
      event.choices.append(contentsOf: template.choices)
    }
    for (index, context) in columns.context.enumerated() where !row.fields[context.column].isEmpty {
      event.hasContext = true
      event.context.append(
        EventRecord.Attribute(
          name: template.contextNames[index], value: .text(add(row, context.column, to: &event))))
    }
    if choice == nil {
      fillItemFeatures(&event)
    } else {
      fillFeatures(&event)
    }
  }

  private func fillGoal(_ row: CSVReader, _ event: inout EventRecord) {
    event[.experiment] = event.add(experiment[...])
    event[.unit] = addUnit(row, &event)
    event[.goal] = event.add("click")
    event.value = 1
  }

  private func addUnit(_ row: CSVReader, _ event: inout EventRecord) -> EventRecord.Slice {
    let start = event.bytes.count
    event.bytes.append(contentsOf: unitPrefix)
    if let number = columns.row {
      event.bytes.append(contentsOf: row.bytes[row.fields[number]])
    } else {
      // The header is the first record.
      event.bytes.append(contentsOf: String(row.number - 2).utf8)
    }
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private func add(_ row: CSVReader, _ column: Int, to event: inout EventRecord)
    -> EventRecord.Slice
  {
    let field = row.fields[column]
    let start = event.bytes.count
    event.bytes.append(contentsOf: row.bytes[field])
    return EventRecord.Slice(start: start, count: field.count)
  }

  /// Adds the features of every choice that has any: its affinity, then those of the item.
  private func fillFeatures(_ event: inout EventRecord) {
    guard !template.choiceFeatures.isEmpty else {
      for (item, value) in affinities { addGroup(&event, item, affinity: value, features: []) }
      return
    }
    var next = 0
    for (item, features) in template.choiceFeatures.enumerated() {
      var affinity: Double?
      if next < affinities.count, affinities[next].item == item {
        affinity = affinities[next].value
        next += 1
      }
      addGroup(&event, item, affinity: affinity, features: features)
    }
  }

  private func addGroup(
    _ event: inout EventRecord, _ item: Int, affinity: Double?,
    features: [EventRecord.Attribute]
  ) {
    let count = features.count + (affinity == nil ? 0 : 1)
    guard count > 0 else { return }
    event.hasFeatures = true
    event.featureGroups.append(
      EventRecord.FeatureGroup(variant: template.choices[item], count: count))
    if let affinity {
      event.features.append(
        EventRecord.Attribute(name: template.affinityName, value: .number(affinity)))
    }
    event.features.append(contentsOf: features)
  }

  /// Adds the features of the chosen item, if the other choices are unknown.
  private func fillItemFeatures(_ event: inout EventRecord) {
    guard !template.itemFeatures.isEmpty,
      let features = template.itemFeatures[event.string(.variant) ?? ""], !features.isEmpty
    else { return }
    event.hasFeatures = true
    event.featureGroups.append(
      EventRecord.FeatureGroup(variant: event[.variant], count: features.count))
    event.features.append(contentsOf: features)
  }
}
