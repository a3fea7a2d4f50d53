import Specifications
import TestSupport
import Testing

@testable import Bandits

/// Rows as dictionaries, and the maps made of them.
struct NamedRows {
  let specification: FeatureSpecification
  var rows: [[String: FeatureValue]] = []

  init(_ text: String, _ rows: [[String: FeatureValue]] = []) throws {
    specification = try FeatureSpecification(parsing: text)
    self.rows = rows
  }

  func survey(_ rows: [[String: FeatureValue]]) -> FeatureSurvey {
    var survey = FeatureSurvey(specification)
    for row in rows {
      survey.add(
        specification.sources.enumerated().map { survey.cell(row[$1.description], of: $0) })
    }
    return survey
  }

  func map() throws -> FeatureMap { try FeatureMap(survey(rows)) }

  static func vector(_ row: [String: FeatureValue], _ map: FeatureMap) -> FeatureVector {
    var vector = FeatureVector()
    map.write(
      map.specification.sources.enumerated().map { map.cell(row[$1.description], of: $0) },
      into: &vector)
    return vector
  }

  /// The features of a row by the names of their columns, without the intercept.
  static func named(_ row: [String: FeatureValue], _ map: FeatureMap) -> [String: Double] {
    let entries = vector(row, map).entries.dropFirst()
    return Dictionary(
      entries.map { (map.name(ofColumn: $0.column), $0.value) }, uniquingKeysWith: { $0 + $1 })
  }
}

@Suite("Features of rows")
struct FeatureMapTests {
  @Test("a number has a column, and one for its presence if it is sometimes absent")
  func numbers() throws {
    let rows = try NamedRows(
      "number(age)+standardized(size)",
      [
        ["age": .number(30), "size": .number(1)], ["size": .number(3)],
        ["age": .flag(true), "size": .number(5)], ["age": .text("old"), "size": .number(3)],
      ])
    let map = try rows.map()
    #expect((0..<map.columnCount).map(map.name) == ["intercept", "age", "age present", "size"])
    #expect(NamedRows.named(["age": .number(7)], map) == ["age": 7, "age present": 1])
    #expect(NamedRows.named(["age": .flag(true)], map) == ["age": 1, "age present": 1])
    #expect(NamedRows.named(["age": .text("7")], map) == [:])
    // 1, 3, 5, 3 have the mean 3 and the variance 2.
    let named = NamedRows.named(["size": .number(4)], map)
    #expect(abs((named["size"] ?? 0) - 1 / 2.0.squareRoot()) < 1e-15 && named.count == 1)
    #expect(NamedRows.named(["size": .number(.infinity)], map)["size"] == 1e100 / 2.0.squareRoot())
  }

  @Test("the most frequent values have a column each, and all others one together")
  func oneHot() throws {
    let texts = ["b", "b", "a", "c", "c", "d", "b"]
    let rows = try NamedRows("one-hot(k,2)", texts.map { ["k": .text($0)] } + [[:]])
    let map = try rows.map()
    #expect((0..<map.columnCount).map(map.name) == ["intercept", "k=b", "k=c", "k other"])
    #expect(NamedRows.named(["k": .text("b")], map) == ["k=b": 1])
    #expect(NamedRows.named(["k": .text("a")], map) == ["k other": 1])
    #expect(NamedRows.named(["k": .text("new")], map) == ["k other": 1])
    #expect(NamedRows.named([:], map) == [:])
    #expect(map.others == [FeatureMap.OtherValues(term: "one-hot(k,2)", values: 2, rows: 2)])
    let all = try NamedRows("one-hot(k)", rows.rows).map()
    #expect(all.columnCount == 5)
    #expect(NamedRows.named(["k": .text("new")], all) == [:])
  }

  @Test("equal counts keep the bytewise smaller value, and numbers and flags count by their text")
  func ties() throws {
    let values: [FeatureValue] = [.number(10), .text("10"), .number(9), .number(9.0), .flag(true)]
    let map = try NamedRows("one-hot(k,1)", values.map { ["k": $0] }).map()
    #expect(map.name(ofColumn: 1) == "k=10")
    #expect(NamedRows.named(["k": .number(10)], map) == ["k=10": 1])
    #expect(NamedRows.named(["k": .flag(true)], map) == ["k other": 1])
    #expect(NamedRows.named(["k": .number(.nan)], map) == [:])
  }

  @Test("a cross has a column per combination that occurs, times its numbers")
  func crosses() throws {
    let rows = try NamedRows(
      "cross(country,number(age),variant)",
      [
        ["country": .text("us"), "variant": .text("A"), "age": .number(1)],
        ["country": .text("us"), "variant": .text("B"), "age": .number(1)],
        ["country": .text("de"), "variant": .text("A"), "age": .number(1)],
        ["country": .text("de"), "variant": .text("B")],
      ])
    let map = try rows.map()
    #expect(
      (1..<map.columnCount).map(map.name) == [
        "age × country=de × variant=A", "age × country=us × variant=A",
        "age × country=us × variant=B",
      ])
    var row = rows.rows[0]
    row["age"] = .number(4)
    #expect(NamedRows.named(row, map) == ["age × country=us × variant=A": 4])
    #expect(NamedRows.named(rows.rows[3], map) == [:])
    row["country"] = nil
    #expect(NamedRows.named(row, map) == [:])
  }

  @Test("the hash of features is fixed")
  func hashes() throws {
    #expect(FeatureHash.of("") == 0xCBF2_9CE4_8422_2325)
    #expect(FeatureHash.of("a") == 0xAF63_DC4C_8601_EC8C)
    #expect(FeatureHash.of("foobar") == 0x8594_4171_F739_67E8)
    // The first words of SplitMix64 from 0 and from 1234567, as its reference implementation prints them.
    #expect(FeatureHash.combine(0, 0) == 0xE220_A839_7B1D_CDAF)
    #expect(FeatureHash.combine(1_234_560, 7) == 6_457_827_717_110_365_317)
    let map = try NamedRows("hash(url,variant,16)").map()
    let vector = NamedRows.vector(["url": .text("a"), "variant": .text("B")], map)
    let hash = FeatureHash.combine(
      FeatureHash.combine(0, FeatureHash.of("a")), FeatureHash.of("B"))
    #expect(
      vector
        == FeatureVector([
          (0, 1), (1 + Int(hash >> 60), hash & 1 == 0 ? 1 : -1),
        ]))
    #expect(map.columnCount == 17 && map.name(ofColumn: 3) == "hash(url,variant,16)[2]")
    #expect(NamedRows.named(["url": .text("a")], map) == [:])
  }

  static let names = ["a", "b", "features.c", "variant"]

  static func random(_ count: Int, _ random: inout SeededGenerator) -> [[String: FeatureValue]] {
    (0..<count).map { _ in
      var row: [String: FeatureValue] = [:]
      for name in names where random.chance(0.9) {
        switch random.index(4) {
        case 0: row[name] = .number(Double(random.index(5)) / 4)
        case 1: row[name] = .flag(random.chance(0.5))
        default: row[name] = .text("v\(random.index(6))")
        }
      }
      return row
    }
  }

  static let everything =
    "number(a)+standardized(b)+one-hot(a,4)+one-hot(variant)+cross(a,b,variant,7)"
    + "+cross(number(a),features.c)+hash(a,b,32)+cross(number(a),standardized(b))"

  @Test("surveys merge, and their order does not matter", arguments: 1...20 as ClosedRange<UInt64>)
  func merging(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rows = try NamedRows(Self.everything)
    rows.rows = Self.random(60, &random)
    let map = try rows.map()
    let cut = random.index(61)
    var merged = rows.survey(Array(rows.rows[cut...].shuffled(using: &random)))
    merged.merge(rows.survey(Array(rows.rows[..<cut])))
    merged.merge(FeatureSurvey(rows.specification))
    #expect(try FeatureMap(merged) == map, "seed \(seed)")
    #expect(try FeatureMap(map.tree) == map, "seed \(seed)")
    #expect(try FeatureMap(map.tree).tree == map.tree, "seed \(seed)")
  }

  @Test("columns are as counted naively", arguments: 1...20 as ClosedRange<UInt64>)
  func naive(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var rows = try NamedRows("one-hot(a,4)+cross(b,variant,5)")
    rows.rows = Self.random(80, &random)
    let map = try rows.map()
    func top(_ keys: [String?], _ limit: Int) -> Set<String> {
      var counts: [String: Int] = [:]
      for key in keys.compactMap({ $0 }) { counts[key, default: 0] += 1 }
      let order = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      return Set(order.prefix(limit).map(\.key))
    }
    func key(_ row: [String: FeatureValue], _ names: [String]) -> String? {
      let texts = names.compactMap { name in row[name].map { "\(name)=\($0.text)" } }
      return texts.count == names.count ? texts.joined(separator: " × ") : nil
    }
    let single = top(rows.rows.map { key($0, ["a"]) }, 4)
    let joint = top(rows.rows.map { key($0, ["b", "variant"]) }, 5)
    for row in rows.rows + Self.random(40, &random) {
      var expected: [String: Double] = [:]
      if let key = key(row, ["a"]) { expected[single.contains(key) ? key : "a other"] = 1 }
      if let key = key(row, ["b", "variant"]) {
        expected[joint.contains(key) ? key : "b other × variant other"] = 1
      }
      #expect(NamedRows.named(row, map) == expected, "seed \(seed)")
    }
  }

  @Test("a cross of many values has the same columns as its combinations have as texts")
  func manyCombinations() throws {
    var random = SeededGenerator(seed: 9)
    var rows = try NamedRows("cross(a,b,variant,300)+one-hot(joint,300)")
    rows.rows = (0..<600).map { _ in
      let parts = (0..<3).map { _ in "\(100 + random.index(90))" }
      var row: [String: FeatureValue] = [
        "joint": .text("a=\(parts[0]) × b=\(parts[1]) × variant=\(parts[2])")
      ]
      for (name, part) in zip(["a", "b", "variant"], parts) { row[name] = .text(part) }
      return row
    }
    let map = try rows.map()
    #expect(map.columnCount == 603)
    var others = 0
    for row in rows.rows {
      let names = NamedRows.vector(row, map).entries.map { map.name(ofColumn: $0.column) }
      #expect(names.count == 3)
      if names[1] == "a other × b other × variant other" {
        #expect(names[2] == "joint other")
        others += 1
      } else {
        #expect(names[2] == "joint=\(names[1])")
      }
    }
    #expect(others > 200)
  }

  @Test("columns ascend, and a row of the wrong length has only an intercept")
  func ascending() throws {
    var random = SeededGenerator(seed: 5)
    var rows = try NamedRows(Self.everything)
    rows.rows = Self.random(60, &random)
    let map = try rows.map()
    for row in rows.rows {
      let columns = NamedRows.vector(row, map).entries.map(\.column)
      #expect(columns.first == 0 && zip(columns, columns.dropFirst()).allSatisfy(<))
    }
    #expect(FeatureVector([(0, 1), (2, 5), (4, 1)]).dense(4) == [1, 0, 5, 0])
    var vector = FeatureVector([(3, 1)])
    map.write([.absent], into: &vector)
    #expect(vector == FeatureVector([(0, 1)]))
  }

  @Test("damaged maps are refused")
  func damaged() throws {
    let rows = try NamedRows("one-hot(k)", [["k": .text("a")]])
    let tree = try rows.map().tree
    func edit(_ value: JSONTree, _ change: (JSONTree) -> JSONTree?) -> JSONTree {
      if let changed = change(value) { return changed }
      switch value {
      case .list(let list): return .list(list.map { edit($0, change) })
      case .object(let fields):
        return .object(fields.map { .init($0.name, edit($0.value, change)) })
      default: return value
      }
    }
    let damages: [(JSONTree) -> JSONTree?] = [
      { $0 == .text("one-hot(k)") ? .text("one-hot(j)+number(b)") : nil },
      { $0 == .number(0) ? .flag(false) : nil }, { $0 == .number(0) ? .number(0.5) : nil },
      { $0 == .list([.text("a")]) ? .list([]) : nil },
      { $0 == .text("a") ? .number(1) : nil },
      {
        $0 == .list([.list([.text("a")])])
          ? .list([.list([.text("a")]), .list([.text("a")])]) : nil
      },
    ]
    for damage in damages {
      #expect(throws: SpecificationError.self) { try FeatureMap(edit(tree, damage)) }
    }
    #expect(throws: SpecificationError.self) { try FeatureMap(.text("a")) }
  }
}
