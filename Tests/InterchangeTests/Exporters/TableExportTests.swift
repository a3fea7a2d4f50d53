import Events
import TestSupport
import Testing

@testable import Interchange

/// The tables that a log is exported as.
struct ExportedTables {
  var files: [String: String] = [:]
  var columns: [String: [String]] = [:]
  var omitted: [String: Int] = [:]

  init(_ events: [Event], _ format: any TableExportFormat.Type) throws {
    var record = EventRecord()
    var names = AttributeNames()
    for event in events {
      try record.load(event)
      names.add(record)
    }
    var exporter = TableExporter(format, names)
    var blocks = [[UInt8]](repeating: [], count: exporter.tables.count)
    exporter.appendHeaders(to: &blocks)
    for event in events {
      try record.load(event)
      _ = exporter.append(record, to: &blocks)
    }
    omitted = exporter.omitted
    for (table, block) in zip(exporter.tables, blocks) {
      files[table.fileName] = String(decoding: block, as: UTF8.self)
      columns[table.fileName] = table.columnNames
    }
  }

  /// Imports a table of `csv` with an entry `FIELD=FIELD` for each column.
  func again(_ name: String) throws -> Imported {
    let mapping = try EventMapping(try #require(columns[name]).map { "\($0)=\($0)" })
    return try Imported(
      try #require(files[name]), name: name, mapping: mapping, keepsPlaceholders: true)
  }
}

extension Imported {
  /// The events, with attributes sorted by their names.
  func typedEvents() throws -> [Event] {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    return try events.map { line in
      try decoder.decode(Array(line.utf8).span, into: &record)
      return try Event(record).reduced
    }
  }
}

extension Attributes {
  /// The attributes sorted by their names; nil if there are none.
  fileprivate var reduced: Attributes? {
    guard !entries.isEmpty else { return nil }
    var sorted = Attributes()
    for entry in entries.sorted(by: { $0.name < $1.name }) { sorted[entry.name] = entry.value }
    return sorted
  }
}

extension Event {
  /// The event without what tables do not have: the system, the instance, fields of other systems, and lists of
  /// attributes that are empty. Attributes are sorted by their names.
  fileprivate var reduced: Event {
    var event = self
    (event.system, event.instance, event.unknownFields) = (nil, nil, JSONMembers(validated: ""))
    switch event.payload {
    case .decision(var decision):
      decision.context = decision.context?.reduced
      var features = Features()
      for entry in decision.features?.entries ?? [] {
        if let attributes = entry.attributes.reduced { features[entry.variant] = attributes }
      }
      decision.features = features.entries.isEmpty ? nil : features
      event.payload = .decision(decision)
    case .goal(var goal):
      goal.metadata = goal.metadata?.reduced
      event.payload = .goal(goal)
    case .conversion(var conversion):
      conversion.metadata = conversion.metadata?.reduced
      event.payload = .conversion(conversion)
    default: break
    }
    return event
  }
}

@Suite("Export as tables of one's own")
struct TableExportTests {
  private static let tables: [(kind: EventKind, file: String)] = [
    (.decision, "decisions.csv"), (.goal, "goals.csv"), (.conversion, "conversions.csv"),
    (.dataPoint, "data_points.csv"),
  ]

  @Test("random logs come back when every column is mapped to its name", arguments: UInt64(0)..<8)
  func random(_ seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let events = generator.events(300)
    let exported = try ExportedTables(events, OwnTable.self)
    for (kind, file) in Self.tables {
      let expected = events.filter { $0.kind == kind }.map(\.reduced)
      let again = try exported.again(file)
      #expect(try again.typedEvents() == expected, "seed \(seed), \(file)")
      #expect(again.rejected.isEmpty && again.ignored.isEmpty, "seed \(seed), \(file)")
    }
    let isLifeCycle = { (event: Event) in event.kind.isLifeCycle }
    let rows = events.filter { !isLifeCycle($0) }
    #expect(
      exported.omitted == [
        "life-cycle events": events.count(where: isLifeCycle),
        "names of the systems and instances that wrote events": rows.count {
          $0.system != nil || $0.instance != nil
        },
        "fields of other systems": rows.count { !$0.unknownFields.text.isEmpty },
      ], "seed \(seed)")
  }

  @Test("texts with separators, quotes, newlines and spaces around them come back")
  func texts() throws {
    let names = ["a,b", "\"", "a\nb", "\r\n", " a ", "a|b", "[1]", "a;b", "\t", "日本", "{\"a\":1}"]
    let events = names.map { name in
      Event(
        time: Timestamp(microseconds: 0), unit: UnitID(name),
        payload: .decision(
          Decision(
            experiment: ExperimentID(name), variant: VariantID(name),
            choices: [VariantID(name), "", "b"], context: [name: .text(name)],
            features: ["b": [name: .text(name)]])))
    }
    let exported = try ExportedTables(events, OwnTable.self)
    let again = try exported.again("decisions.csv")
    #expect(try again.typedEvents() == events)
    for name in names {
      let one = Event(
        time: Timestamp(microseconds: 0), unit: "u",
        payload: .decision(
          Decision(experiment: "e", variant: VariantID(name), choices: [VariantID(name)])))
      let table = try ExportedTables([one], OwnTable.self)
      #expect(try table.again("decisions.csv").typedEvents() == [one], "\(name)")
    }
  }

  @Test("a text that looks like a number or a truth value is one; nothing but that is changed")
  func looks() throws {
    let event = { (values: [AttributeValue]) in
      var attributes = Attributes()
      for (index, value) in values.enumerated() { attributes["a\(index)"] = value }
      return Event(
        time: Timestamp(microseconds: 0), unit: "001",
        payload: .conversion(Conversion(goal: "7", metadata: attributes)))
    }
    let exported = try ExportedTables(
      [event([.text("1"), .text("true"), .text("001"), .text("1e3"), .text("NaN")])],
      OwnTable.self)
    #expect(
      try exported.again("conversions.csv").typedEvents()
        == [event([.number(1), .flag(true), .text("001"), .number(1000), .text("NaN")])])
  }

  @Test("attributes and features that no mapping can name have no column and are counted")
  func noColumn() throws {
    let event = { (context: Attributes, features: Features?) in
      Event(
        time: Timestamp(microseconds: 0), unit: "u",
        payload: .decision(
          Decision(experiment: "e", variant: "a", context: context, features: features)))
    }
    var features = Features()
    features["a"] = ["b.c": 1, "d": 2]
    var dotted = Features()
    dotted["a.b"] = ["c": 3]
    dotted["a"] = ["b": 4]
    let events = [
      event(["": 1, "x": 2], features), event(["*": 1], dotted),
      event(["a=b": 1, "c:": 2, "d": 3], nil),
    ]
    let exported = try ExportedTables(events, OwnTable.self)
    var kept = Features()
    kept["a"] = ["b": 4]
    let expected = [
      event(["x": 2], features), event(Attributes(), kept), event(["d": 3], nil),
    ].map(\.reduced)
    #expect(try exported.again("decisions.csv").typedEvents() == expected)
    #expect(
      exported.omitted == [
        "attributes whose name is empty or *, has an =, or ends in :": 3,
        "features of choices with dots in their names, or without a name": 1,
      ])
  }

  @Test("a log without events has the headers of all tables")
  func empty() throws {
    let exported = try ExportedTables([], OwnTable.self)
    #expect(exported.files.keys.sorted() == Self.tables.map(\.file).sorted())
    #expect(exported.files["data_points.csv"] == "time,unit,id,kind,key,value\n")
    #expect(exported.omitted.isEmpty)
  }
}

@Suite("Export as tables of GrowthBook")
struct GrowthBookExportTests {
  /// What the tables show of an event.
  private struct Row: Hashable {
    var time: Timestamp
    var unit: UnitID
    var name: String
    var what: String
    var value: Double?
    var attributes: Attributes?

    init?(_ event: Event) {
      (time, unit) = (event.time, event.unit)
      switch event.payload {
      case .decision(let decision):
        if decision.status == .excluded || decision.status == .provisional { return nil }
        (name, what) = (decision.experiment.rawValue, decision.variant.rawValue)
        attributes = decision.context?.reduced
      case .goal(let goal):
        if goal.status == .refused { return nil }
        (name, what, value) = ("", goal.goal.rawValue, goal.value)
        var kept = goal.metadata ?? Attributes()
        kept["experiment"] = .text(goal.experiment.rawValue)
        attributes = kept.reduced
      case .conversion(let conversion):
        let isMarked = conversion.negative == true
        if isMarked, (conversion.revenue ?? 0) == 0 { return nil }
        (name, what) = ("", conversion.goal.rawValue)
        value = conversion.revenue.map { isMarked ? -abs($0) : $0 }
        attributes = conversion.metadata?.reduced
      default: return nil
      }
    }
  }

  @Test(
    "random logs: units, times, variants, goals, values and attributes come back",
    arguments: UInt64(0)..<8)
  func random(_ seed: UInt64) throws {
    var generator = EventGenerator(seed: seed)
    let events = generator.events(300)
    let exported = try ExportedTables(events, GrowthBook.self)
    for (file, format, isExposure) in [
      ("exposures.csv", "growthbook", true), ("facts.csv", "growthbook-facts", false),
    ] {
      let again = try Imported(try #require(exported.files[file]), name: file)
      #expect(again.rejected.isEmpty && again.ignored.isEmpty, "seed \(seed), \(format)")
      let expected = events.filter { ($0.kind == .decision) == isExposure }.compactMap(Row.init)
      #expect(try again.typedEvents().compactMap(Row.init) == expected, "seed \(seed), \(format)")
    }
    let rows = events.compactMap(Row.init).count
    #expect(exported.omitted.values.reduce(0, +) == events.count - rows, "seed \(seed)")
  }

  @Test("a negative conversion is a fact below zero, or none without revenue, which is counted")
  func negatives() throws {
    let events = [(-2, nil), (2, true), (nil, true), (0, true), (nil, nil)].map {
      (revenue: Double?, negative: Bool?) in
      Event(
        time: Timestamp(microseconds: 0), unit: "u",
        payload: .conversion(Conversion(goal: "g", revenue: revenue, negative: negative)))
    }
    let exported = try ExportedTables(events, GrowthBook.self)
    let row = "1970-01-01T00:00:00Z,u,g"
    #expect(
      exported.files["facts.csv"] == """
        timestamp,user_id,goal,value,experiment
        \(row),-2,
        \(row),-2,
        \(row),,

        """)
    #expect(exported.omitted == ["negative conversions without revenue": 2])
  }

  @Test("attributes with the name of another column get a prefix, until it is theirs alone")
  func names() throws {
    let event = Event(
      time: Timestamp(microseconds: 0), unit: "u",
      payload: .decision(
        Decision(
          experiment: "e", variant: "a",
          context: ["user_id": 1, "context.user_id": 2, "value": 3, "timestamp": "x"])))
    let fact = Event(
      time: Timestamp(microseconds: 0), unit: "u",
      payload: .conversion(
        Conversion(goal: "g", revenue: 2.5, negative: true, metadata: ["value": 1, "amount": 2])))
    let bare = Event(
      time: Timestamp(microseconds: 0), unit: "u",
      payload: .conversion(Conversion(goal: "g", metadata: ["amount": 2])))
    let below = Event(
      time: Timestamp(microseconds: 0), unit: "u",
      payload: .conversion(Conversion(goal: "g", revenue: -1.5, negative: true)))
    let exported = try ExportedTables([event, fact, bare, below], GrowthBook.self)
    #expect(
      exported.files["facts.csv"] == """
        timestamp,user_id,goal,value,experiment,amount,metadata.value
        1970-01-01T00:00:00Z,u,g,-2.5,,2,1
        1970-01-01T00:00:00Z,u,g,,,2,
        1970-01-01T00:00:00Z,u,g,-1.5,,,

        """)
    let again = try Imported(try #require(exported.files["exposures.csv"]))
    #expect(
      again.events.first?.contains(
        #""context":{"context.user_id":2,"context.timestamp":"x","context.context.user_id":1,"value":3}"#
      ) == true, "\(again.events)")
    let facts = try Imported(try #require(exported.files["facts.csv"]), name: "facts.csv")
    // Without a value: the amount is another column.
    #expect(facts.events.dropLast().last?.contains("revenue") == false)
  }
}
