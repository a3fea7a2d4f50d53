import EventLog
import Events
import Foundation
import Plots
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("The files of a book")
struct BookFilesTests {
  private let book: Book

  init() throws {
    var book = try StoreLog.book(try ReportLog(StoreLog.events()))
    let figure = Figure(
      name: "shares", title: "Units <b>", description: "Bars are units.",
      svg: "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>Units</title></svg>\n")
    for index in book.overview.indices { book.overview[index].figures = [] }
    for chapter in book.chapters.indices {
      for index in book.chapters[chapter].sections.indices {
        book.chapters[chapter].sections[index].figures = []
      }
    }
    book.overview[0].figures = [figure]
    book.chapters[0].sections[0].figures = [figure]
    self.book = book
  }

  private func object(_ bytes: [UInt8]) throws -> JSONValue { try JSONValue(parsing: bytes) }

  @Test("plots have paths of plain letters, all different")
  func paths() {
    let paths = book.figureFiles.map(\.path)
    #expect(paths.count == 2 && Set(paths).count == 2)
    for path in paths {
      #expect(path.wholeMatch(of: /plots\/[a-z0-9-]+-[a-z_]+-[a-z_]+\.svg/) != nil, "\(path)")
    }
  }

  @Test(
    "the schema has every table and column with its type; keys are primary unless some are empty")
  func package() throws {
    let package = try object(BookPackage(book).bytes)
    let resources = try #require(package["resources"]?.array)
    #expect(resources.map { $0["name"]?.string } == book.tables.map(\.name))
    for (resource, table) in zip(resources, book.tables) {
      #expect(resource["path"]?.string == "\(table.name).csv")
      let fields = try #require(resource["schema"]?["fields"]?.array)
      #expect(fields.map { $0["name"]?.string } == table.columns.map(\.name))
      #expect(resource["schema"]?["missingValues"]?.array == [.string("")])
    }
    let keys = { (name: String) in
      resources.first { $0["name"]?.string == name }?["schema"]?["primaryKey"]?.array?.compactMap(
        \.string)
    }
    #expect(keys("rewards") == ["experiment", "point", "slot", "variant"])
    #expect(keys("health") == nil)
  }

  @Test("Markdown escapes names, links plots, and says where the other rows are")
  func markdown() throws {
    let text = String(decoding: BookMarkdown(book).bytes, as: UTF8.self)
    #expect(text.contains("\n## &lt;script&gt;, \"x\"<br>\\| 🙂 שלום\n"))
    #expect(!text.contains("<script>"))
    for (path, _) in book.figureFiles { #expect(text.contains("](\(path))")) }
    let series = try #require(book.chapters[1].sections.first { $0.name == "series" }).tables[0]
    #expect(series.rows.count > BookMarkdown.mostRows)
    #expect(
      text.contains(
        "\(series.rows.count - BookMarkdown.mostRows) more rows are in [series.csv](series.csv)"))
    #expect(text.contains("\n### compare\n"))
  }

  @Test(
    "the notebook has a cell of parameters, ids that are unique, and its tables and plots in place")
  func notebook() throws {
    let notebook = try object(BookNotebook(book).bytes)
    #expect(notebook["nbformat"]?.integer == 4 && notebook["nbformat_minor"]?.integer == 5)
    let cells = try #require(notebook["cells"]?.array)
    let ids = cells.compactMap { $0["id"]?.string }
    #expect(Set(ids).count == cells.count)
    #expect(ids.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil })
    let tagged = cells.filter { $0["metadata"]?["tags"] == .array([.string("parameters")]) }
    #expect(tagged.count == 1 && tagged[0]["cell_type"]?.string == "code")
    let outputs = cells.flatMap { $0["outputs"]?.array ?? [] }.compactMap { $0["data"] }
    #expect(outputs.count { $0["image/svg+xml"] != nil } == 2)
    let tables = (book.overview + book.chapters.flatMap(\.sections)).reduce(0) {
      $0 + $1.tables.count
    }
    #expect(outputs.count { $0["text/html"] != nil } == tables)
    // Every name of the log is a text in Python, and none is markup.
    let text = String(decoding: BookNotebook(book).bytes, as: UTF8.self)
    #expect(text.contains(#""experiment = \"<script>, \\\"x\\\"\\n| 🙂 שלום\"""#))
    #expect(!outputs.contains { "\($0["text/html"] ?? .null)".contains("<script") })
  }

  @Test("results.json has the answers and every table")
  func results() throws {
    let results = try object(BookJSON(book).bytes)
    #expect(results["tables"]?.array?.map { $0["report"]?.string } == book.tables.map(\.name))
    #expect(results["experiments"]?.array?.count == 2)
    let empty = try object(BookJSON(Book(title: "T", answer: ["Nothing."])).bytes)
    #expect(empty["tables"]?.array == [] && empty["answer"]?.array == [.string("Nothing.")])
  }

  @Test("the manifest has the run, the log, what was counted, and every file")
  func manifest() throws {
    let log = try ReportLog(StoreLog.events())
    let run = BookManifest.Run(
      version: "1.2.3", commit: nil, arguments: ["bandolier", "report"],
      settings: [("since", "x")], seeds: [("evaluate", 1)], logDigest: "ab", start: "s", end: "e")
    let manifest = try object(
      BookManifest(
        book, of: log.replay, by: run,
        files: [BookManifest.File(path: "README.md", byteCount: 3, digest: "cd")]
      ).bytes)
    #expect(manifest["schema"]?.string == BookManifest.schema)
    #expect(manifest["version"]?.string == "1.2.3" && manifest["commit"] == .null)
    #expect(manifest["log"]?["end_position"]?.integer == Int64(log.reader.eventCount))
    #expect(manifest["log"]?["sha256"]?.string == "ab")
    let rewards = manifest["reports"]?.array?.first { $0["table"]?.string == "rewards" }
    #expect(rewards?["settings"]?["per"]?.string == "decision")
    #expect(rewards?["counts"]?["decisions_confirmed"]?.integer == 400)
    #expect(manifest["files"]?.array?.first?["sha256"]?.string == "cd")
  }

  @Test("the readme names every file and says how to read them")
  func readme() {
    let text = String(
      decoding: BookReadme(book, files: [("report.html", "the page")]).bytes, as: UTF8.self)
    for table in book.tables { #expect(text.contains("| `\(table.name).csv` |")) }
    for word in ["report.html", "keep_default_na=False", "read_csv(", "colClasses", "LibreOffice"] {
      #expect(text.contains(word))
    }
  }
}
