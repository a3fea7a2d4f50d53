import Events
import Specifications
import TestSupport
import Testing

@testable import Interchange

@Suite("Importer")
struct ImporterTests {
  @Test(
    "the stem of a path is the file's name without .gz and extension",
    arguments: [
      ("men.csv", "men"), ("obd/random/men.csv.gz", "men"), ("/a.b/men", "men"), ("men.gz", "men"),
      ("a.b.csv", "a.b"), ("clicks.20260105.gz", "clicks.20260105"), (".csv", ".csv"),
      (".gz", ".gz"),
    ])
  func stems(path: String, stem: String) {
    #expect(ImportInput.stem(path) == stem)
  }

  @Test("the experiment is named by the option, otherwise by the file, and never empty")
  func experiments() throws {
    let directory = try TemporaryFolder()
    let header = "timestamp,item_id,position,click,action_prob\n2020-01-01T00:00:00Z,7,1,0,0.5\n"
    let path = try directory.write(Gzip.member(Array(header.utf8)), "shop.csv.gz")
    for (option, expected) in [(nil, "shop"), ("named", "named")] as [(String?, String)] {
      var source = try Importer(experiment: option).open(path)
      var record = ImportedRecord()
      _ = try source.next(&record)
      #expect(record.events.first?.string(.experiment) == expected)
    }
    let error = #expect(throws: ImportError.self) { try Importer(experiment: "").open(path) }
    #expect(error?.code == .usage)
  }

  @Test("units that are numbered within a file carry its name, unless the experiment has it")
  func numberedUnits() throws {
    let line = "1317513291 id-1 0 |user 1 |id-1 |id-2\n"
    for (text, name, number) in [
      (line, "day.20111002", 1), (line, "day.20111003", 1),
      ("1:-1:0.5 | x\n", "men.vw", 1), (#"{"_label_cost":-1,"a":[1],"p":[1],"c":{}}"#, "c.json", 1),
    ] {
      let stem = ImportInput.stem(name)
      let plain = try Imported(text, name: name).events
      #expect(plain.first?.contains(#""unit":"\#(stem)-\#(number)""#) == true, "\(plain)")
      let given = try Imported(text, name: name, experiment: "all").events
      #expect(given.first?.contains(#""unit":"all-\#(stem)-\#(number)""#) == true, "\(given)")
      #expect(given.first?.contains(#""experiment":"all""#) == true)
    }
  }

  @Test("item features belong to Open Bandit files")
  func items() throws {
    let directory = try TemporaryFolder()
    let file = try directory.write(#"{"type":"goal"}"#)
    let error = #expect(throws: ImportError.self) {
      try Importer(Specification(parsing: "auto:items=items.csv")).open(file)
    }
    #expect(error?.code == .usage)
    #expect(
      error?.description.contains("items belongs to the format obd and this is jsonl") == true)
  }

  @Test("a named format is believed")
  func named() throws {
    let directory = try TemporaryFolder()
    let path = try directory.write("a,b\n")
    let error = #expect(throws: ImportError.self) { try Importer(format: OpenBandit()).open(path) }
    #expect(error?.code == .badData)
    var source = try Importer(format: JSONLines()).open(path)
    var record = ImportedRecord()
    guard case .rejected = try source.next(&record) else {
      Issue.record("a line that is no JSON was taken for an event")
      return
    }
  }
}
