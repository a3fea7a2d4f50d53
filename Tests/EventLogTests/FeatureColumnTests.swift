import Events
import TestSupport
import Testing

@testable import EventLog

@Suite("Columns of the features of variants")
struct FeatureColumnTests {
  private static func event(_ number: Int, _ features: Features?) -> Event {
    Event(
      time: Timestamp(microseconds: Int64(number)), unit: "u",
      payload: .decision(
        Decision(experiment: "e", variant: "v0", choices: ["v0", "v1", "v2"], features: features)))
  }

  /// The lists of each row, as texts.
  private static func lists(
    _ reader: LogReader, _ names: [String]
  ) throws -> [[[String]]] {
    let variants = try LogNames(reader, [.variants])
    var rows: [[[String]]] = []
    try reader.forEachBatch([], names.map { .features($0) }) { batch in
      for row in 0..<batch.count {
        rows.append(
          batch.features.map { column in
            let list = column.codes[row]
            return zip(column.variants(of: list), column.values(of: list)).map {
              let name = variants.string($0, in: .variants) ?? "?"
              return "\(name) \(column.values.value($1).map(ColumnTwin.describe) ?? "?")"
            }
          })
      }
    }
    return rows
  }

  /// Random features: few values, so that lists repeat, of every type, with variants and attributes left out, and now
  /// and then too many for a shape.
  private static func features(_ random: inout SeededGenerator) -> Features? {
    guard random.chance(0.9) else { return nil }
    var features = Features()
    let isWide = random.chance(0.03)
    for number in 0..<(isWide ? 1_500 : 4) where random.chance(0.7) {
      var own = Attributes()
      for name in ["price", "brand", "new", "rank"] where random.chance(0.6) {
        own[name] =
          switch random.index(4) {
          case 0: .number(Double(random.index(3)) / 2)
          case 1: .text(["a", "b", String(repeating: "long", count: 20)][random.index(3)])
          case 2: .flag(random.chance(0.5))
          default: .integer(1 << 60 + Int64(random.index(2)))
          }
      }
      features[VariantID("v\(number)")] = own
    }
    return features
  }

  @Test("match the events", arguments: 0..<12 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let all = (0..<1_500).map { VariantID("v\($0)") }
    var events: [[Event]] = []
    for batch in 0..<4 {
      // Every variant is a choice of the first decision, so that it has a code.
      var first = Self.event(0, nil)
      if batch == 0 {
        first = Event(
          time: first.time, unit: "u",
          payload: .decision(Decision(experiment: "e", variant: "v0", choices: all)))
      }
      events.append([first])
      for number in 0..<random.index(60) {
        events[batch].append(Self.event(number, Self.features(&random)))
      }
    }
    let log = try SmallLog(events, seed: seed)
    let names = ["price", "rank", "nowhere", "price"]
    let expected = log.events.map { event -> [[String]] in
      guard case .decision(let decision) = event.payload else { return [] }
      return names.map { name in
        (decision.features ?? Features()).entries.compactMap { entry in
          entry.attributes[name].map { "\(entry.variant) \(ColumnTwin.describe($0))" }
        }
      }
    }
    #expect(try Self.lists(try log.reader(), names) == expected, "seed \(seed)")
  }

  @Test("equal lists of a batch share a number, and each batch numbers its lists anew")
  func shared() throws {
    let lists: [Features?] = [
      ["v0": ["price": 1], "v1": ["price": 2]], ["v0": ["price": 1], "v2": ["price": 2]],
      nil, ["v0": ["price": 1, "brand": "x"], "v1": ["price": 2]], ["v0": ["price": 1]],
      ["v1": ["brand": "x"]], [:], ["v1": ["price": 2], "v0": ["price": 1]],
      ["v0": ["price": 1], "v1": ["price": 2]],
    ]
    let events = lists.enumerated().map { Self.event($0.offset, $0.element) }
    let log = try SmallLog([events, Array(events[4...])])
    var codes: [[UInt32]] = []
    try log.reader().forEachBatch([], [.features("price")]) { batch in
      let column = batch.features[0]
      codes.append(column.codes)
      #expect(batch.attributes.isEmpty && column.values.valueCount == 2)
      for beyond in [0, UInt32(column.listCount) + 1, .max] {
        #expect(column.variants(of: beyond).isEmpty && column.values(of: beyond).isEmpty)
      }
    }
    #expect(codes == [[1, 2, 0, 1, 3, 0, 0, 4, 1], [1, 0, 0, 2, 3]])
  }

  @Test("features stored in the frame itself leave out variants without a code in the log")
  func literals() throws {
    var wide = Features()
    for number in 0..<3_000 {
      wide[VariantID("v\(number)")] = ["price": .number(Double(number))]
    }
    let log = try SmallLog([[Self.event(0, wide), Self.event(1, ["v1": ["price": 1]])]])
    #expect(
      try Self.lists(try log.reader(), ["price"]) == [
        [
          [
            "v0 \(ColumnTwin.describe(.number(0)))", "v1 \(ColumnTwin.describe(.number(1)))",
            "v2 \(ColumnTwin.describe(.number(2)))",
          ]
        ],
        [["v1 \(ColumnTwin.describe(.number(1)))"]],
      ])
  }

  @Test("of repeated variants and names the first counts, as in an event")
  func twice() throws {
    let disk = MemoryDisk()
    var random = SeededGenerator(seed: 3)
    do {
      let writer = try LogWriter("log", options: LogOptions(seed: 1), disk: disk)
      for number in 0..<200 {
        var record = EventRecord(kind: .decision, time: Timestamp(microseconds: Int64(number)))
        record[.unit] = record.add("u")
        record[.experiment] = record.add("e")
        record[.variant] = record.add("v\(number % 3)")
        record.hasFeatures = true
        let names = [record.add("a"), record.add("b")]
        for _ in 0..<random.index(5) {
          let count = random.index(4)
          record.featureGroups.append(
            EventRecord.FeatureGroup(variant: record.add("v\(random.index(3))"), count: count))
          for _ in 0..<count {
            let value: EventRecord.Value =
              switch random.index(3) {
              case 0: .number(Double(random.index(5)))
              case 1: .text(record.add("t\(random.index(5))"))
              default: .flag(random.chance(0.5))
              }
            record.features.append(
              EventRecord.Attribute(name: names[random.index(2)], value: value))
          }
        }
        try writer.append(parsed: record)
      }
      try writer.commit()
    }
    let reader = try LogReader("log", disk: disk)
    var expected: [[[String]]] = []
    try reader.forEachEvent { record, _ in
      guard case .decision(let decision) = try Event(record).payload else { return }
      var seen: Set<VariantID> = []
      var own: [String] = []
      for entry in (decision.features ?? Features()).entries
      where seen.insert(entry.variant).inserted {
        guard let value = entry.attributes["a"] else { continue }
        own.append("\(entry.variant) \(ColumnTwin.describe(value))")
      }
      expected.append([own])
    }
    #expect(try Self.lists(reader, ["a"]) == expected && expected.count == 200)
  }
}
