import Events

/// The Open Bandit Dataset as it is published (Y. Saito, S. Aihara, M. Matsutani, Y. Narita, "Open
/// Bandit Dataset and Pipeline", arXiv:2008.07146): one decision per row, and after it a goal where
/// the item was clicked.
///
/// | column | becomes |
/// |---|---|
/// | (no name) | the row number of the unit `<experiment>-<row number>`; without it, the record's number from 0 |
/// | `timestamp` | the time of both events: ISO 8601 with offset, or a number since 1970 |
/// | `item_id` | the variant; with affinity columns one of the choices |
/// | `position` | the slot |
/// | `click` | 1: a goal `click` of value 1, at the same time, directly after its decision; 0: none |
/// | `propensity_score` or `action_prob` | the propensity |
/// | `user-item_affinity_<k>` | the choices `0`...`K-1`; where it is not 0, the feature `user-item_affinity` of choice k |
/// | any other | context, as text; an empty field is left out |
///
/// The columns of `item_context.csv`, where it is given, are features of every choice.
public struct OpenBanditSource: RecordSource {
  private var csv: CSVReader
  private let columns: OpenBanditColumns
  private let template: OpenBanditTemplate
  /// The experiment and a hyphen: what units begin with.
  private let unitPrefix: [UInt8]
  /// How many rows were read, rejected ones included.
  private var rows = 0
  private var affinities: [(item: Int, value: Double)] = []
  /// The last propensity: a uniformly random log has the same one in every row.
  private var lastPropensity: (text: [UInt8], value: Double) = ([], 0)

  /// Reads the header of a source.
  ///
  /// - Parameters:
  ///   - source: The rows.
  ///   - experiment: The name of the experiment.
  ///   - itemsPath: The `item_context.csv` with the features of the items.
  /// - Throws: ``ImportError``.
  package init(
    _ source: ByteSource, experiment: String, itemsPath: String? = nil
  ) throws(ImportError) {
    csv = CSVReader(source)
    guard let header = try csv.texts() else {
      throw ImportError(.badData, "\(csv.source.name): the file is empty; it must have a header")
    }
    columns = try OpenBanditColumns(header: header, name: csv.source.name)
    let items = if let itemsPath { try OpenBanditItems(path: itemsPath) } else { OpenBanditItems() }
    template = OpenBanditTemplate(experiment: experiment, columns: columns, items: items)
    unitPrefix = Array("\(experiment)-".utf8)
  }

  /// How messages call the input.
  public var name: String { csv.source.name }

  /// How far the input was read.
  public var progress: SourceProgress {
    SourceProgress(csv.source, blankLines: csv.blankLines)
  }

  /// Reads the next row.
  public mutating func next(_ record: inout ImportedRecord) throws(ImportError) -> RecordStep {
    switch try csv.next() {
    case .end: return .end
    case .malformed(let reason, let offset):
      rows += 1
      return rejected(Refusal(.quoting, reason), at: offset)
    case .record:
      rows += 1
      record.begin(line: csv.line, byteOffset: csv.offset)
      do throws(Refusal) {
        try read(&record)
        return .record
      } catch {
        return rejected(error, at: csv.offset)
      }
    }
  }

  private func rejected(_ refusal: Refusal, at offset: Int64) -> RecordStep {
    .rejected(
      RejectedRecord(
        line: csv.line, byteOffset: offset, category: refusal.category, reason: refusal.reason,
        bytes: Array(csv.source.bytes[csv.rawRange])))
  }
}

/// Why a row is refused.
private struct Refusal: Error {
  var category: RejectionCategory
  var reason: String

  init(_ category: RejectionCategory, _ reason: String) {
    self.category = category
    self.reason = reason
  }
}

extension OpenBanditSource {
  private mutating func read(_ record: inout ImportedRecord) throws(Refusal) {
    guard csv.fields.count == columns.count else {
      throw Refusal(
        .columnCount, "\(csv.fields.count) fields where the header has \(columns.count)")
    }
    guard csv.isASCII || UTF8Check.isValid(csv.row) else {
      throw Refusal(.encoding, "the row is not UTF-8")
    }
    let time = try readTime()
    let choice = try readItem()
    guard NumberText.isWhole(csv.row.span.extracting(csv.fields[columns.position])) else {
      throw refusal(.number, "position", columns.position, "must be a whole number")
    }
    let propensity = try readPropensity()
    let isClicked = try readClick()
    try readAffinities()
    if let row = columns.row, csv.fields[row].isEmpty {
      throw Refusal(.number, "the row number in column \(row + 1) is empty")
    }
    let decision = record.add(.decision, at: time)
    record.events[decision].propensity = propensity
    fillDecision(&record.events[decision], choice: choice)
    guard isClicked else { return }
    let goal = record.add(.goal, at: time)
    fillGoal(&record.events[goal])
  }

  private func readTime() throws(Refusal) -> Timestamp {
    let text = csv.row.span.extracting(csv.fields[columns.time])
    if let time = Timestamp(iso8601: text) { return time }
    if NumberText.isWhole(text) {
      let digits = String(decoding: csv.row[csv.fields[columns.time]], as: UTF8.self)
      if let time = Int64(digits).flatMap({ Timestamp(sinceEpoch: $0) }) { return time }
    } else if let time = NumberText.double(text).flatMap({ Timestamp(sinceEpoch: $0) }) {
      return time
    }
    throw refusal(
      .time, "timestamp", columns.time, "must be like 2019-11-24 00:03:13.442536+00:00")
  }

  /// The chosen item's number among the choices; nil when the choices are unknown.
  private func readItem() throws(Refusal) -> Int? {
    let field = csv.fields[columns.item]
    guard !field.isEmpty else { throw Refusal(.item, "item_id is empty") }
    let count = template.choices.count
    guard count > 0 else { return nil }
    guard let item = NumberText.canonicalIndex(csv.row.span.extracting(field)), item < count
    else {
      throw refusal(
        .item, "item_id", columns.item,
        "must be a whole number below \(count), the number of affinity columns")
    }
    return item
  }

  private mutating func readPropensity() throws(Refusal) -> Double {
    let field = csv.fields[columns.propensity]
    if field.count == lastPropensity.text.count, !field.isEmpty,
      csv.row[field].elementsEqual(lastPropensity.text)
    {
      return lastPropensity.value
    }
    guard let value = NumberText.double(csv.row.span.extracting(field)) else {
      throw refusal(.number, columns.propensityName, columns.propensity, "must be a number")
    }
    lastPropensity = (Array(csv.row[field]), value)
    return value
  }

  private func readClick() throws(Refusal) -> Bool {
    let value = NumberText.double(csv.row.span.extracting(csv.fields[columns.click]))
    guard value == 0 || value == 1 else {
      throw refusal(.click, "click", columns.click, "must be 0 or 1")
    }
    return value == 1
  }

  private mutating func readAffinities() throws(Refusal) {
    affinities.removeAll(keepingCapacity: true)
    for item in columns.affinities.indices {
      let field = csv.fields[columns.affinities[item]]
      if isZero(field) { continue }
      guard let value = NumberText.double(csv.row.span.extracting(field)) else {
        throw refusal(
          .number, "\(OpenBanditColumns.affinityPrefix)\(item)", columns.affinities[item],
          "must be a number")
      }
      if value != 0 { affinities.append((item, value)) }
    }
  }

  /// Whether the field is `0.0`, as nearly every affinity is written.
  private func isZero(_ field: Range<Int>) -> Bool {
    let start = field.lowerBound
    return field.count == 3 && csv.row[start] == UInt8(ascii: "0")
      && csv.row[start + 1] == UInt8(ascii: ".") && csv.row[start + 2] == UInt8(ascii: "0")
  }

  private func refusal(
    _ category: RejectionCategory, _ name: String, _ column: Int, _ remedy: String
  ) -> Refusal {
    // A field may be as long as the file: only its start says enough.
    let text = String(decoding: csv.row[csv.fields[column].prefix(40)], as: UTF8.self)
    return Refusal(category, "\(name) is \"\(text)\" and \(remedy)")
  }
}

extension OpenBanditSource {
  private func fillDecision(_ event: inout EventRecord, choice: Int?) {
    event.bytes.append(contentsOf: template.bytes)
    event[.experiment] = template.experiment
    event[.unit] = addUnit(&event)
    event[.slot] = add(columns.position, to: &event)
    event[.variant] = choice.map { template.choices[$0] } ?? add(columns.item, to: &event)
    if !template.choices.isEmpty {
      event.hasChoices = true
      event.choices.append(contentsOf: template.choices)
    }
    for (index, context) in columns.context.enumerated() where !csv.fields[context.column].isEmpty {
      event.hasContext = true
      event.context.append(
        EventRecord.Attribute(
          name: template.contextNames[index], value: .text(add(context.column, to: &event))))
    }
    if choice == nil {
      fillItemFeatures(&event)
    } else {
      fillFeatures(&event)
    }
  }

  private func fillGoal(_ event: inout EventRecord) {
    event[.experiment] = event.add(unitPrefix.dropLast())
    event[.unit] = addUnit(&event)
    event[.goal] = event.add("click")
    event.value = 1
  }

  private func addUnit(_ event: inout EventRecord) -> EventRecord.Slice {
    let start = event.bytes.count
    event.bytes.append(contentsOf: unitPrefix)
    if let row = columns.row {
      event.bytes.append(contentsOf: csv.row[csv.fields[row]])
    } else {
      event.bytes.append(contentsOf: String(rows - 1).utf8)
    }
    return EventRecord.Slice(start: start, count: event.bytes.count - start)
  }

  private func add(_ column: Int, to event: inout EventRecord) -> EventRecord.Slice {
    let field = csv.fields[column]
    let start = event.bytes.count
    event.bytes.append(contentsOf: csv.row[field])
    return EventRecord.Slice(start: start, count: field.count)
  }

  /// The features of every choice that has any: its affinity, then those of the item.
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

  /// The features of the chosen item, where the other choices are not known.
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
