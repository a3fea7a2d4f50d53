import Events
import Foundation
import Specifications
import TestSupport
import Testing

@testable import Interchange

/// The real files that some tests read, which are not part of the project.
enum Datasets {
  /// The folder named by BANDOLIER_DATASETS, or `../shared/datasets` beside the package.
  static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["BANDOLIER_DATASETS"] { return named }
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return root.deletingLastPathComponent().appendingPathComponent("shared/datasets").path
  }()

  static var arePresent: Bool { FileManager.default.fileExists(atPath: folder + "/obd") }

  static func openBandit(_ policy: String, _ file: String = "men.csv.gz") -> String {
    "\(folder)/obd/\(policy)/\(file)"
  }
}

/// Everything that a source gives.
struct SourceContent {
  var events: [Event] = []
  var lines: [Int] = []
  var rejected: [RejectedRecord] = []

  init(_ source: any RecordSource) throws {
    var source = source
    var record = ImportedRecord()
    while true {
      switch try source.next(&record) {
      case .ignored: Issue.record("an ignored record")
      case .end: return
      case .rejected(let one): rejected.append(one)
      case .record:
        for event in record.events.prefix(record.count) {
          events.append(try Event(event))
          lines.append(record.line)
        }
      }
    }
  }

  var decisions: [Decision] {
    events.compactMap { if case .decision(let decision) = $0.payload { decision } else { nil } }
  }

  var goals: [Goal] {
    events.compactMap { if case .goal(let goal) = $0.payload { goal } else { nil } }
  }
}

@Suite("Open Bandit source")
struct OpenBanditSourceTests {
  private let directory: TemporaryFolder
  private let header =
    ",timestamp,item_id,position,click,propensity_score,user_feature_0,user-item_affinity_0,user-item_affinity_1"

  init() throws {
    directory = try TemporaryFolder()
  }

  private func read(
    _ text: String, items: String? = nil, name: String = "men.csv"
  ) throws -> SourceContent {
    let itemsPath = try items.map { try directory.write($0, "item_context.csv") }
    let path = try directory.write(text, name)
    return try SourceContent(Importer(format: OpenBandit { $0.items = itemsPath }).open(path))
  }

  private func failure(_ text: String, items: String? = nil) -> ImportError? {
    do {
      _ = try read(text, items: items)
      return nil
    } catch {
      return error as? ImportError
    }
  }

  @Test("a row is a decision, and a click a goal directly after it")
  func row() throws {
    let time = "2019-11-24 00:03:13.442536+00:00"
    let content = try read(
      "\(header)\n7,\(time),1,3,1,0.25,abc,0.0,2.5\n9,\(time),0,1,0,0.5,,-0.0,0\n")
    let at = Timestamp(microseconds: 1_574_553_793_442_536)
    #expect(
      content.events == [
        Event(
          time: at, unit: "men-7",
          payload: .decision(
            Decision(
              experiment: "men", slot: "3", variant: "1", choices: ["0", "1"], propensity: 0.25,
              context: ["user_feature_0": "abc"], features: ["1": ["user-item_affinity": 2.5]]))),
        Event(
          time: at, unit: "men-7",
          payload: .goal(Goal(experiment: "men", goal: "click", value: 1))),
        Event(
          time: at, unit: "men-9",
          payload: .decision(
            Decision(
              experiment: "men", slot: "1", variant: "0", choices: ["0", "1"], propensity: 0.5))),
      ])
    #expect(content.lines == [2, 2, 3])
    #expect(content.rejected.isEmpty)
  }

  @Test(
    "columns in any order, quoted, CRLF, with a byte order mark; unknown ones are kept as context")
  func shapes() throws {
    let content = try read(
      "\u{FEFF}click,\"device\",item_id,action_prob,position,timestamp,country\r\n"
        + "0,\"a, \"\"b\"\"\nc\",001,0.1,2,1574553793,DE\r\n\r\n1,\u{E9},x,1e-1,2,1574553793442.5,\r\n"
    )
    #expect(content.rejected.isEmpty)
    #expect(content.lines == [2, 5, 5])
    let decisions = content.decisions
    #expect(decisions.map(\.variant) == ["001", "x"])
    #expect(decisions.map(\.choices) == [nil, nil])
    #expect(decisions.map(\.propensity) == [0.1, 0.1])
    #expect(
      decisions.map(\.context) == [
        ["device": "a, \"b\"\nc", "country": "DE"], ["device": "\u{E9}"],
      ])
    #expect(content.events.map(\.unit) == ["men-0", "men-1", "men-1"])
    #expect(
      content.events.map(\.time.microseconds) == [
        1_574_553_793_000_000, 1_574_553_793_442_500, 1_574_553_793_442_500,
      ])
  }

  @Test("a row that cannot be understood is rejected with its reason, and the record count goes on")
  func rejectedRows() throws {
    let time = "2019-11-24 00:03:13+00:00"
    let rows: [(String, RejectionCategory, String)] = [
      ("0,\(time),1,3,0,0.5,a,0.0", .columnCount, "8 fields where the header has 9"),
      ("0,\(time),1,3,0,0.5,a,0.0,0.0,", .columnCount, "10 fields"),
      ("0,\(time),1,left,0,0.5,a,0.0,0.0", .number, "position is \"left\""),
      ("0,\(time),1,,0,0.5,a,0.0,0.0", .number, "position is \"\""),
      ("0,\(time),1,3,0,half,a,0.0,0.0", .number, "propensity_score is \"half\""),
      ("0,\(time),1,3,0,nan,a,0.0,0.0", .number, "propensity_score is \"nan\""),
      ("0,\(time),1,3,0,,a,0.0,0.0", .number, "propensity_score is \"\""),
      ("0,\(time),2,3,0,0.5,a,0.0,0.0", .item, "below 2"),
      ("0,\(time),01,3,0,0.5,a,0.0,0.0", .item, "item_id is \"01\""),
      ("0,\(time),,3,0,0.5,a,0.0,0.0", .item, "item_id is empty"),
      ("0,\(time),1,3,2,0.5,a,0.0,0.0", .click, "click is \"2\" and must be 0 or 1"),
      ("0,\(time),1,3,yes,0.5,a,0.0,0.0", .click, "click is \"yes\""),
      ("0,2019-11-24 00:03:13,1,3,0,0.5,a,0.0,0.0", .time, "timestamp is \"2019-11-24 00:03:13\""),
      ("0,\(time),1,3,0,0.5,a,0.0,x", .number, "user-item_affinity_1 is \"x\""),
      (",\(time),1,3,0,0.5,a,0.0,0.0", .number, "row number in column 1 is empty"),
      ("0,\(time),1,3,0,0.5,\"a\"b,0.0,0.0", .quoting, "closing quote"),
    ]
    let good = "5,\(time),1,3,0,0.5,a,0.0,0.0"
    let text = header + "\n" + rows.map(\.0).joined(separator: "\n") + "\n\(good)\n"
    let content = try read(text)
    #expect(content.rejected.count == rows.count)
    for (index, (row, category, reason)) in rows.enumerated() {
      let found = content.rejected[index]
      #expect(found.category == category, "\(row)")
      #expect(found.reason.contains(reason), "\(found.reason)")
      #expect(found.line == index + 2)
      #expect(String(decoding: found.bytes, as: UTF8.self) == row)
    }
    #expect(content.events.map(\.unit) == ["men-5"])
  }

  @Test("bytes that are not UTF-8 are rejected")
  func encoding() throws {
    let row =
      Array("0,2019-11-24 00:03:13Z,1,3,0,0.5,".utf8) + [0xC3, 0x28] + Array(",0.0,0.0\n".utf8)
    let path = try directory.write(Array("\(header)\n".utf8) + row, "men.csv")
    let content = try SourceContent(Importer().open(path))
    #expect(content.rejected.map(\.category) == [.encoding])
  }

  @Test("without a row number the unit is the record's number, rejected ones included")
  func recordNumbers() throws {
    let header = "timestamp,item_id,position,click,propensity_score"
    let content = try read(
      "\(header)\n2020-01-01T00:00:00Z,1,1,0,1\nbroken\n2020-01-01T00:00:00Z,1,1,0,1\n")
    #expect(content.events.map(\.unit) == ["men-0", "men-2"])
  }

  @Test("item features go to every choice that has a row, numbers by column")
  func itemFeatures() throws {
    let items = ",item_id,item_feature_0,item_feature_1\n0,1,-0.5,12\n1,0,3,ab\n"
    let content = try read("\(header)\n0,2020-01-01T00:00:00Z,1,3,0,0.5,a,0.0,2\n", items: items)
    #expect(
      content.decisions.first?.features == [
        "0": ["item_feature_0": 3, "item_feature_1": "ab"],
        "1": ["user-item_affinity": 2, "item_feature_0": -0.5, "item_feature_1": "12"],
      ])
    let few = try read(
      "\(header)\n0,2020-01-01T00:00:00Z,1,3,0,0.5,a,1,0.0\n", items: "item_id,a,b\n1,,x\n")
    #expect(
      few.decisions.first?.features == ["0": ["user-item_affinity": 1], "1": ["b": "x"]])
    let plain = try read(
      "item_id,position,click,action_prob,timestamp\n7,1,0,1,2020-01-01T00:00:00Z\n"
        + "8,1,0,1,2020-01-01T00:00:00Z\n", items: "item_id,a\n7,1\n9,2\n")
    #expect(plain.decisions.map(\.features) == [["7": ["a": 1]], nil])
  }

  @Test("invalid headers and item files are errors that name what is missing")
  func badHeaders() {
    #expect(failure("timestamp,item_id\n")?.description.contains("no column \"position\"") == true)
    let both = failure("timestamp,item_id,position,click\n")
    #expect(both?.description.contains("\"propensity_score\" or \"action_prob\"") == true)
    #expect(failure("click,click\n")?.description.contains("\"click\" twice") == true)
    #expect(
      failure("\(header),user-item_affinity_7\n")?.description.contains("numbered from 0 to 2")
        == true)
    #expect(failure("\(header)\n", items: "a,b\n")?.description.contains("item_id") == true)
    #expect(
      failure("\(header)\n", items: "item_id,b\n1\n")?.description.contains("line 2 has 1 fields")
        == true)
    #expect(
      failure("\(header)\n", items: "item_id,b,b\n1,2,3\n")?.description.contains(
        "names the column \"b\" twice") == true)
    #expect(
      failure("\(header)\n", items: "item_id,b\n1,2\n1,3\n")?.description.contains("two rows")
        == true)
    #expect(
      failure("\(header)\n", items: "item_id,b\n1,\"2\n")?.description.contains("never closed")
        == true)
    for text in ["timestamp,item_id\n", "click,click\n"] {
      #expect(failure(text)?.code == .badData)
    }
  }

  @Test(
    "the published files: every row a decision, every click a goal, counts as a plain split gives them",
    .enabled(
      if: Datasets.arePresent,
      "needs the Open Bandit files in ../shared/datasets or in the folder BANDOLIER_DATASETS"),
    arguments: [("random", 46), ("bts", 69)])
  func publishedFiles(policy: String, clicks: Int) throws {
    let path = Datasets.openBandit(policy)
    let content = try SourceContent(Importer().open(path))
    #expect(content.rejected.isEmpty)
    #expect(content.decisions.count == 10_000)
    #expect(content.goals.count == clicks)

    var bytes = try ByteSource(path: path)
    while try bytes.extend() {}
    let text = String(decoding: bytes.bytes[bytes.window], as: UTF8.self)
    var shown: [String: Int] = [:]
    var clicked: [String: Int] = [:]
    var affinities = 0
    for row in text.split(separator: "\n").dropFirst() {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      shown["\(fields[3])/\(fields[2])/\(fields[5])", default: 0] += 1
      if fields[4] == "1" { clicked["\(fields[3])/\(fields[2])", default: 0] += 1 }
      affinities += fields[10...].count { $0 != "0.0" }
    }
    var found: [String: Int] = [:]
    var foundClicks: [String: Int] = [:]
    var last: Decision?
    for event in content.events {
      switch event.payload {
      case .decision(let decision):
        let key = "\(decision.slot ?? "")/\(decision.variant)"
        found["\(key)/\(decision.propensity ?? 0)", default: 0] += 1
        last = decision
      default: foundClicks["\(last?.slot ?? "")/\(last?.variant ?? "")", default: 0] += 1
      }
    }
    #expect(found == shown)
    #expect(foundClicks == clicked)
    #expect(
      content.decisions.allSatisfy { $0.choices?.count == 34 && $0.context?.entries.count == 4 })
    #expect(content.decisions.reduce(0) { $0 + ($1.features?.entries.count ?? 0) } == affinities)
    #expect(Set(content.events.map(\.unit)).count == 10_000)
    #expect(content.events.first?.unit == "men-0")
  }

  @Test(
    "the published item features: four for each of 34 choices of every decision",
    .enabled(
      if: Datasets.arePresent,
      "needs the Open Bandit files in ../shared/datasets or in the folder BANDOLIER_DATASETS"))
  func publishedItems() throws {
    let importer = try Importer(
      Specification(
        "auto", [.init(key: "items", value: Datasets.openBandit("random", "item_context.csv"))]))
    var source = try importer.open(Datasets.openBandit("random"))
    var record = ImportedRecord()
    _ = try source.next(&record)
    guard case .decision(let decision) = try Event(record.events[0]).payload else {
      Issue.record("the first event is no decision")
      return
    }
    #expect(decision.features?.entries.count == 34)
    #expect(decision.features?["0"]?["item_feature_0"] == .number(-0.6771831139635117))
    #expect(decision.features?["33"]?.entries.map(\.name) == (0..<4).map { "item_feature_\($0)" })
  }
}
