import Events
import Testing

@testable import EventLog

/// What the columns of a batch must say of an event: found the naive way, from the event itself.
struct ColumnTwin: Equatable {
  static let columns: EventColumns = [.dataKind, .key, .choices, .probabilities]
  static let selections: [AttributeSelection] = [
    .context("country"), .data, .metadata("long"), .context("ä\"\\"), .metadata("vip"),
    .context("nowhere"), .context("country"), .context("root"), .context("rare"),
    .metadata("note"), .context(""), .metadata("attribute-7"), .features("country"),
    .features("price"), .features("long"), .context("age"), .features("nowhere"), .features("age"),
    .features("country"), .features("ä\"\\"),
  ]

  var dataKind: String?
  var key: String?
  var choices: [String]?
  var probabilities: [Double]?
  /// One for each of the selections of contexts, metadata and data; numbers by their bits.
  var attributes: [String?]
  /// For each of the selections of features the variants that have one, in order, and its value.
  var features: [[String]]

  init(_ event: Event) {
    var context: Attributes?
    var metadata: Attributes?
    var data: AttributeValue?
    var features: Features?
    switch event.payload {
    case .decision(let decision):
      choices = decision.choices?.map(\.rawValue)
      probabilities = decision.probabilities
      context = decision.context
      features = decision.features
    case .goal(let goal): metadata = goal.metadata
    case .conversion(let conversion): metadata = conversion.metadata
    case .dataPoint(let point):
      (dataKind, key, data) = (point.kind, point.key, point.value)
    default: break
    }
    (attributes, self.features) = ([], [])
    for selection in Self.selections {
      switch selection {
      case .context(let name): attributes.append(context?[name].map(Self.describe))
      case .metadata(let name): attributes.append(metadata?[name].map(Self.describe))
      case .data: attributes.append(data.map(Self.describe))
      case .features(let name):
        self.features.append(
          (features ?? Features()).entries.compactMap { entry in
            entry.attributes[name].map { "\(entry.variant): \(Self.describe($0))" }
          })
      }
    }
  }

  /// What the columns say of a row.
  init(_ batch: EventBatch, row: Int, _ names: LogNames) {
    dataKind = names.string(batch.dataKinds[row], in: .dataKinds)
    key = names.string(batch.keys[row], in: .keys)
    let list = batch.choices.codes[row]
    if list != 0 {
      choices = batch.choices.variants(of: list).map { names.string($0, in: .variants) ?? "?" }
    }
    probabilities = batch.probabilities[row].map { Array($0) }
    attributes = batch.attributes.map { $0.value($0.codes[row]).map(Self.describe) }
    features = batch.features.map { column in
      let list = column.codes[row]
      return zip(column.variants(of: list), column.values(of: list)).map { variant, number in
        let value = column.values.value(number).map(Self.describe)
        return "\(names.string(variant, in: .variants) ?? "?"): \(value ?? "?")"
      }
    }
  }

  static func describe(_ value: AttributeValue) -> String {
    if case .number(let number) = value { return "number \(number.bitPattern)" }
    return "\(value)"
  }

  /// Reads the columns of a log, and compares each row with the event of its position.
  ///
  /// - Returns: The positions of the rows with an event.
  static func compare(
    _ reader: LogReader, with events: [Event], _ words: String
  ) throws -> Set<UInt64> {
    let names = try LogNames(reader, [.dataKinds, .keys, .variants])
    var read: Set<UInt64> = []
    try reader.forEachBatch(columns, selections) { batch in
      for row in 0..<batch.count where EventKind(rawValue: batch.kinds[row]) != nil {
        let position = batch.basePosition + UInt64(row)
        let (found, expected) = (Self(batch, row: row, names), Self(events[Int(position)]))
        #expect(found == expected, "\(words), event \(position)")
        read.insert(position)
      }
      checkNumbers(batch, words)
    }
    return read
  }

  /// Values and lists are numbered in the order in which they come first.
  private static func checkNumbers(_ batch: EventBatch, _ words: String) {
    let columns = batch.attributes.map { ($0.codes, $0.valueCount) }
    let lists = batch.features.map { ($0.codes, $0.listCount) }
    for (codes, count) in columns + lists + [(batch.choices.codes, batch.choices.listCount)] {
      var last: UInt32 = 0
      for code in codes where code > last {
        #expect(code == last + 1, "\(words)")
        last = code
      }
      #expect(Int(last) == count, "\(words)")
    }
  }
}
