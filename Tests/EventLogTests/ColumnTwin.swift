import Events
import Testing

@testable import EventLog

/// What the columns of a batch must say of an event: found the naive way, from the event itself.
struct ColumnTwin: Equatable {
  static let columns: EventColumns = [.dataKind, .key, .choices, .probabilities]
  static let selections: [AttributeSelection] = [
    .context("country"), .data, .metadata("long"), .context("ä\"\\"), .metadata("vip"),
    .context("nowhere"), .context("country"), .context("root"), .context("rare"),
    .metadata("note"), .context(""), .metadata("attribute-7"),
  ]

  var dataKind: String?
  var key: String?
  var choices: [String]?
  var probabilities: [Double]?
  /// One for each of the selections; numbers by their bits.
  var attributes: [String?]

  init(_ event: Event) {
    var context: Attributes?
    var metadata: Attributes?
    var data: AttributeValue?
    switch event.payload {
    case .decision(let decision):
      choices = decision.choices?.map(\.rawValue)
      probabilities = decision.probabilities
      context = decision.context
    case .goal(let goal): metadata = goal.metadata
    case .conversion(let conversion): metadata = conversion.metadata
    case .dataPoint(let point):
      (dataKind, key, data) = (point.kind, point.key, point.value)
    default: break
    }
    attributes = Self.selections.map { selection in
      let value =
        switch selection {
        case .context(let name): context?[name]
        case .metadata(let name): metadata?[name]
        case .data: data
        }
      return value.map(Self.describe)
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
    for (codes, count) in columns + [(batch.choices.codes, batch.choices.listCount)] {
      var last: UInt32 = 0
      for code in codes where code > last {
        #expect(code == last + 1, "\(words)")
        last = code
      }
      #expect(Int(last) == count, "\(words)")
    }
  }
}
