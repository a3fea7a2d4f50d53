import Specifications
import TestSupport
import Testing

@testable import Interchange

/// Rows whose columns are found once in the header, against rows in which every column is searched by its name.
@Suite("Columns of a mapping, found in the header")
struct MappedColumnsTests {
  /// Reads rows by a mapping without looking at the header.
  private struct SearchingReader: FieldReader {
    var reader: MappedReader

    mutating func read(
      _ fields: inout FieldTree, into record: inout ImportedRecord
    ) throws(Rejection) {
      try reader.read(&fields, into: &record)
    }
  }

  @Test(
    "random tables and mappings give the same events and rejects as a search in each row",
    arguments: UInt64(0)..<10)
  func random(_ seed: UInt64) throws {
    var table = RandomTable(seed: seed)
    var events = 0
    for number in 0..<400 {
      let (entries, text) = table.next()
      guard let mapping = try? EventMapping(entries) else { continue }
      let reader = MappedReader(mapping, experiment: "e")
      let found = try FuzzedImport(text, portion: 100) { (input) throws(ImportError) in
        try OwnTable.open(input, reader)
      }
      let searched = try FuzzedImport(text, portion: 1_000) { (input) throws(ImportError) in
        try OwnTable.open(input, SearchingReader(reader: reader))
      }
      try #require(
        found == searched,
        "seed \(seed), table \(number): \(entries)\n\(String(decoding: text, as: UTF8.self))")
      events += found.accepted.reduce(0) { $0 + $1.count }
    }
    #expect(events > 400, "seed \(seed)")
  }

  @Test("only the columns that events need are read, and all if one keeps the others")
  func needed() throws {
    let header = try CSVHeader(["t", "u", "v", "x", "props", "a.b"], inputName: "table.csv")
    for (entries, columns) in [
      (["time=t", "unit=u", "variant=v"], [0, 1, 2]),
      (["time=t", "unit=u", "goal=props.goal", "value:=1"], [0, 1, 4]),
      (["time=t", "unit=u", "each=v,x", "goal={column}", "value={value}"], [0, 1, 2, 3]),
      (["time=t", "unit=u", "variant=a.b", "context.*=*"], nil),
    ] as [([String], [Int]?)] {
      var reader = MappedReader(try EventMapping(entries), experiment: "e")
      try reader.check(header)
      #expect(reader.columnsRead == columns)
    }
  }
}

/// Tables with names, cells and mappings of all kinds, a few of them damaged.
struct RandomTable {
  private static let names = [
    "t", "at", "u", "v", "n", "m", "props", "list", "probs", "kind", "state", "flag", "id", "props.plan",
  ]
  private static let cells = [
    ["2026-01-05", "1767607200", "2026-01-05 10:00:00", "2026-01-05T10:00:00Z", "20260105", "yesterday", ""],
    ["u1", "user-2", "", "NULL", " undefined ", "\u{E4}"],
    ["1", "0", "2.5", "true", "-3", "12345678901234567890", "x", "", "FALSE"],
    [
      #"{"plan":"pro","n":1}"#, "[1,2]", "{}", "{bad", #"{"plan":{"a":[1]}}"#, #""{\"plan\":\"x\"}""#, "",
      #"[{"n":"plan","v":{"int_n":"1"}},{"n":"m"}]"#,
    ],
    ["a|b", "0.5;0.5", "a,,b", #"["a","b"]"#, #"["a",null]"#, "", "0.5"],
    ["decision", "goal", "conversion", "dataPoint", "other", ""],
    ["accepted", "a", "b", "a \"quoted\"\ntext", "", "refused"],
  ]

  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.index(elements.count)]
  }

  /// Returns the entries of a mapping, and a table with most of its columns.
  mutating func next() -> (entries: [String], text: [UInt8]) {
    var names = Self.names.shuffled(using: &random).filter { name in
      ["t", "u", "v", "props"].contains(name) || random.chance(0.7)
    }
    if random.chance(0.1) { names += (0..<70).map { "w\($0)" } }
    if random.chance(0.1) { names.append("") }
    let columns = names.filter { !$0.isEmpty } + ["props.plan", "props.n"]
    let entries = (0..<pick([1, 1, 2, 3])).flatMap { event(at: $0, columns) }
    if random.chance(0.1) { names = names.map { $0.uppercased() } }
    let separator = pick([",", "\t", ";"])
    var text = names.map { cell($0, separator) }.joined(separator: separator) + "\n"
    let count = text.utf8.count
    let typical = pick([0.5, 0.9, 1])
    for _ in 0..<random.index(12) {
      var row = names.map { cell(content(of: $0.lowercased(), typical), separator) }
      if random.chance(0.03) { row.removeLast() }
      text += row.joined(separator: separator) + (random.chance(0.1) ? "\r\n" : "\n")
    }
    var bytes = Array(text.utf8)
    if random.chance(0.05), count < bytes.count {
      bytes[count + random.index(bytes.count - count)] = pick([0xFF, 0x22])
    }
    return (entries, bytes)
  }

  private mutating func content(of name: String, _ typical: Double) -> String {
    let places = [
      "t": 0, "at": 0, "u": 1, "n": 2, "m": 2, "flag": 2, "props": 3, "list": 4, "probs": 4, "kind": 5,
    ]
    let cells = Self.cells[places[name] ?? 6]
    return random.chance(typical) ? pick(Array(cells.prefix(2))) : pick(cells)
  }

  private mutating func cell(_ text: String, _ separator: String) -> String {
    let isPlain = !text.contains(separator) && !text.contains("\"") && !text.contains("\n")
    guard !isPlain || random.chance(0.03) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Returns the entries of an event; `requireSense` refuses few of them.
  private mutating func event(at index: Int, _ columns: [String]) -> [String] {
    var fields = [
      "id=id", "experiment=v", "point:=home", "slot=\(pick(columns))", pick(["when=flag", "when=v==a | accepted"]),
      pick(["unless=flag", "unless=props.plan == pro", "unless=v == *"]),
      pick(["reason=v", "reason=\(pick(columns)) | v"]),
      "status=state",
    ].filter { _ in random.chance(0.15) }
    if index == 0, random.chance(0.3) { fields.append("members.props=n,v.int_n | v") }
    if index == 0 || random.chance(0.3) {
      fields += [pick(["time=t", "time=at", "time:=2026-01-05"]), pick(["unit=u", "unit=id|u"])]
    }
    let other = pick(columns)
    switch random.index(6) {
    case 0, 1:
      fields += ["variant=v"]
      fields += [
        "propensity=n", "reward=m", "choices=list", "probabilities=probs", "policy:=p", "context.a=\(other)",
        "context.b:=1", "context.*=*", "features.a.x=n", "features.b.y=\(other)", "features.*=props.*",
      ].filter { _ in random.chance(0.3) }
    case 2: fields += ["goal:=buy", "value=n"] + (random.chance(0.4) ? ["metadata.*=*"] : [])
    case 3:
      fields += ["goal=v", "revenue=m / 100", "negative=flag"] + (random.chance(0.4) ? ["metadata.c=\(other)"] : [])
    case 4:
      fields += ["type=kind", "variant=v", "goal=v", "kind:=trait", "value=\(other)"]
      fields += ["context.*=*", "revenue=m"].filter { _ in random.chance(0.3) }
    default: fields += ["each=\(other),\(pick(columns))", "goal={column}", "value={value}"]
    }
    let isThere = { (field: String) in
      guard let last = field.split(separator: "=").last else { return false }
      let name = last.hasSuffix(" / 100") ? String(last.dropLast(6)) : String(last)
      return [":=", "|", "==", "=*", "{", ".*", "members"].contains { field.contains($0) } || columns.contains(name)
        || field.hasPrefix("each")
    }
    return fields.filter(isThere).map { index == 0 ? $0 : "\(index + 1).\($0)" }
  }
}
