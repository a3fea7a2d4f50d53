import Foundation
import TestSupport
import Testing

@testable import Projections
@testable import Tables

@Suite("A database of finished tables")
struct ResultDatabaseTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("results.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func tables() throws -> [Table] {
    var first = try Table(
      name: "order", title: "First",
      columns: [
        .key("variant", .text, "what was chosen"), .measure("units", .integer, "units"),
        .measure("mean", .decimal, "mean"), .measure("is_best", .flag, "whether it is the best"),
      ])
    for (index, name) in ["NA", "null", "001", "true", "=1+1", "a,\"b\"\n🙂", "שלום"].enumerated() {
      try first.append(row: [
        .text(name), .integer(index), index == 0 ? .empty : .decimal(0.5), .flag(index == 1),
      ])
    }
    first.answer = ["One.", "Two."]
    first.note("rule", .text("last"))
    var second = try Table(
      name: "visits", title: "Second", columns: [.key("variant", .text, "what was chosen")])
    try second.append(row: [.empty])
    try second.append(row: [.text("a")])
    return [first, second]
  }

  @Test(
    "has a table with typed columns for each, keys that are primary unless some are empty, and other tables behind one prefix"
  )
  func contents() throws {
    let tables = try tables()
    try ResultDatabase.write(tables, to: path)
    let db = try SQLConnection(path, readonly: true)
    let texts = { (sql: String) in
      try db.rows(sql, columns: 1).map { $0[0].string ?? "" }
    }
    let names = try texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    #expect(names.filter { !$0.hasPrefix("_bandolier_") } == ["order", "visits"])
    let variants = try texts(#"SELECT variant FROM "order" ORDER BY units"#)
    #expect(variants == ["NA", "null", "001", "true", "=1+1", "a,\"b\"\n🙂", "שלום"])
    let types = try texts(
      #"SELECT typeof(mean) || typeof(is_best) FROM "order" ORDER BY units LIMIT 2"#)
    #expect(types == ["nullinteger", "realinteger"])
    let keys = try db.value(#"SELECT count(*) FROM pragma_table_info('order') WHERE pk > 0"#)
    #expect(keys == .integer(1))
    let answer = try db.value("SELECT answer FROM _bandolier_tables WHERE report = 'order'")
    #expect(answer == .text("One. Two."))
    let empty = try db.value("SELECT count(*) FROM visits WHERE variant IS NULL")
    #expect(empty == .integer(1))
  }

  @Test("has the same bytes for the same tables, and never replaces a file")
  func bytes() throws {
    try ResultDatabase.write(try tables(), to: path)
    let other = folder.path("other.sqlite")
    try ResultDatabase.write(try tables(), to: other)
    let contents = { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(try contents(path) == contents(other))
    let before = try contents(path)
    let error = #expect(throws: ProjectionError.self) {
      try ResultDatabase.write(try tables(), to: path)
    }
    #expect(error?.code == .cannotCreate)
    #expect(try contents(path) == before)
    #expect(folder.files.sorted() == ["other.sqlite", "results.sqlite"])
  }
}
